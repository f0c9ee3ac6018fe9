internal import HalcyonClient

extension Remote {
    @Sendable static func listNotices(_ invocation: Invocation, _ halcyon: HalcyonProvider) async throws {
        let notices = try await halcyon.notices(clubID: invocation.operands[0]).get()
        try invocation.show(
            notices.map { NoticeRow(id: $0.id, createDate: $0.createDate, title: $0.title) }, notices)
    }

    @Sendable static func addNotice(_ invocation: Invocation, _ halcyon: HalcyonProvider) async throws {
        guard let id = invocation.settings[Options.authorID], let name = invocation.settings[Options.authorName] else {
            throw UsageError("notices add: needs --author-id and --author-name")
        }
        var draft = draft(invocation)
        draft.rootUser = NoticeAuthor(id: id, nickName: name)
        let notice = try await halcyon.addNotice(clubID: invocation.operands[0], draft).get()
        invocation.console.print(Shown.text(notice.id))
    }

    @Sendable static func editNotice(_ invocation: Invocation, _ halcyon: HalcyonProvider) async throws {
        try invocation.requireChange([Options.title.spec, Options.content.spec, Options.image.spec])
        let (club, id) = (invocation.operands[0], invocation.operands[1])
        _ = try await halcyon.changeNotice(clubID: club, id: id, draft(invocation)).get()
    }

    @Sendable static func removeNotice(_ invocation: Invocation, _ halcyon: HalcyonProvider) async throws {
        _ = try await halcyon.removeNotice(clubID: invocation.operands[0], id: invocation.operands[1]).get()
    }

    private static func draft(_ invocation: Invocation) -> NoticeDraft {
        let images = invocation.settings[Options.image]
        return NoticeDraft(
            title: invocation.settings[Options.title], content: invocation.settings[Options.content],
            imageList: images.isEmpty ? nil : images)
    }
}
