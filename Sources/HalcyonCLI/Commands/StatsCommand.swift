extension Command {
    static let stats = Command(
        path: ["stats"], summary: "tell what the disk cache holds", options: [Options.json.spec], run: unbuilt)
}
