/// Somebody who has just signed up or in.
public struct Account: Sendable, Hashable, Decodable {
    public let email: String
    public let userName: String
    /// For ``HalcyonProvider/use(token:)``.
    public let token: Secret
    /// ISO 8601.
    public let expiresAt: String
}

/// Somebody who can sign in, as an admin sees it.
public struct Person: Sendable, Hashable, Decodable, Identifiable {
    public enum Role: String, Sendable, Hashable, Codable, CaseIterable {
        case viewer, staff, admin
    }

    public let id: Int
    public let email: String
    public let userName: String
    public let role: Role
}
