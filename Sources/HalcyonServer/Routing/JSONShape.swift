internal import Foundation

/// What is looked at in a JSON text before it is decoded: how deep it goes, and whether an object names a member twice.
/// RFC 8259 §4 leaves open which of the two counts; two programs that read it differently disagree about what was asked.
/// Whether the text is JSON at all is for the decoder to say.
struct JSONShape {
    static let maximumDepth = 64

    enum Finding: Error, Equatable {
        case tooDeep
        /// The way to the second one: names of members, and `[0]` for elements of lists.
        case repeated([String])
    }

    private struct Level {
        let isObject: Bool
        /// In an object: a text that comes now is a name.
        var isNameNext: Bool
        var names: Set<ArraySlice<UInt8>> = []
        /// The member that is being read.
        var name: ArraySlice<UInt8> = []
        /// The element that is being read.
        var index = 0

        var place: String { isObject ? String(decoding: name, as: UTF8.self) : "[\(index)]" }
    }

    static func check(_ text: [UInt8]) throws(Finding) {
        var levels: [Level] = []
        var index = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard levels.count < maximumDepth else { throw .tooDeep }
                let isObject = text[index] == UInt8(ascii: "{")
                levels.append(Level(isObject: isObject, isNameNext: isObject))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if !levels.isEmpty { levels.removeLast() }
            case UInt8(ascii: ","):
                if let last = levels.indices.last {
                    levels[last].isNameNext = levels[last].isObject
                    levels[last].index += 1
                }
            case UInt8(ascii: "\""):
                let end = endOfText(text, from: index + 1)
                if let last = levels.indices.last, levels[last].isNameNext {
                    levels[last].isNameNext = false
                    let name = unescaped(text[(index + 1)..<end])
                    levels[last].name = name
                    guard levels[last].names.insert(name).inserted else { throw .repeated(levels.map(\.place)) }
                }
                index = end
            default: break
            }
            index += 1
        }
    }

    /// Where the closing quote is, or the end of what there is.
    private static func endOfText(_ text: [UInt8], from start: Int) -> Int {
        var index = start
        while index < text.count, text[index] != UInt8(ascii: "\"") {
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index, text.count)
    }

    /// `"a"` is spelled in more than one way.
    private static func unescaped(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard name.contains(UInt8(ascii: "\\")) else { return name }
        do {
            return Array(try JSONDecoder().decode(String.self, from: Data([0x22] + name + [0x22])).utf8)[...]
        } catch {
            // No JSON text: the decoder will say so of the whole.
            return name
        }
    }
}
