internal import CMicroHTTPD
internal import Glibc
internal import HalcyonStore
internal import Synchronization

/// Which key a target with a negotiated variant led to for which `Accept` field, so that a hit parses nothing. Few
/// fields are remembered, as browsers send few; any other is read anew each time.
final class AcceptedKeys: Sendable {
    private static let limit = 8
    private static let maximumFieldBytes = 512

    private let choices: Mutex<[(field: [UInt8], key: CacheKey)]>

    init(_ field: String, _ key: CacheKey) { choices = Mutex([(Array(field.utf8), key)]) }

    static func isRememberable(_ field: String) -> Bool { field.utf8.count <= maximumFieldBytes }

    private init(_ choices: [(field: [UInt8], key: CacheKey)]) { self.choices = Mutex(choices) }

    func copy() -> AcceptedKeys { AcceptedKeys(choices.withLock { $0 }) }

    func add(_ other: AcceptedKeys) {
        let added = other.choices.withLock { $0 }
        choices.withLock { choices in
            for choice in added {
                choices.removeAll { $0.field == choice.field }
                if choices.count >= Self.limit { choices.removeFirst() }
                choices.append(choice)
            }
        }
    }

    /// For the field of the request at hand, which must have one line at most; no field is an empty one.
    func key(for handle: OpaquePointer) -> CacheKey? {
        let field = MHD_lookup_connection_value(handle, .HEADER_KIND, "Accept")
        let count = field.map(strlen) ?? 0
        return choices.withLock { choices in
            for choice in choices where choice.field.count == count {
                let isSame = choice.field.withUnsafeBytes { remembered in
                    guard let start = remembered.baseAddress, let field else { return count == 0 }
                    return memcmp(start, field, count) == 0
                }
                if isSame { return choice.key }
            }
            return nil
        }
    }
}
