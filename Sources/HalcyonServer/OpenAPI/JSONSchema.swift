/// What a JSON value may be, in the vocabulary of JSON Schema 2020-12 as far as our routes need it.
indirect enum JSONSchema: Sendable {
    struct Property: Sendable {
        let name: String
        let schema: JSONSchema
        let isRequired: Bool

        static func required(_ name: String, _ schema: JSONSchema) -> Property {
            Property(name: name, schema: schema, isRequired: true)
        }

        static func optional(_ name: String, _ schema: JSONSchema) -> Property {
            Property(name: name, schema: schema, isRequired: false)
        }
    }

    case anything
    case null
    case flag
    case number
    case integer(ClosedRange<Int>? = nil)
    /// Unicode characters.
    case text(length: ClosedRange<Int>? = nil, format: String? = nil, pattern: String? = nil)
    case choice([String])
    case constant(String)
    case list(JSONSchema, count: ClosedRange<Int>? = nil)
    /// - Parameter isClosed: whether it may have these members alone.
    case object([Property], isClosed: Bool = false)
    /// An object of values of one kind.
    case map(JSONSchema)
    /// One of the document's named schemas.
    case named(String)
    case either([JSONSchema])

    /// A key of the older clients' database, as club ids are.
    static let key = JSONSchema.text(length: 1...128, pattern: #"^[^.#$\[\]/\u0000-\u001F\u007F-\u009F]+$"#)

    static func optional(_ schema: JSONSchema) -> JSONSchema { .either([schema, .null]) }

    var takesNull: Bool {
        switch self {
        case .anything, .null: true
        case .either(let schemas): schemas.contains(where: \.takesNull)
        default: false
        }
    }

    /// A whole number, or the same as a text of digits, as older clients send it.
    static func numeric(_ range: ClosedRange<Int>) -> JSONSchema {
        .either([.integer(range), .text(pattern: "^[1-9][0-9]{0,\(String(range.upperBound).count - 1)}$")])
    }
}

extension JSONSchema: Encodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        func set(_ name: String, _ value: some Encodable) throws { try container.encode(value, forKey: Key(name)) }
        switch self {
        case .anything: break
        case .null: try set("type", "null")
        case .flag: try set("type", "boolean")
        case .number: try set("type", "number")
        case .integer(let range):
            try set("type", "integer")
            if let range {
                try set("minimum", range.lowerBound)
                try set("maximum", range.upperBound)
            }
        case .text(let length, let format, let pattern):
            try set("type", "string")
            if let length {
                try set("minLength", length.lowerBound)
                try set("maxLength", length.upperBound)
            }
            if let format { try set("format", format) }
            if let pattern { try set("pattern", pattern) }
        case .choice(let values):
            try set("type", "string")
            try set("enum", values)
        case .constant(let value): try set("const", value)
        case .list(let items, let count):
            try set("type", "array")
            try set("items", items)
            if let count {
                try set("minItems", count.lowerBound)
                try set("maxItems", count.upperBound)
            }
        case .object(let properties, let isClosed):
            if isClosed { try set("additionalProperties", false) }
            try set("type", "object")
            try set(
                "properties",
                Dictionary(properties.map { ($0.name, $0.schema) }, uniquingKeysWith: { first, _ in first }))
            let required = properties.filter(\.isRequired).map(\.name)
            if !required.isEmpty { try set("required", required) }
        case .map(let values):
            try set("type", "object")
            try set("additionalProperties", values)
        case .named(let name): try set("$ref", "#/components/schemas/\(name)")
        case .either(let schemas): try set("anyOf", schemas)
        }
    }
}
