/// Text in an SVG of ours.
enum DrawnText {
    /// Nanum is what `scripts/bootstrap` installs; the rest are what else may be there. The last is any that has the glyph.
    static let fonts =
        "NanumGothic, 'Noto Sans KR', 'Noto Sans CJK KR', 'Apple SD Gothic Neo', 'DejaVu Sans', sans-serif"

    /// Fit for an element's text and for an attribute; characters that XML 1.0 §2.2 forbids become U+FFFD.
    static func escaped(_ text: some StringProtocol) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Roughly, in widths of the font's em; rather too wide than too narrow.
    static func width(of text: some StringProtocol) -> Double {
        text.reduce(0) { $0 + width(of: $1) }
    }

    private static func width(of character: Character) -> Double {
        switch character {
        case _ where character.isSyllable: 0.94
        case "Ǆ", "Ǉ", "Ǌ", "Ǳ": 1.4
        case "W", "M", "w", "m", "@", "Ш", "Щ", "Ж", "Ю": 0.95
        case "i", "l", "j", "I", ".", ",", "'", "-", " ": 0.34
        default: character.isUppercase ? 0.72 : character.isLowercase || character.isNumber ? 0.58 : 1
        }
    }
}
