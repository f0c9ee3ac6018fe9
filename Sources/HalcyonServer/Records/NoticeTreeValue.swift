internal import Foundation
internal import HalcyonRecords

/// Notices as data of a tree.
extension RequestBody.Value {
    static func tree(of notice: Notice) -> Self {
        do {
            return try JSONDecoder().decode(Self.self, from: try JSONEncoder().encode(notice))
        } catch {
            // A notice is texts alone, which always encode.
            return .null
        }
    }

    /// What is under a name; `null` where nothing can be.
    func child(_ name: String) -> Self {
        switch self {
        case .object(let members): members[name] ?? .null
        // The keys of a list are its indexes.
        case .list(let elements): Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil } ?? .null
        default: .null
        }
    }

    var members: [String: Self] {
        if case .object(let members) = self { members } else { [:] }
    }
}
