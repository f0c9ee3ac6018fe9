extension Command {
    static let demo = Command(
        path: ["demo"], summary: "make up a school and its photo origin, prefetch, then serve",
        options: [Options.students.spec, Options.listen.spec, Options.progress.spec],
        details: [
            "Everything is made up, names and faces. Without --cache-dir and --database it lives in a temporary folder "
                + "that is removed at the end."
        ],
        run: demo(_:)
    )
}
