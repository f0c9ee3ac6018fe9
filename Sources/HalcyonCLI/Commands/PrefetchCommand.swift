extension Command {
    static let prefetch = Command(
        path: ["prefetch"], summary: "fetch photos into the caches before they are asked for",
        options: [
            Options.grade.spec, Options.classNumber.spec, Options.student.spec, Options.url.spec,
            Options.urlsFrom.spec, Options.variants.spec, Options.concurrency.spec, Options.refresh.spec,
            Options.progress.spec, Options.json.spec,
        ],
        details: [
            "Without a selection the whole school is fetched. Fresh copies are left as they are, expired ones are "
                + "revalidated. Ends with 1 if a photo that should be there was not had, with 130 if interrupted; what "
                + "was fetched until then is kept."
        ],
        run: prefetch(_:)
    )
}
