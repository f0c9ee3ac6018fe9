extension Command {
    static let purge = Command(
        path: ["purge"], summary: "drop expired or named photos from the caches",
        options: [
            Options.expired.spec, Options.everything.spec, Options.grade.spec, Options.classNumber.spec,
            Options.student.spec, Options.url.spec, Options.host.spec, Options.tag.spec, Options.olderThan.spec,
            Options.toSize.spec,
            Options.every.spec, Options.schedule.spec, Options.dryRun.spec, Options.json.spec,
        ],
        details: [
            "Exactly one selection: --expired, --all, --grade (with --class or alone), --student, --url, --host, --tag, "
                + "--older-than or --to-size. A running server that shares the cache folder learns of it within a second."
        ],
        run: purge(_:)
    )
}
