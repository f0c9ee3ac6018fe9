import Foundation
import HalcyonCrypto
import HalcyonRecords
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// CONTRACT.md, "Who may do what".
@Suite(.timeLimit(.minutes(1)))
struct AccessTests {
    /// One user of each role, past the slow hashing of passwords.
    static func users(_ records: RecordStore) async throws -> [UserRole: User] {
        var users: [UserRole: User] = [:]
        for role in UserRole.allCases.reversed() {
            users[role] = try await records.addUser(
                email: "\(role.rawValue)@school.example", password: "correct horse 1", userName: role.rawValue,
                role: role)
        }
        return users
    }

    static func token(_ user: User?, _ records: RecordStore) async throws -> String {
        try await records.issueToken(userID: #require(user).id).token
    }

    /// Not one route is left out: the table is the server's own.
    @Test func everyRouteAsksForItsRoleAndNoMore() async throws {
        try await ServiceHarness.run { service in
            let users = try await Self.users(service.records)
            for route in service.server.routes {
                // Ids that nothing has, and bodies that no handler takes: only who is asking decides.
                let target = route.path.replacing(/\{[^}]*\}/, with: "999999")
                let method = route.methods.contains("HEAD") ? "HEAD" : route.methods[0]
                let anonymous = try await service.get(target, method: method)
                switch route.access {
                case .anyone: #expect(![401, 403].contains(anonymous.status) || target.contains("images"), "\(target)")
                case .signedIn, .role: #expect(anonymous.status == 401, "\(method) \(target)")
                }
                for (role, user) in users {
                    // A token of its own for each request: some routes end the one they are given.
                    let token = try await Self.token(user, service.records)
                    let response = try await service.get(
                        target, [("Authorization", "Bearer \(token)")], method: method)
                    let isRefused = response.status == 403 || response.status == 401
                    switch route.access {
                    case .anyone: break
                    case .signedIn: #expect(!isRefused, "\(method) \(target) as \(role)")
                    case .role(let needed):
                        #expect(response.status == 403 || role >= needed, "\(method) \(target) as \(role)")
                        #expect(!isRefused || role < needed, "\(method) \(target) as \(role)")
                    }
                }
            }
        }
    }

    /// As the contract has it: what each role reads and writes.
    @Test(arguments: [
        ("GET", "/students", UserRole.viewer), ("GET", "/students/{id}/photo", .viewer), ("GET", "/images", .viewer),
        ("GET", "/guidances", .staff), ("POST", "/guidances", .staff), ("DELETE", "/guidances/{id}", .staff),
        ("GET", "/noticeBoards/{clubID}", .staff), ("POST", "/noticeBoards/{clubID}", .staff),
        ("GET", "/metrics", .admin), ("POST", "/cache/purge", .admin), ("POST", "/cache/prefetch", .admin),
    ])
    func theTableSaysWhatTheContractSays(method: String, path: String, role: UserRole) async throws {
        try await ServiceHarness.run { service in
            let route = service.server.routes.first { $0.path == path && $0.methods.contains(method) }
            #expect(route?.access == .role(role))
        }
    }

    @Test func withoutUsersLoopbackIsOpen() async throws {
        try await ServiceHarness.run { (service) async throws in
            #expect(try await service.get("/students").status == 200)
            #expect(try await service.get("/metrics").status == 200)
            // A token that has gone bad does no harm where none is needed.
            #expect(try await service.get("/students", [("Authorization", "Bearer x")]).status == 200)
        }
    }

    @Test func theFirstSignUpClosesTheDoorBehindIt() async throws {
        try await ServiceHarness.run { service in
            let body = #"{"email":"a@school.example","password":"correct horse 1","userName":"A"}"#
            let answer = try await service.post("/users/signup", body)
            let token = try #require((answer.json["data"] as? [String: Any])?["token"] as? String)
            let refused = try await service.get("/students")
            #expect(refused.status == 401)
            #expect(refused.code == 4010)
            #expect(refused["WWW-Authenticate"] == "Bearer")
            #expect(try await service.get("/metrics", [("Authorization", "Bearer \(token)")]).status == 200)
            // RFC 9110 §11.1: the scheme is case-insensitive. OLD-CLIENTS.md D: a field of its own.
            #expect(try await service.get("/metrics", [("authorization", "bearer \(token)")]).status == 200)
            #expect(try await service.get("/metrics", [("token", token)]).status == 200)
            let invalid = try await service.get("/students", [("Authorization", "Bearer \(token)x")])
            #expect(invalid.status == 401)
            #expect(invalid["WWW-Authenticate"] == #"Bearer error="invalid_token""#)
            #expect(try await service.get("/students", [("Authorization", "Basic \(token)")]).status == 401)
            #expect(try await service.get("/students?token=\(token)").status == 401)
        }
    }

    @Test func openLetsOldAppsDoWhatStaffMay() async throws {
        var adjustments = ServiceHarness.Adjustments()
        adjustments.server = { $0.isOpen = true }
        try await ServiceHarness.run(adjustments) { service in
            let users = try await Self.users(service.records)
            #expect(try await service.get("/guidances").status == 200)
            #expect(try await service.get("/metrics").status == 401)
            let token = try await Self.token(users[.viewer], service.records)
            // Whoever signs in loses nothing by it.
            #expect(try await service.get("/guidances", [("token", token)]).status == 200)
            #expect(try await service.get("/metrics", [("token", token)]).status == 403)
        }
    }

    /// The photo lies in memory: the answer comes from the I/O thread, which knows tokens but no database.
    @Test func aHitAsksForATokenToo() async throws {
        try await ServiceHarness.run { service in
            service.serve("/a.png")
            let id = try await service.student(photo: "/a.png")
            let target = "/students/\(id)/photo"
            #expect(try await service.get(target).status == 200)
            let users = try await Self.users(service.records)
            #expect(try await service.get(target).status == 401)
            let token = try await Self.token(users[.viewer], service.records)
            for _ in 1...3 {
                #expect(try await service.get(target, [("Authorization", "Bearer \(token)")]).status == 200)
            }
            try await service.records.removeToken(token)
            #expect(try await service.get(target, [("Authorization", "Bearer \(token)")]).status == 401)
        }
    }

    @Test func aTokenEndsInTime() async throws {
        try await ServiceHarness.run { service in
            let users = try await Self.users(service.records)
            let token = try await service.records.issueToken(
                userID: #require(users[.viewer]).id, lifetime: 60, now: service.clock.now
            ).token
            #expect(try await service.get("/students", [("token", token)]).status == 200)
            service.clock.advance(by: 61)
            #expect(try await service.get("/students", [("token", token)]).status == 401)
        }
    }

    @Test func aRoleThatWasLoweredCountsAtOnce() async throws {
        try await ServiceHarness.run { service in
            let users = try await Self.users(service.records)
            let token = try await Self.token(users[.staff], service.records)
            #expect(try await service.get("/guidances", [("token", token)]).status == 200)
            try await service.records.updateUser(id: #require(users[.staff]).id, role: .viewer)
            #expect(try await service.get("/guidances", [("token", token)]).status == 403)
        }
    }
}
