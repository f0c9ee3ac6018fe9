internal import HalcyonHTTP

/// Texts from outside, as they may stand in messages.
enum Shown {
    /// Control characters as escapes, so that no text steers the terminal or begins a line of its own.
    static func text(_ text: some StringProtocol) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return String(text) }
        return text.unicodeScalars.reduce(into: "") { shown, scalar in
            if isUnsafe(scalar) {
                shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
    }

    /// The same of a message of several lines.
    static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(Self.text).joined(separator: "\n")
    }

    /// A refused value: whatever it should have been, a URL is shown as one.
    static func value(_ text: String) -> String {
        guard text.contains("://") else { return self.text(text) }
        let shown = url(text)
        // That there was a query may be why it was refused.
        return text.contains("?") && !shown.hasPrefix("(") ? shown + "?…" : shown
    }

    /// A URL without user, password, query and fragment. Of what cannot be read as a URL nothing is shown that might hold
    /// one of these.
    static func url(_ text: String) -> String {
        if let url = canonical(text) { return String(url.text.prefix { $0 != "?" }) }
        if let start = text.firstRange(of: "://")?.upperBound {
            let authority = text[start...].prefix { !"/?#\\".contains($0) }
            if let at = authority.lastIndex(of: "@"),
                let url = canonical(text[..<start] + text[text.index(after: at)...])
            {
                return url.text.prefix { $0 != "?" }.split(separator: "://", maxSplits: 1).joined(separator: "://…@")
            }
        }
        guard !text.contains(where: { "@?#".contains($0) }) else {
            return "(no URL: \(text.utf8.count) bytes, not shown)"
        }
        return Self.text(text.prefix(200))
    }

    private static func canonical(_ text: some StringProtocol) -> CanonicalURL? {
        do throws(URLProblem) { return try CanonicalURL(String(text)) } catch { return nil }
    }

    /// Control characters, and those that reorder the text around them.
    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || (0x2028...0x202E).contains(scalar.value)
            || (0x2066...0x2069).contains(scalar.value)
    }
}

/// "1 photo", "2 photos".
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
