internal import HalcyonClient

extension Remote {
    @Sendable static func listGuidances(_ invocation: Invocation, _ halcyon: HalcyonProvider) async throws {
        let settings = invocation.settings
        let status = GuidanceFilter.Status(rawValue: invocation.statusName) ?? .valid
        var filter = GuidanceFilter(
            grade: settings[Options.grade], classNumber: settings[Options.classNumber],
            studentID: settings[Options.student].last, status: status)
        // The service does not say which of all are deleted: those that are not among the valid ones.
        var deleted: Set<Int> = []
        if status == .all {
            filter.status = .deleted
            deleted = Set(try await guidances(filter, halcyon).map(\.id))
            filter.status = .all
        }
        let guidances = try await guidances(filter, halcyon)
        let rows = guidances.map { GuidanceRow($0, isDeleted: status == .deleted || deleted.contains($0.id)) }
        try invocation.show(rows, guidances)
    }

    @Sendable static func addGuidance(_ invocation: Invocation, _ halcyon: HalcyonProvider) async throws {
        let (reason, detail) = try invocation.guidanceReason()
        guard let reason = GuidanceReason(rawValue: reason) else { return }
        let id = try invocation.id()
        let guidance = try await halcyon.addGuidance(studentID: id, reason: reason, detail: detail).get()
        invocation.console.print(GuidanceRow(guidance, isDeleted: false).line)
    }

    @Sendable static func removeGuidance(_ invocation: Invocation, _ halcyon: HalcyonProvider) async throws {
        let id = try invocation.id()
        // The answer is what remains; what was removed is found among the deleted ones.
        _ = try await halcyon.removeGuidance(id: id).get()
        let deleted = try await guidances(GuidanceFilter(status: .deleted), halcyon)
        if let guidance = deleted.first(where: { $0.id == id }) {
            invocation.console.print(GuidanceRow(guidance, isDeleted: true).line)
        }
    }

    @Sendable static func restoreGuidance(_ invocation: Invocation, _ halcyon: HalcyonProvider) async throws {
        let guidance = try await halcyon.restoreGuidance(id: try invocation.id()).get()
        invocation.console.print(GuidanceRow(guidance, isDeleted: false).line)
    }

    private static func guidances(_ filter: GuidanceFilter, _ halcyon: HalcyonProvider) async throws -> [Guidance] {
        var filter = filter
        var all: [Guidance] = []
        repeat {
            let page = try await halcyon.guidances(filter).get()
            all += page.items
            filter.after = page.next
        } while filter.after != nil
        return all
    }
}

extension GuidanceRow {
    init(_ guidance: Guidance, isDeleted: Bool) {
        self.init(
            id: guidance.id, seat: [guidance.grade, guidance.classNumber, guidance.number], name: guidance.name,
            reason: guidance.reason, detail: guidance.detail, isDeleted: isDeleted)
    }
}
