/// Fetches from origins: one thread, any number of callers.
package final class Fetcher: Sendable {
    package init(configuration: FetchConfiguration) throws(FetchError) {}

    package func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse { throw .shutDown }

    package func raisePriority(of id: UInt64) {}

    package func reconfigure(_ configuration: FetchConfiguration) {}

    package func shutDown() async {}

    package var statistics: FetchStatistics { FetchStatistics() }
}
