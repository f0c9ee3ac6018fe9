/// What an edit does to a field that may be empty.
public enum FieldChange<Value: Encodable & Sendable & Hashable>: Sendable, Hashable {
    /// It stays as it is: nothing is sent.
    case unchanged
    /// `null` is sent.
    case none
    case value(Value)
}

extension KeyedEncodingContainer {
    mutating func encode<Value>(_ change: FieldChange<Value>, forKey key: Key) throws {
        switch change {
        case .unchanged: return
        case .none: try encodeNil(forKey: key)
        case .value(let value): try encode(value, forKey: key)
        }
    }
}
