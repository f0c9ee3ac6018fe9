/// How long a copy is fresh, in words.
enum ExpiryText {
    static let accepted = "\(DurationText.accepted), 0 (expired at once), never, or origin (what its headers say)"

    static func isValid(_ text: String) -> Bool {
        text == "never" || text == "origin" || DurationText.parse(text) != nil
    }
}
