/// What a name is found by. White space does not count, nor does upper and lower case.
///
/// Each key begins with a letter for its kind: `N` the name, `W` the rest of the name from a later word on, `I` the initial
/// consonants, U+0001, and the name. As SQLite compares texts byte by byte, which for UTF-8 is the order of the characters,
/// whatever begins with the same characters lies side by side.
enum NameKeys {
    static func keys(of name: String) -> [String] {
        let words = NameText.folded(name).split(whereSeparator: \.isWhitespace)
        let whole = words.joined()
        let later = words.indices.dropFirst().map { "W" + words[$0...].joined() }
        return ["N" + whole, "I\(leads(of: whole))\u{1}\(whole)"] + Set(later)
    }

    static func leads(of text: String) -> String {
        var leads = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { leads.append(HangulJamo.lead(of: scalar)) }
        return String(leads)
    }
}
