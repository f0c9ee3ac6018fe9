/// The parts of a log line, in order. Names are ours; values must not hold query strings, tokens or pupils' names.
package struct LogFields: Sendable, ExpressibleByDictionaryLiteral {
    package enum Value: Sendable, Hashable {
        case text(String)
        case number(Int)
        case decimal(Double)
        case flag(Bool)
    }

    package var pairs: [(name: String, value: Value)]

    package init(dictionaryLiteral elements: (String, Value)...) {
        pairs = elements.map { ($0.0, $0.1) }
    }
}
