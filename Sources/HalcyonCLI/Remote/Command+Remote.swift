internal import HalcyonClient

/// The commands on a server's records.
enum Remote {
    typealias Action = @Sendable (Invocation, HalcyonProvider) async throws -> Void

    private static let actions: [String: Action] = [
        "students list": listStudents, "students show": showStudent, "students add": addStudent,
        "students edit": editStudent, "students remove": removeStudent, "guidances list": listGuidances,
        "guidances add": addGuidance, "guidances remove": removeGuidance, "guidances restore": restoreGuidance,
        "notices list": listNotices, "notices add": addNotice, "notices edit": editNotice,
        "notices remove": removeNotice, "users list": listUsers, "users role": setRole, "users remove": removeUser,
    ]

    /// The command as it is, or with the options of a server.
    static func extended(_ command: Command) -> Command {
        actions[command.name].map { command.orOnServer($0) } ?? command
    }
}

extension Command {
    /// The same command, which with `--server` works on the records of a running service.
    fileprivate func orOnServer(_ remote: @escaping Remote.Action) -> Command {
        let local = run
        var command = self
        command.options += Options.remote
        command.run = { invocation in
            guard let provider = try invocation.provider() else { return try await local(invocation) }
            do {
                try await remote(invocation, provider)
            } catch let failure as RequestFailure {
                await provider.shutDown()
                throw failure.told(of: provider)
            }
            await provider.shutDown()
            return .done
        }
        return command
    }
}

extension Invocation {
    /// The service that `--server` names; `nil` without it.
    fileprivate func provider() throws -> HalcyonProvider? {
        guard let server = settings[Options.server] else {
            for spec in [Options.token.spec, Options.tokenFile.spec, Options.insecureHTTP.spec]
            where settings.source(of: spec) == .flag {
                throw UsageError("\(command.name): --\(spec.flag) is accepted together with --server")
            }
            return nil
        }
        var configuration = HalcyonClientConfiguration()
        configuration.timeout = settings[Options.timeout]
        configuration.connectTimeout = settings[Options.connectTimeout]
        configuration.retries = settings[Options.retries]
        configuration.caFile = settings[Options.caFile]
        configuration.allowsInsecureHTTP = settings[Options.insecureHTTP]
        let token = try token()
        do throws(HalcyonClientProblem) {
            return try HalcyonProvider(baseURL: server, token: token, configuration: configuration)
        } catch .invalidToken {
            throw UsageError("--token: expected \(Options.token.spec.accepted)")
        } catch let error {
            guard case .insecure = error else { throw UsageError("--server: \(error)") }
            throw UsageError("--server: \(error), or say --insecure-http")
        }
    }

    /// The file comes before the environment, a flag before both.
    private func token() throws -> Secret? {
        if [Options.token.spec, Options.tokenFile.spec].allSatisfy({ settings.source(of: $0) == .flag }) {
            throw UsageError("\(command.name): --token and --token-file exclude each other")
        }
        guard settings.source(of: Options.token.spec) != .flag, let path = settings[Options.tokenFile] else {
            return settings[Options.token].map { Secret($0) }
        }
        return Secret(try line(ofFile: path, option: "--token-file"))
    }
}

extension RequestFailure {
    /// As a command fails: with the words of the service, or with its address if there were none.
    fileprivate func told(of provider: HalcyonProvider) -> any Error {
        switch self {
        case .refused(let refusal) where refusal.status == 400: UsageError(refusal.message)
        case .refused(let refusal): CommandFailure(refusal.message)
        case .network(let failure) where failure.kind == .cancelled: CancellationError()
        case .network, .notUnderstood, .server: CommandFailure("\(provider.address): \(self)")
        }
    }
}
