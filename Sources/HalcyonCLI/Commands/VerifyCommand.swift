extension Command {
    static let verify = Command(
        path: ["verify"], summary: "read every stored photo and check its length and digest",
        options: [Options.repair.spec, Options.json.spec],
        details: ["Ends with 1 if anything is damaged and was not repaired."],
        run: unbuilt
    )
}
