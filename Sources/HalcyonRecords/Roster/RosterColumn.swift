/// The columns of a roster. The raw value is the name that is written, and the name that errors use.
package enum RosterColumn: String, Sendable, CaseIterable {
    case id, grade, classNumber, number, name, profileImageURL

    /// `id` and the photo may be left out.
    var isRequired: Bool { self != .id && self != .profileImageURL }

    /// Headers that mean this column, compared without case, spaces, hyphens and underscores.
    var aliases: [String] {
        switch self {
        case .id: ["id", "studentid", "학번"]
        case .grade: ["grade", "학년"]
        case .classNumber: ["class", "classnumber", "classno", "classnum", "반"]
        case .number: ["number", "no", "num", "번호"]
        case .name: ["name", "studentname", "이름", "성명", "학생명"]
        case .profileImageURL:
            [
                "profileimageurl", "profileimage", "photo", "photourl", "image", "imageurl", "picture", "pictureurl",
                "사진", "사진주소", "사진url",
            ]
        }
    }

    /// What may follow the digits of a value.
    var unit: String? {
        switch self {
        case .grade: "학년"
        case .classNumber: "반"
        case .number: "번"
        default: nil
        }
    }

    init?(header: String) {
        guard let column = Self.byAlias[Self.normalized(header)] else { return nil }
        self = column
    }

    private static let byAlias = Dictionary(
        uniqueKeysWithValues: allCases.flatMap { column in column.aliases.map { ($0, column) } })

    private static func normalized(_ header: String) -> String {
        StudentRules.trimmed(header).lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" }
    }
}
