extension Command {
    static let serve = Command(
        path: ["serve"], summary: "serve photos and records over HTTP",
        options: [
            Options.listen.spec, Options.tlsCertificate.spec, Options.tlsKey.spec, Options.open.spec,
            Options.purgeEvery.spec, Options.purgeSchedule.spec, Options.signKeys.spec, Options.photoURLs.spec,
            Options.publicURL.spec, Options.maxConnections.spec, Options.maxConnectionsPerAddress.spec,
            Options.idleTimeout.spec,
            Options.shutdownGrace.spec, Options.readyDelay.spec, Options.photoMaxAge.spec, Options.mount.spec,
            Options.mountPolicy.spec,
        ],
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
