internal import HalcyonRecords

/// What a client of an event stream asks for.
enum EventTopic: Sendable, Hashable {
    case students
    case guidances
    /// Of one club; `nil` for all.
    case noticeBoards(clubID: String?)

    static let all: [EventTopic] = [.students, .guidances, .noticeBoards(clubID: nil)]
    static let accepted = "students, guidances, noticeBoards and noticeBoards/{clubID}"

    /// `nil` if it is none.
    init?(_ text: String) {
        switch text {
        case "students": self = .students
        case "guidances": self = .guidances
        case "noticeBoards": self = .noticeBoards(clubID: nil)
        default:
            let prefix = "noticeBoards/"
            guard text.hasPrefix(prefix), text.utf8.count > prefix.utf8.count else { return nil }
            self = .noticeBoards(clubID: String(text.dropFirst(prefix.count)))
        }
    }

    /// What it takes to read of it: as much as to read the records.
    var access: Access {
        switch self {
        case .students: .role(.viewer)
        case .guidances, .noticeBoards: .role(.staff)
        }
    }

    func covers(_ change: RecordChange) -> Bool {
        switch self {
        case .students: change.topic == .students
        case .guidances: change.topic == .guidances
        case .noticeBoards(nil): change.topic == .noticeBoards
        case .noticeBoards(let clubID?): change.topic == .noticeBoards && change.scope == clubID
        }
    }

    /// Without what the client wrote.
    var name: String {
        switch self {
        case .students: "students"
        case .guidances: "guidances"
        case .noticeBoards: "noticeBoards"
        }
    }
}
