import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonHTTP

/// A fetcher that may talk to loopback, with what a test changes.
func makeFetcher(
    _ rules: [String] = ["127.0.0.1=127.0.0.0/8"], redirectHosts: [String] = [], clock: ManualClock? = nil,
    _ change: (inout FetchConfiguration) -> Void = { _ in }
) throws -> Fetcher {
    var configuration = FetchConfiguration(
        policy: OriginPolicy(
            rules: try rules.map { try OriginRule($0) }, redirectHosts: try redirectHosts.map { try HostPattern($0) }))
    configuration.backoffBase = .zero
    if let clock {
        configuration.clock = clock
        configuration.wallClock = { clock.wallNow }
    }
    change(&configuration)
    return try Fetcher(configuration: configuration)
}

extension Fetcher {
    func get(_ url: String, _ change: (inout FetchRequest) -> Void = { _ in }) async throws(FetchError) -> FetchResponse
    {
        let canonical: CanonicalURL
        do { canonical = try CanonicalURL(url) } catch { throw .invalidRedirect(error) }
        var request = FetchRequest(url: canonical)
        change(&request)
        return try await fetch(request)
    }

    /// The error of a fetch that has to fail.
    func failure(_ url: String, _ change: (inout FetchRequest) -> Void = { _ in }) async -> FetchError? {
        do throws(FetchError) {
            _ = try await get(url, change)
            return nil
        } catch {
            return error
        }
    }
}
