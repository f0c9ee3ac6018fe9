#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Reads since the index was last told of them, so that no hit writes.
struct AccessLog {
    struct Expiry {
        /// `nil` for never.
        let date: Date?
    }

    struct Access {
        var at: Date
        let name: ObjectName
        var expiry: Expiry?
    }

    private(set) var accesses: [Int: Access] = [:]

    mutating func note(_ id: Int, _ name: ObjectName, at now: Date, expiry: Expiry?) {
        if accesses[id]?.name == name, expiry == nil {
            accesses[id]?.at = now
        } else {
            accesses[id] = Access(at: now, name: name, expiry: expiry)
        }
    }

    func expiry(of id: Int, _ name: ObjectName) -> Expiry? {
        accesses[id].flatMap { $0.name == name ? $0.expiry : nil }
    }

    mutating func take() -> [Int: Access] {
        defer { accesses = [:] }
        return accesses
    }
}
