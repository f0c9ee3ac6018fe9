internal import HalcyonClient

extension Remote {
    @Sendable static func listUsers(_ invocation: Invocation, _ halcyon: HalcyonProvider) async throws {
        invocation.show(
            try await users(halcyon).map {
                UserRow(id: $0.id, email: $0.email, userName: $0.userName, role: $0.role.rawValue)
            })
    }

    @Sendable static func removeUser(_ invocation: Invocation, _ halcyon: HalcyonProvider) async throws {
        let user = try await user(invocation, halcyon)
        _ = try await halcyon.request(HalcyonEndpoint.removePerson(id: user.id), as: NoContent.self).get()
        invocation.console.print("removed \(Shown.text(user.email))")
    }

    @Sendable static func setRole(_ invocation: Invocation, _ halcyon: HalcyonProvider) async throws {
        guard let role = Person.Role(rawValue: try invocation.role()) else { return }
        let user = try await user(invocation, halcyon)
        let change = HalcyonEndpoint.changePerson(id: user.id, role: role)
        let changed = try await halcyon.request(change, as: Person.self).get()
        invocation.console.print(Shown.text("\(changed.email) is \(changed.role.rawValue)"))
    }

    private static func users(_ halcyon: HalcyonProvider) async throws -> [Person] {
        try await halcyon.request(HalcyonEndpoint.people).get()
    }

    private static func user(_ invocation: Invocation, _ halcyon: HalcyonProvider) async throws -> Person {
        let email = invocation.operands[0].lowercased()
        guard let user = try await users(halcyon).first(where: { $0.email == email }) else {
            throw CommandFailure("there is no account \(email)")
        }
        return user
    }
}
