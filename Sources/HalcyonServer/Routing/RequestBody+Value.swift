extension RequestBody.Value: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = Self.read(Bool.self, container) {
            self = .flag(flag)
        } else if let number = Self.number(container) {
            self = .number(number)
        } else if let text = Self.read(String.self, container) {
            self = .text(text)
        } else if let list = Self.read([Self].self, container) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: Self].self))
        }
    }

    /// A type that does not fit is no error here: the next one is tried.
    private static func read<T: Decodable>(_ type: T.Type, _ container: any SingleValueDecodingContainer) -> T? {
        do { return try container.decode(type) } catch { return nil }
    }

    /// A number that no `Double` holds is one all the same: it is infinite, and out of every range. Foundation says so by an
    /// error of its own, not by one of decoding.
    private static func number(_ container: any SingleValueDecodingContainer) -> Double? {
        do { return try container.decode(Double.self) } catch { return error is DecodingError ? nil : .infinity }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let members): try container.encode(members)
        }
    }
}
