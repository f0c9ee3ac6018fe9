internal import Halcyon
internal import HalcyonRecords
internal import Synchronization

/// Makes up a school and its photo origin, fetches its photos, serves them, and says what to look at.
func demo(_ invocation: Invocation) async throws -> ExitCode {
    let settings = invocation.settings
    let pupils = DemoPupil.school(count: settings[Options.students], year: SchoolYear.current())
    let origin = try DemoOrigin(pupils: pupils)
    origin.start()
    let folder = try DemoFolder()
    defer { folder.remove() }

    let demo = try prepared(invocation, origin: origin, folder: folder)
    let policy = try demo.settings.originPolicy()
    let console = demo.console
    let service = Service(
        invocation: demo,
        alternativeAddress: settings.source(of: Options.listen.spec) == .standard ? "127.0.0.1:0" : nil)
    let isInterrupted = Atomic<Bool>(false)
    let code = try await service.run { address, pipeline, records in
        _ = try await records.importRoster(try RosterReader.read(roster(of: pupils, origin: origin)))
        console.say("A made-up school of \(pupils.count) pupils. Its photos are at http://\(origin.host)/photos/")
        let clock = ContinuousClock()
        let start = clock.now
        let items = try await records.allStudents().map(invocation.item(of:))
        let summary = await prefetch(items, with: pipeline, policy: policy, invocation: demo) { clock.now - start }
        guard !Task.isCancelled else {
            isInterrupted.store(true, ordering: .relaxed)
            console.print(summary.text(elapsed: clock.now - start))
            return
        }
        console.print(summary.text(elapsed: clock.now - start))
        console.print(tour(of: pupils, at: address, requests: origin.requestCount))
    }
    return isInterrupted.load(ordering: .relaxed) ? .interrupted : code
}

/// The demo's own origin, folder and quiet log, unless the options say otherwise.
private func prepared(
    _ invocation: Invocation, origin: DemoOrigin, folder: DemoFolder
) throws(UsageError) -> Invocation {
    let settings = invocation.settings
    var added = [Options.allowOrigin.spec.flag: settings[Options.allowOrigin] + ["\(origin.host)=127.0.0.0/8"]]
    for (spec, text) in [
        (Options.cacheDirectory.spec, "\(folder.path)/cache"), (Options.database.spec, "\(folder.path)/records.sqlite"),
        (Options.logLevel.spec, "error"),
    ] where settings.source(of: spec) == .standard {
        added[spec.flag] = [text]
    }
    let given = added
    var demo = invocation
    demo.settingsReread = { more throws(UsageError) in
        try invocation.settingsReread(given.merging(more) { $1 })
    }
    demo.settings = try demo.settingsReread([:])
    return demo
}

private func roster(of pupils: [DemoPupil], origin: DemoOrigin) -> [UInt8] {
    let rows = pupils.map { pupil in
        let url = origin.url(of: pupil) ?? ""
        return "\(pupil.id),\(pupil.grade),\(pupil.classNumber),\(pupil.number),\(pupil.name),\(url)\n"
    }
    return Array(("id,grade,classNumber,number,name,profileImageURL\n" + rows.joined()).utf8)
}

/// What to click.
private func tour(of pupils: [DemoPupil], at address: String, requests: Int) -> String {
    let base = "http://\(address)"
    func student(_ behaviour: DemoBehaviour) -> Int? { pupils.first { $0.behaviour == behaviour }?.id }
    var rows: [(title: String, url: String)] = []
    if let id = student(.good) {
        rows.append(("a pupil", "\(base)/students/search?id=\(id)"))
        rows.append(("the photo", "\(base)/students/\(id)/photo"))
    }
    if let id = student(.noPhoto) { rows.append(("one who has no photo", "\(base)/students/\(id)/photo")) }
    if let id = student(.page) {
        rows.append(("one whose origin sends a login page", "\(base)/students/\(id)/photo"))
        rows.append(("the same as an error", "\(base)/students/\(id)/photo?placeholder=none"))
    }
    rows.append(("the school in numbers", "\(base)/students/totalNumber"))
    rows.append(("what the caches hold", "\(base)/cache/stats"))
    rows.append(("metrics", "\(base)/metrics"))
    let width = rows.map(\.title.count).max() ?? 0
    let lines = rows.map { "  \($0.title)\(String(repeating: " ", count: width - $0.title.count))  \($0.url)" }
    return """

        The origin had \(requests) requests. Serving on \(base), to look at (Ctrl-C ends it):
        \(lines.joined(separator: "\n"))
        """
}
