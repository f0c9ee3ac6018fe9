/// What a search for a name looks for: ranges of ``NameKeys``, and which of the keys in them fit.
///
/// A query with a consonant that stands alone is compared with the name from its beginning: each such consonant fits any
/// syllable that begins with it. Any other query fits the beginning of the name or of one of its words. The last syllable
/// may be one that is still being typed.
struct NamePattern: Sendable, Hashable {
    struct Range: Sendable, Hashable {
        /// Keys from here…
        let lower: String
        /// …up to, not including, this…
        let upper: String
        /// …that fit this pattern of SQLite's GLOB; `nil`: all of them.
        let pattern: String?
        /// Whether several keys of one name may lie in the range.
        let mayRepeat: Bool
    }

    /// Empty if no name can fit.
    let ranges: [Range]

    /// `nil` for a query that asks for nothing.
    init?(_ query: String) {
        let text = Array(NameText.folded(query).unicodeScalars.filter { !$0.properties.isWhitespace })
        guard let last = text.last else { return nil }
        // Three times what a name holds, which grows when it is folded; and no name holds control characters.
        guard text.count <= 3 * StudentRules.nameLimitCharacters, !text.contains(where: StudentRules.isControl) else {
            ranges = []
            return
        }
        if text.contains(where: { HangulJamo.consonants($0) != nil }) {
            ranges = [Self.initials(text)]
        } else {
            var head = String.UnicodeScalarView()
            head.append(contentsOf: text.dropLast())
            let end = HangulJamo.completions(of: last)
            ranges = ["N", "W"].map { kind in
                Range(
                    lower: "\(kind)\(head)\(end.lowerBound)", upper: "\(kind)\(head)\(end.upperBound)\(Self.highest)",
                    pattern: nil, mayRepeat: kind == "W")
            }
        }
    }

    private static let highest: Unicode.Scalar = "\u{10FFFF}"

    private static func initials(_ text: [Unicode.Scalar]) -> Range {
        var leads = "I"
        var pattern = "I*\u{1}"
        var isExact = true
        for (index, scalar) in text.enumerated() {
            if let consonants = HangulJamo.consonants(scalar) {
                for consonant in consonants {
                    leads.unicodeScalars.append(consonant)
                    let syllables = HangulJamo.syllables(ofLead: consonant)
                    pattern += "[\(consonant)" + (syllables.map { "\($0.lowerBound)-\($0.upperBound)" } ?? "") + "]"
                }
            } else {
                isExact = false
                leads.unicodeScalars.append(HangulJamo.lead(of: scalar))
                let ends = index == text.count - 1 ? HangulJamo.completions(of: scalar) : scalar...scalar
                if ends.lowerBound < ends.upperBound {
                    pattern += "[\(ends.lowerBound)-\(ends.upperBound)]"
                } else {
                    pattern += "*?[".unicodeScalars.contains(scalar) ? "[\(scalar)]" : "\(scalar)"
                }
            }
        }
        // Consonants alone say all that the keys are in order of.
        return Range(
            lower: leads, upper: "\(leads)\(highest)", pattern: isExact ? nil : pattern + "*", mayRepeat: false)
    }
}
