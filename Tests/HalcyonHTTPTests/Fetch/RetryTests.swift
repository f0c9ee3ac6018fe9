import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct RetryTests {
    @Test(
        "F-10 HB-94 what will not change is asked for once",
        arguments: [400, 401, 403, 404, 405, 410, 413, 451, 501, 505])
    func permanent(status: Int) async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") { $0.respond(status) }
        let fetcher = try makeFetcher()
        let response = try await fetcher.get(origin.url("/"))
        #expect(response.status == status)
        #expect(origin.requests().count == 1)
        await fetcher.shutDown()
    }

    @Test(
        "HB-94 what may change is asked for again, and the last answer counts",
        arguments: [408, 429, 500, 502, 503, 504])
    func transient(status: Int) async throws {
        let origin = try ScriptedOrigin()
        let count = Watched(0)
        origin.on("/always") {
            $0.respond(
                status,
                body: [
                    UInt8(
                        count.update {
                            $0 += 1
                            return $0
                        })
                ])
        }
        origin.on("/once") {
            $0.respond(
                count.update {
                    $0 += 1
                    return $0
                } == 5 ? status : 200)
        }
        let fetcher = try makeFetcher { $0.retries = 3 }
        let always = try await fetcher.get(origin.url("/always"))
        #expect(always.status == status)
        #expect(always.body == [4])
        #expect(always.metrics.attempts == 4)
        let once = try await fetcher.get(origin.url("/once")) { $0.retries = 1 }
        #expect(once.status == 200)
        #expect(once.metrics.attempts == 2)
        await fetcher.shutDown()
    }

    @Test("HB-94 a refused or broken connection is tried again") func connections() async throws {
        let origin = try ScriptedOrigin()
        let count = Watched(0)
        origin.on("/") { exchange in
            switch count.update({
                $0 += 1
                return $0
            }) {
            case 1: exchange.reset()
            case 2: exchange.closeNow()
            default: exchange.respond(body: [1])
            }
        }
        let fetcher = try makeFetcher { $0.retries = 2 }
        #expect(try await fetcher.get(origin.url("/")).metrics.attempts == 3)
        origin.stop()
        await origin.openConnections(fallTo: 0)
        #expect(await fetcher.failure(origin.url("/"))?.token == "connect")
        #expect(fetcher.statistics.retries == 4)
        await fetcher.shutDown()
    }

    @Test("HB-94 Retry-After is obeyed, in seconds and as a date", arguments: ["4", "date"])
    func retryAfter(value: String) async throws {
        let clock = ManualClock()
        let origin = try ScriptedOrigin()
        let count = Watched(0)
        let text = value == "date" ? HTTPDate.format(clock.wallNow.addingTimeInterval(4)) : value
        origin.on("/") {
            $0.respond(
                count.update {
                    $0 += 1
                    return $0
                } == 1 ? 503 : 200, fields: [("Retry-After", text)])
        }
        let fetcher = try makeFetcher(clock: clock)
        let task = Task { try await fetcher.get(origin.url("/")) }
        await clock.sleeper(between: .seconds(4), and: .seconds(4))
        #expect(origin.requests().count == 1)
        #expect(fetcher.statistics.waitingForRetry == 1)
        clock.advance(by: .seconds(4))
        let response = try await task.value
        #expect(response.status == 200)
        #expect(response.metrics.total == .seconds(4))
        await fetcher.shutDown()
    }

    @Test("HB-94 a wait that ends after the deadline is not begun", arguments: ["15", "3600", "99999999999999999999"])
    func beyondDeadline(value: String) async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") { $0.respond(429, fields: [("Retry-After", value)]) }
        let fetcher = try makeFetcher(clock: ManualClock())
        let response = try await fetcher.get(origin.url("/"))
        #expect(response.status == 429)
        #expect(response.metrics.total == .zero)
        #expect(origin.requests().count == 1)
        await fetcher.shutDown()
    }

    @Test("HB-94 the pause grows, with full jitter, up to its cap") func backoff() {
        let policy = RetryPolicy(base: .milliseconds(200), cap: .seconds(5))
        let steps: [Duration] = (1...8).map { policy.delay(retry: $0, retryAfter: nil, random: 0.5) }
        #expect(
            steps == [
                .milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800), .milliseconds(1600),
                .milliseconds(2500), .milliseconds(2500), .milliseconds(2500),
            ])
        #expect(policy.delay(retry: 3, retryAfter: nil, random: 0) == .zero)
        #expect(policy.delay(retry: 1, retryAfter: .seconds(2), random: 0.9) == .seconds(2))
        #expect(policy.delay(retry: 1000, retryAfter: nil, random: 0.5) == .milliseconds(2500))
    }

    @Test("a host that keeps failing is left alone, then tried with one transfer") func breaker() async throws {
        let clock = ManualClock()
        let origin = try ScriptedOrigin()
        let isWell = Watched(false)
        origin.on("/") { $0.respond(isWell.value ? 200 : 503) }
        let fetcher = try makeFetcher(clock: clock) {
            $0.retries = 0
            $0.breakerThreshold = 2
            $0.breakerCooldown = .seconds(3)
        }
        for _ in 0..<2 { #expect(try await fetcher.get(origin.url("/")).status == 503) }
        #expect(await fetcher.failure(origin.url("/")) == .breakerOpen(retryAfter: .seconds(3)))
        #expect(fetcher.statistics.openBreakers == 1)
        #expect(origin.requests().count == 2)
        isWell.update { $0 = true }
        clock.advance(by: .seconds(3))
        #expect(try await fetcher.get(origin.url("/")).status == 200)
        #expect(fetcher.statistics.openBreakers == 0)
        await fetcher.shutDown()
    }
}
