internal import Foundation
internal import Halcyon
internal import HalcyonServer

extension Command {
    private static let servingOptions = [
        Options.listen.spec, Options.tlsCertificate.spec, Options.tlsKey.spec, Options.open.spec,
        Options.purgeEvery.spec, Options.purgeSchedule.spec, Options.signKeys.spec, Options.photoURLs.spec,
        Options.publicURL.spec, Options.maxConnections.spec, Options.maxConnectionsPerAddress.spec,
        Options.idleTimeout.spec,
        Options.shutdownGrace.spec, Options.readyDelay.spec, Options.photoMaxAge.spec, Options.mount.spec,
        Options.mountPolicy.spec,
    ]

    static let configCheck = Command(
        path: ["config", "check"], summary: "tell whether serve could run with this configuration",
        options: servingOptions,
        details: [
            "Reads what serve would read: the file, the environment, the options, and the files that they name. Opens no "
                + "port, no database (so it cannot tell whether there is an account yet) and no cache. Ends with 2 and the reason if something is wrong."
        ]
    ) { invocation in
        let settings = invocation.settings
        let server = try settings.serverConfiguration()
        _ = try settings.purgeSchedule()
        for path in [server.listener.certificatePath, server.listener.keyPath].compactMap({ $0 })
        where !FileManager.default.isReadableFile(atPath: path) {
            throw UsageError("the file \(Shown.value(path)) cannot be read")
        }
        let configuration = try settings.pipelineConfiguration()
        do throws(ImagePipeline.Error) {
            let pipeline = try ImagePipeline(configuration: configuration)
            await pipeline.shutDown()
        } catch {
            throw UsageError(error.description)
        }
        invocation.console.print("the configuration is good")
        return .done
    }

    static let serve = Command(
        path: ["serve"], summary: "serve photos and records over HTTP",
        options: servingOptions,
        details: [
            "SIGTERM and SIGINT let the answers in flight finish; a second SIGINT ends at once. SIGHUP reads the "
                + "configuration again."
        ],
        run: serve(_:)
    )
}

private func serve(_ invocation: Invocation) async throws -> ExitCode {
    invocation.warnOfReaders()
    return try await Service(invocation: invocation).run()
}
