internal import Halcyon
internal import HalcyonCrypto
internal import HalcyonImage
internal import HalcyonServer

extension Settings {
    /// The server that the options describe. Reads the files that they name.
    func serverConfiguration() throws -> ServerConfiguration {
        var listener = ListenerConfiguration(address: try ListenAddress(self[Options.listen]))
        listener.certificatePath = self[Options.tlsCertificate]
        listener.keyPath = self[Options.tlsKey]
        guard (listener.certificatePath == nil) == (listener.keyPath == nil) else {
            throw UsageError("--tls-cert and --tls-key: give both or neither")
        }
        listener.maximumConnections = self[Options.maxConnections]
        listener.maximumConnectionsPerAddress = self[Options.maxConnectionsPerAddress]
        listener.idleSeconds = max(1, Int(self[Options.idleTimeout].inSeconds.rounded(.up)))
        var configuration = ServerConfiguration(
            listener: listener, placeholder: try placeholder(), mediaFolder: mediaFolder)
        configuration.isOpen = self[Options.open]
        configuration.signingKeys = try signingKeys()
        configuration.clientSeconds = Int(self[Options.photoMaxAge].inSeconds)
        configuration.readinessDelay = self[Options.readyDelay]
        let base = self[Options.publicURL] ?? ""
        switch self[Options.photoURLs] {
        case .direct: configuration.photoURLs = .direct(base: base)
        case .proxied: configuration.photoURLs = .proxied(base: base)
        }
        configuration.stopGrace = self[Options.shutdownGrace]
        configuration.mounts = try mounts()
        return configuration
    }

    private func mounts() throws(UsageError) -> [Mount] {
        var mounts = self[Options.mount]
        for (index, mount) in mounts.enumerated() where mounts[..<index].contains(where: { $0.path == mount.path }) {
            throw UsageError("--mount: \(mount.path) is given twice")
        }
        for rule in self[Options.mountPolicy] {
            guard let index = mounts.firstIndex(where: { $0.path == rule.path }) else {
                throw UsageError("--mount-policy: there is no --mount of \(rule.path)")
            }
            rule.apply(to: &mounts[index].policy)
        }
        for mount in mounts {
            guard let segment = Server.segmentInTheWay(of: mount) else { continue }
            throw UsageError("--mount: /\(segment) is a path of Halcyon's own; choose another for \(mount.path)")
        }
        return mounts
    }

    private func placeholder() throws -> PlaceholderPolicy {
        guard let path = self[Options.placeholder], path != "initials" else {
            return PlaceholderPolicy(
                image: ImagePlaceholder(bytes: try Rendering.silhouette(), contentType: ImageFormat.png.contentType),
                drawing: self[Options.placeholder] == nil ? .silhouette : .initials)
        }
        do throws(DrawingError) {
            let image = try Placeholder.file(path)
            return PlaceholderPolicy(
                image: ImagePlaceholder(bytes: image.bytes, contentType: image.info.format.contentType))
        } catch {
            throw UsageError("--placeholder: \(error)")
        }
    }

    /// The keys of signed URLs: from the file that `--sign-keys` names, or from the variable itself. `nil` without any.
    func signingKeys() throws(UsageError) -> SigningKeyring? {
        guard let text = self[Options.signKeys] else { return nil }
        if source(of: Options.signKeys.spec) == .environment {
            do throws(CryptoError) {
                return try SigningKeyring(parsing: text.split(whereSeparator: \.isWhitespace).joined(separator: "\n"))
            } catch {
                // No keys, so the name of a file that has them.
            }
        }
        do throws(CryptoError) {
            return try SigningKeyring.read(contentsOf: text)
        } catch {
            throw UsageError("--sign-keys: \(error)")
        }
    }
}
