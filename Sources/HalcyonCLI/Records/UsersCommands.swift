internal import HalcyonRecords

extension Command {
    static let usersAdd = Command(
        path: ["users", "add"], summary: "make an account", operands: "EMAIL", operandCount: 1...1,
        options: [Options.name.spec, Options.role.spec, Options.passwordFile.spec]
    ) { invocation in
        let email = invocation.operands[0]
        do throws(RecordError) {
            _ = try UserRules.email(email)
        } catch {
            throw UsageError("users add: \"\(Shown.text(email))\" is not accepted: \(error)")
        }
        let password = try invocation.password()
        let records = try invocation.records(creating: true)
        let role = invocation.settings[Options.role]
        if let role, role != .admin, try !records.hasUsersBlocking() {
            throw CommandFailure("the first user is an admin: leave out --role")
        }
        let user = try await records.addUser(
            email: email, password: password, userName: invocation.settings[Options.name] ?? email, role: role)
        invocation.console.print("\(user.email) is \(user.role.rawValue)")
        return .done
    }

    static let usersList = Command(
        path: ["users", "list"], summary: "list the accounts", options: [Options.json.spec]
    ) { invocation in
        let users = try await invocation.records().users()
        invocation.show(users.map { UserRow($0) })
        return .done
    }

    static let usersRemove = Command(
        path: ["users", "remove"], summary: "remove an account with its posts and end its tokens", operands: "EMAIL",
        operandCount: 1...1
    ) { invocation in
        let records = try invocation.records()
        let user = try await invocation.user(in: records)
        try await records.removeUser(id: user.id)
        invocation.console.print("removed \(user.email)")
        return .done
    }

    static let usersRole = Command(
        path: ["users", "role"], summary: "raise or lower what a user may do", operands: "EMAIL viewer|staff|admin",
        operandCount: 2...2, details: ["It holds at once, for tokens that have been given out too."]
    ) { invocation in
        let role = UserRole(rawValue: try invocation.role())
        let records = try invocation.records()
        let user = try await records.updateUser(id: try await invocation.user(in: records).id, role: role)
        invocation.console.print("\(user.email) is \(user.role.rawValue)")
        return .done
    }

    static let usersRevoke = Command(
        path: ["users", "revoke"], summary: "end every token of an account", operands: "EMAIL", operandCount: 1...1
    ) { invocation in
        let records = try invocation.records()
        let user = try await invocation.user(in: records)
        let count = try await records.removeTokens(userID: user.id)
        invocation.console.print("\(user.email): \(count) \(count == 1 ? "token" : "tokens") ended")
        return .done
    }

    static let usersPassword = Command(
        path: ["users", "password"], summary: "set a password and end the tokens given out under the old one",
        operands: "EMAIL", operandCount: 1...1, options: [Options.passwordFile.spec]
    ) { invocation in
        let records = try invocation.records()
        let user = try await invocation.user(in: records)
        try await records.setPassword(try invocation.password(), userID: user.id)
        return .done
    }

    static let usersToken = Command(
        path: ["users", "token"], summary: "print a token for Authorization: Bearer", operands: "EMAIL",
        operandCount: 1...1, options: [Options.validFor.spec],
        details: [
            "It is shown this once. It is good for 30 days unless --valid-for says otherwise, and ends with the others of the "
                + "account: by a new password, by halcyon users revoke, or when the account has 20 that are good for longer."
        ]
    ) { invocation in
        let records = try invocation.records()
        let user = try await invocation.user(in: records)
        let lifetime = invocation.settings[Options.validFor]?.inSeconds ?? RecordStore.tokenLifetime
        invocation.console.print(try await records.issueToken(userID: user.id, lifetime: lifetime).token)
        return .done
    }
}

extension Invocation {
    /// The account that the first operand names.
    fileprivate func user(in records: RecordStore) async throws -> User {
        let email = operands[0].lowercased()
        guard let user = try await records.users().first(where: { $0.email == email }) else {
            throw CommandFailure("there is no account \(email)")
        }
        return user
    }

    /// The role that the second operand names.
    func role() throws(UsageError) -> String {
        guard let role = UserRole(rawValue: operands[1]) else {
            throw UsageError(
                "users role: \"\(Shown.value(operands[1]))\" is not accepted: expected "
                    + UserRole.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return role.rawValue
    }

    fileprivate func password() throws -> String {
        guard let path = settings[Options.passwordFile] else { return try PasswordPrompt.read() }
        return try line(ofFile: path, option: "--password-file")
    }

    /// The first line of a file that holds a secret.
    func line(ofFile path: String, option: String) throws -> String {
        let bytes: [UInt8]
        do throws(CommandFailure) {
            bytes = TextFile.withoutMark(try FileBytes.read(path, what: option, limit: 4096))
        } catch {
            // The path may be the secret given in its place.
            throw CommandFailure("\(option): the file cannot be read")
        }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    }
}
