internal import Halcyon
internal import HalcyonHTTP

extension Settings {
    /// The pipeline that the options describe.
    ///
    /// - Throws: ``UsageError`` for a secret that cannot be read.
    func pipelineConfiguration() throws(UsageError) -> ImagePipeline.Configuration {
        ImagePipeline.Configuration(
            origins: try allowedOrigins(),
            redirectHosts: self[Options.allowRedirectTo],
            cacheFolder: self[Options.cacheDirectory],
            memory: .init(
                limitBytes: self[Options.memoryLimit], expiration: self[Options.memoryExpiry],
                accessExtension: self[Options.memoryExtension]),
            disk: .init(
                limitBytes: self[Options.diskLimit], expiration: self[Options.diskExpiry],
                accessExtension: self[Options.diskExtension], sweepInterval: self[Options.sweepEvery]),
            fetch: .init(
                connectTimeout: self[Options.connectTimeout], timeout: self[Options.timeout],
                retries: self[Options.retries], maximumPerHost: self[Options.perHost],
                maximumConcurrent: self[Options.maxTransfers], maximumRedirects: self[Options.maxRedirects],
                certificateAuthorities: self[Options.caFile],
                usesEnvironmentProxies: self[Options.environmentProxies]),
            limits: .init(
                maximumImageBytes: self[Options.maxImageBytes], maximumPixels: self[Options.maxPixels],
                allowsSVG: self[Options.allowSVG]),
            rendering: .init(lanes: self[Options.renderingLanes], isIsolated: Rendering.isIsolated),
            staleIfError: self[Options.staleIfError],
            staleWhileRevalidate: self[Options.staleWhileRevalidate],
            negativeExpiration: self[Options.negativeExpiry]
        )
    }

    /// `origins` of the file and `--allow-origin` together; if both name a host, their ranges are joined.
    func allowedOrigins() throws(UsageError) -> [Origin] {
        var allowed: [Origin] = []
        for (index, entry) in origins.enumerated() {
            allowed.append(try entry.origin(environment: environment, place: "origins[\(index)]"))
        }
        for text in self[Options.allowOrigin] {
            let sides = text.split(separator: "=", maxSplits: 1).map(String.init)
            let ranges = sides.count > 1 ? sides[1].split(separator: ",").map(String.init) : []
            if let known = allowed.firstIndex(where: { $0.host.lowercased() == sides[0].lowercased() }) {
                allowed[known].addresses += ranges
            } else {
                allowed.append(Origin(host: sides[0], addresses: ranges))
            }
        }
        return allowed
    }

    /// The allow-list alone, for telling what is missing from it.
    func originPolicy() throws(UsageError) -> OriginPolicy {
        var rules: [OriginRule] = []
        for text in origins.map(\.ruleText) + self[Options.allowOrigin] {
            do throws(OriginRuleProblem) {
                rules.append(try OriginRule(text))
            } catch {
                throw UsageError("origins: \(error)")
            }
        }
        return OriginPolicy(rules: rules)
    }
}

extension OriginPolicy {
    /// The option that would allow the URL's host, as the policy itself words it: `--allow-origin photos.school.example`.
    /// `nil` if nothing is missing, or if the URL cannot be read.
    func missingOption(for text: String) -> String? {
        do {
            _ = try check(CanonicalURL(text), isRedirect: false)
            return nil
        } catch FetchError.refused(.hostNotAllowed, let hint) {
            return hint
        } catch {
            return nil
        }
    }
}

extension OriginEntry {
    fileprivate func origin(environment: [String: String], place: String) throws(UsageError) -> Origin {
        var fields: [String: String] = [:]
        for (name, secret) in headers {
            fields[name] = try secret.resolved(environment: environment, place: "\(place).headers.\(name)")
        }
        return Origin(
            host: host, addresses: addresses, expiration: expiry, isMemoryOnly: memoryOnly, headers: fields,
            authorization: try credentials?.resolved(environment: environment, place: "\(place).credentials"),
            droppedQueryItems: Set(droppedQueryItems))
    }
}
