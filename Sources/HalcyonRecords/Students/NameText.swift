internal import Foundation

/// Names as they are compared: one name can be written in several sequences of characters.
enum NameText {
    /// In Unicode's composed form (NFC), as keyboards write it; macOS file names and some spreadsheets hold the other.
    static func composed(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
    }

    /// For finding: composed, and without the difference of upper and lower case in any script.
    static func folded(_ text: String) -> String { composed(text.lowercased()) }
}
