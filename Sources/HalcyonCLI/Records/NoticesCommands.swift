internal import HalcyonRecords

extension Command {
    static let noticesList = Command(
        path: ["notices", "list"], summary: "list the notices of a club, newest first", operands: "CLUB",
        operandCount: 1...1, options: [Options.json.spec]
    ) { invocation in
        let notices = try await invocation.records().notices(clubID: invocation.operands[0])
        try invocation.show(notices.map { NoticeRow($0) }, notices)
        return .done
    }

    static let noticesAdd = Command(
        path: ["notices", "add"], summary: "put a notice on a club's board", operands: "CLUB", operandCount: 1...1,
        options: draftOptions + [Options.authorID.spec, Options.authorName.spec]
    ) { invocation in
        guard let id = invocation.settings[Options.authorID], let name = invocation.settings[Options.authorName] else {
            throw UsageError("notices add: needs --author-id and --author-name")
        }
        let notice = try await invocation.records(creating: true).addNotice(
            clubID: invocation.operands[0], rootUser: try NoticeAuthor(id: id, nickName: name), draft: invocation.draft)
        invocation.console.print(notice.id)
        return .done
    }

    static let noticesEdit = Command(
        path: ["notices", "edit"], summary: "change a notice", operands: "CLUB ID", operandCount: 2...2,
        options: draftOptions, details: ["What is not named stays as it is."]
    ) { invocation in
        try invocation.requireChange(draftOptions)
        _ = try await invocation.records().updateNotice(
            clubID: invocation.operands[0], id: invocation.operands[1], draft: invocation.draft)
        return .done
    }

    static let noticesRemove = Command(
        path: ["notices", "remove"], summary: "remove a notice", operands: "CLUB ID", operandCount: 2...2
    ) { invocation in
        try await invocation.records().removeNotice(clubID: invocation.operands[0], id: invocation.operands[1])
        return .done
    }

    private static let draftOptions = [Options.title.spec, Options.content.spec, Options.image.spec]
}

extension Invocation {
    fileprivate var draft: NoticeDraft {
        let images = settings[Options.image]
        return NoticeDraft(
            title: settings[Options.title], content: settings[Options.content], imageList: images.isEmpty ? nil : images
        )
    }
}
