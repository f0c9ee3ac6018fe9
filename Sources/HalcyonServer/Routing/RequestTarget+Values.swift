extension RequestTarget {
    /// The value of an item that may be given once; `nil` if it is not there.
    func single(_ name: String) throws(Problem) -> String? {
        let values = values(of: name)
        guard values.count < 2 else { throw .notAllowed(name, "accepted once") }
        return values.first
    }

    /// A whole number from the query; `nil` if it is not there.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = try single(name) else { return nil }
        return try Self.number(text, name, in: range)
    }

    static func number(_ text: String, _ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int {
        let accepted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard !digits.isEmpty, digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
            throw .wrongType(name, accepted: accepted)
        }
        guard let number = Int(text), range.contains(number) else { throw .outOfRange(name, accepted: accepted) }
        return number
    }

    /// A word of a closed list from the query; `nil` if it is not there.
    func choice<Word: ClosedList>(_ name: String, _ type: Word.Type = Word.self) throws(Problem) -> Word? {
        try single(name).map { (text) throws(Problem) in try Word(text, name) }
    }

    /// The same of a list that has no type of its own.
    func choice(_ name: String, of words: [String]) throws(Problem) -> String? {
        guard let text = try single(name) else { return nil }
        guard words.contains(text) else { throw .outOfRange(name, accepted: words.joined(separator: ", ")) }
        return text
    }
}

/// Words that a field of a request may hold.
typealias ClosedList = RawRepresentable<String> & CaseIterable

extension RawRepresentable where Self: CaseIterable, RawValue == String {
    /// - Throws: 400 with all the words, for one that is none of them.
    init(_ text: String, _ field: String) throws(Problem) {
        guard let word = Self(rawValue: text) else {
            throw .outOfRange(field, accepted: Self.allCases.map(\.rawValue).joined(separator: ", "))
        }
        self = word
    }
}
