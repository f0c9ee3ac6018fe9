/// The arithmetic of Hangul syllables: Unicode Standard, §3.12 "Conjoining Jamo Behavior".
///
/// A syllable block is `base + (lead * 21 + vowel) * 28 + tail`, where tail 0 stands for none; so the syllables that begin
/// with a lead, or with a lead and a vowel, lie side by side.
enum HangulJamo {
    private static let base: UInt32 = 0xAC00
    private static let leadCount: UInt32 = 19
    private static let vowelCount: UInt32 = 21
    private static let tailCount: UInt32 = 28

    /// The leads in their order, as compatibility jamo, which is what keyboards send for a consonant alone.
    private static let leads = Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".unicodeScalars)

    /// Consonants that never begin a syllable. Input methods make them of two that were typed one after the other.
    private static let clusters: [Unicode.Scalar: [Unicode.Scalar]] = [
        "ㄳ": ["ㄱ", "ㅅ"], "ㄵ": ["ㄴ", "ㅈ"], "ㄶ": ["ㄴ", "ㅎ"], "ㄺ": ["ㄹ", "ㄱ"], "ㄻ": ["ㄹ", "ㅁ"], "ㄼ": ["ㄹ", "ㅂ"],
        "ㄽ": ["ㄹ", "ㅅ"], "ㄾ": ["ㄹ", "ㅌ"], "ㄿ": ["ㄹ", "ㅍ"], "ㅀ": ["ㄹ", "ㅎ"], "ㅄ": ["ㅂ", "ㅅ"],
    ]

    private static func isSyllable(_ scalar: Unicode.Scalar) -> Bool {
        (base..<base + leadCount * vowelCount * tailCount).contains(scalar.value)
    }

    /// The initial consonant of a syllable, as a compatibility jamo; any other character is its own.
    static func lead(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        isSyllable(scalar) ? leads[Int((scalar.value - base) / (vowelCount * tailCount))] : scalar
    }

    /// The consonants that a character of a query stands for, if it is one or two of them: of the compatibility block
    /// (U+3131…) or a conjoining lead (U+1100…).
    static func consonants(_ scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
        if (0x1100..<0x1100 + leadCount).contains(scalar.value) { return [leads[Int(scalar.value - 0x1100)]] }
        return leads.contains(scalar) ? [scalar] : clusters[scalar]
    }

    /// The syllables that begin with a consonant.
    static func syllables(ofLead consonant: Unicode.Scalar) -> ClosedRange<Unicode.Scalar>? {
        leads.firstIndex(of: consonant).flatMap { lead in
            let first = base + UInt32(lead) * vowelCount * tailCount
            return range(first, first + vowelCount * tailCount - 1)
        }
    }

    /// What an unfinished syllable may become while it is typed: 기 any of 기…깋, 고 also 과 and 광, 갈 also 갉. One that
    /// is whole, and any other character, is itself alone.
    static func completions(of scalar: Unicode.Scalar) -> ClosedRange<Unicode.Scalar> {
        guard isSyllable(scalar) else { return scalar...scalar }
        let index = scalar.value - base
        let tail = index % tailCount
        if tail > 0 {
            // ㄴ ㄹ ㅂ, which stand before the clusters that begin with them.
            let further: UInt32 =
                switch tail {
                case 4: 2
                case 8: 7
                case 17: 1
                default: 0
                }
            return range(scalar.value, scalar.value + further)
        }
        // ㅗ ㅜ ㅡ, which stand before the vowels that begin with them.
        let further: UInt32 =
            switch index / tailCount % vowelCount {
            case 8, 13: 3
            case 18: 1
            default: 0
            }
        return range(scalar.value, scalar.value + (further + 1) * tailCount - 1)
    }

    private static func range(_ first: UInt32, _ last: UInt32) -> ClosedRange<Unicode.Scalar> {
        (Unicode.Scalar(first) ?? "\u{AC00}")...(Unicode.Scalar(last) ?? "\u{D7A3}")
    }
}
