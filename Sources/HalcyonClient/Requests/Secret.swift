/// A token or a password: printed, dumped and described as `…`, so that no log has it by accident.
public struct Secret: Sendable, Hashable, ExpressibleByStringLiteral, Codable {
    /// The text itself, for where it is needed.
    public let revealed: String

    public init(_ text: String) { revealed = text }

    public init(stringLiteral text: String) { revealed = text }

    public init(from decoder: any Decoder) throws {
        revealed = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(revealed)
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "…" }
    public var debugDescription: String { "…" }
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
