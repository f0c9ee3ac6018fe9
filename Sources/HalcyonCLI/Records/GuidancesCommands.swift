internal import HalcyonRecords

extension Command {
    static let guidancesList = Command(
        path: ["guidances", "list"], summary: "list the guidances, newest first",
        options: [
            Options.grade.spec, Options.classNumber.spec, Options.student.spec, Options.status.spec, Options.json.spec,
        ]
    ) { invocation in
        let settings = invocation.settings
        let query = GuidanceQuery(
            grade: settings[Options.grade], classNumber: settings[Options.classNumber],
            studentID: settings[Options.student].last, status: settings[Options.status])
        let guidances = try await invocation.records().guidances(matching: query)
        try invocation.show(guidances.map { GuidanceRow($0) }, guidances)
        return .done
    }

    static let guidancesAdd = Command(
        path: ["guidances", "add"], summary: "give a guidance to a pupil", operands: "STUDENT_ID", operandCount: 1...1,
        options: [Options.reason.spec, Options.detail.spec]
    ) { invocation in
        let (reason, detail) = try invocation.guidanceReason()
        invocation.show(
            try await invocation.records().addGuidance(
                studentID: try invocation.id(), reason: reason, detail: detail))
        return .done
    }

    static let guidancesRemove = Command(
        path: ["guidances", "remove"], summary: "mark a guidance deleted; restore brings it back", operands: "ID",
        operandCount: 1...1
    ) { invocation in
        invocation.show(try await invocation.records().removeGuidance(id: try invocation.id()))
        return .done
    }

    static let guidancesRestore = Command(
        path: ["guidances", "restore"], summary: "make a deleted guidance valid again", operands: "ID",
        operandCount: 1...1
    ) { invocation in
        invocation.show(try await invocation.records().restoreGuidance(id: try invocation.id()))
        return .done
    }
}

extension Invocation {
    /// The reason as it is recorded, and its detail.
    func guidanceReason() throws(UsageError) -> (reason: String, detail: String?) {
        guard let reason = settings[Options.reason] else { throw UsageError("guidances add: needs --reason") }
        if settings[Options.detail] != nil, reason != .other {
            throw UsageError(
                "guidances add: --detail is accepted with --reason \(GuidanceReason.other.rawValue) alone, "
                    + "not with \(reason.rawValue)")
        }
        return (reason.rawValue, settings[Options.detail])
    }

    var statusName: String { settings[Options.status].rawValue }

    fileprivate func show(_ guidance: Guidance) { console.print(GuidanceRow(guidance).line) }
}
