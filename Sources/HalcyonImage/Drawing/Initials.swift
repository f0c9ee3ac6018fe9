/// The letters that stand for a person without a photo.
package enum Initials {
    /// Of a Korean or Chinese name the last two syllables, which is the given name of most: a class has five Kims. Of other
    /// names the first letter of the first word and of the last. Empty if there is no letter.
    package static func of(_ name: String) -> String {
        let words = name.split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "-" }.filter {
            $0.first?.isLetter == true
        }
        guard let first = words.first, let last = words.last else { return "" }
        if last.allSatisfy(\.isSyllable) { return String(last.suffix(2)) }
        let letters = words.count == 1 ? [first.first] : [first.first, last.first]
        // Of a letter that has two for its capital, such as ß, the first.
        return letters.compactMap { $0?.uppercased().first.map { String($0) } }.joined()
    }
}

extension Character {
    /// Hangul syllables, and Han characters, which stand for one each; what is set at full width.
    var isSyllable: Bool {
        guard let scalar = unicodeScalars.first else { return false }
        return switch scalar.value {
        case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7AF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF: true
        default: false
        }
    }
}
