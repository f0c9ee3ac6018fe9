import Testing

@testable import HalcyonHTTP

/// The queue's decisions, with time as a number.
@Suite(.timeLimit(.minutes(1)))
struct TransferSchedulerTests {
    private func makeScheduler(
        total: Int = 10, perHost: Int = 10, queue: Int = 100, threshold: Int = 3
    ) -> TransferScheduler {
        TransferScheduler(
            limits: .init(
                maximumConcurrent: total, maximumPerHost: perHost, maximumQueued: queue, breakerThreshold: threshold,
                breakerCooldown: .seconds(5)))
    }

    private func submit(
        _ scheduler: inout TransferScheduler, _ id: UInt64, host: String = "a",
        _ priority: FetchPriority = .interactive,
        deadline: Duration = .seconds(15), now: Duration = .zero
    ) -> FetchError? {
        scheduler.submit(id, host: host, priority: priority, deadline: deadline, now: now)
    }

    private func drain(_ scheduler: inout TransferScheduler, now: Duration = .zero) -> [UInt64] {
        var started: [UInt64] = []
        while let id = scheduler.next(now: now) { started.append(id) }
        return started
    }

    @Test func interactiveGoesBeforePrefetchAndEachInItsOrder() {
        var scheduler = makeScheduler()
        for id: UInt64 in 1...4 {
            #expect(submit(&scheduler, id, id.isMultiple(of: 2) ? .interactive : .prefetch) == nil)
        }
        #expect(drain(&scheduler) == [2, 4, 1, 3])
    }

    @Test func hostsTakeTurns() {
        var scheduler = makeScheduler()
        for id: UInt64 in 1...4 { _ = submit(&scheduler, id, host: "a") }
        for id: UInt64 in 5...6 { _ = submit(&scheduler, id, host: "b") }
        #expect(drain(&scheduler) == [1, 5, 2, 6, 3, 4])
    }

    @Test func limitsHoldForAHostAndForAll() {
        var scheduler = makeScheduler(total: 3, perHost: 2)
        for id: UInt64 in 1...4 { _ = submit(&scheduler, id, host: "a") }
        for id: UInt64 in 5...7 { _ = submit(&scheduler, id, host: "b") }
        #expect(drain(&scheduler) == [1, 5, 2])
        #expect(scheduler.ended(5, verdict: .healthy, now: .zero) == [])
        scheduler.remove(5, now: .zero)
        #expect(drain(&scheduler) == [6])
        scheduler.remove(1, now: .zero)
        scheduler.remove(6, now: .zero)
        #expect(drain(&scheduler).sorted() == [3, 7])
        #expect(scheduler.running == 3)
        #expect(scheduler.queued == 1)
    }

    @Test func theQueueIsBounded() {
        var scheduler = makeScheduler(total: 1, queue: 2)
        #expect(submit(&scheduler, 1) == nil)
        #expect(drain(&scheduler) == [1])
        #expect(submit(&scheduler, 2) == nil)
        #expect(submit(&scheduler, 3) == nil)
        #expect(submit(&scheduler, 4) == .queueFull)
        scheduler.remove(3, now: .zero)
        #expect(submit(&scheduler, 5) == nil)
        scheduler.remove(1, now: .zero)
        #expect(drain(&scheduler) == [2])
        scheduler.remove(2, now: .zero)
        #expect(drain(&scheduler) == [5])
    }

    @Test func aRaisedPrefetchGoesWithTheInteractive() {
        var scheduler = makeScheduler(total: 1)
        for id: UInt64 in 1...3 { _ = submit(&scheduler, id, .prefetch) }
        scheduler.raisePriority(of: 3)
        scheduler.raisePriority(of: 99)
        #expect(drain(&scheduler) == [3])
        #expect(scheduler.queued == 2)
        scheduler.remove(3, now: .zero)
        #expect(drain(&scheduler) == [1])
    }

    @Test func aRedirectGoesOnBeforeWhatWaits() {
        var scheduler = makeScheduler(total: 1)
        for id: UInt64 in 1...2 { _ = submit(&scheduler, id, host: "a") }
        _ = submit(&scheduler, 3, host: "b")
        #expect(drain(&scheduler) == [1])
        #expect(scheduler.ended(1, verdict: .healthy, now: .zero) == [])
        #expect(scheduler.requeue(1, host: "b", now: .zero) == nil)
        #expect(scheduler.waiting == 0)
        #expect(drain(&scheduler) == [1], "before 3, which came to this host earlier")
        scheduler.remove(1, now: .zero)
        #expect(drain(&scheduler) == [2])
        scheduler.remove(2, now: .zero)
        #expect(drain(&scheduler) == [3])
    }

    @Test func deadlinesEndWhatWaitsAndWhatRuns() {
        var scheduler = makeScheduler(total: 1)
        _ = submit(&scheduler, 1, deadline: .seconds(5))
        _ = submit(&scheduler, 2, deadline: .seconds(4))
        _ = submit(&scheduler, 3, deadline: .seconds(6))
        #expect(drain(&scheduler) == [1])
        #expect(scheduler.nextDue == .seconds(4))
        #expect(scheduler.due(now: .seconds(3)).expired == [])
        #expect(scheduler.due(now: .seconds(5)).expired.sorted() == [1, 2])
        for id: UInt64 in 1...2 { scheduler.remove(id, now: .seconds(5)) }
        #expect(scheduler.nextDue == .seconds(6))
        #expect(drain(&scheduler) == [3])
    }

    @Test func aRetryWaitsItsTimeWithoutTakingAPlace() {
        var scheduler = makeScheduler(total: 1)
        for id: UInt64 in 1...2 { _ = submit(&scheduler, id) }
        #expect(drain(&scheduler) == [1])
        _ = scheduler.ended(1, verdict: .healthy, now: .seconds(1))
        let waits = scheduler.wait(1, until: .seconds(3), now: .seconds(1))
        #expect(waits)
        #expect(scheduler.waiting == 1)
        #expect(drain(&scheduler) == [2])
        scheduler.remove(2, now: .seconds(2))
        #expect(scheduler.nextDue == .seconds(3))
        _ = scheduler.due(now: .seconds(2))
        #expect(drain(&scheduler) == [])
        #expect(scheduler.due(now: .seconds(3)).expired == [])
        #expect(drain(&scheduler) == [1])
        _ = scheduler.ended(1, verdict: .healthy, now: .seconds(4))
        let waitsAgain = scheduler.wait(1, until: .seconds(15), now: .seconds(4))
        #expect(!waitsAgain, "its deadline comes first")
    }

    @Test func theBreakerOpensAfterFailuresInARowAlone() {
        var scheduler = makeScheduler(threshold: 3)
        for id: UInt64 in 1...6 {
            _ = submit(&scheduler, id)
            #expect(drain(&scheduler) == [id])
            _ = scheduler.ended(id, verdict: id == 3 ? .healthy : .failing, now: .zero)
            scheduler.remove(id, now: .zero)
            #expect(scheduler.openBreakers == (id == 6 ? 1 : 0))
        }
        #expect(submit(&scheduler, 7) == .breakerOpen(retryAfter: .seconds(5)))
        #expect(submit(&scheduler, 8, host: "b") == nil)
        #expect(submit(&scheduler, 9, now: .seconds(2)) == .breakerOpen(retryAfter: .seconds(3)))
    }

    @Test func openingRefusesTheInteractiveAndLetsPrefetchesSitItOut() {
        var scheduler = makeScheduler(total: 1, threshold: 1)
        _ = submit(&scheduler, 1)
        _ = submit(&scheduler, 2)
        _ = submit(&scheduler, 3, .prefetch)
        _ = submit(&scheduler, 4, .prefetch, deadline: .seconds(4))
        #expect(drain(&scheduler) == [1])
        #expect(scheduler.ended(1, verdict: .failing, now: .zero) == [2, 4])
        for id: UInt64 in [1, 2, 4] { scheduler.remove(id, now: .zero) }
        #expect(drain(&scheduler, now: .seconds(4)) == [])
        #expect(scheduler.nextDue.map { $0 <= .seconds(5) } == true)
        #expect(submit(&scheduler, 5, .prefetch, now: .seconds(4)) == nil)
        // One tries; the others wait for what it says.
        scheduler.limits.maximumConcurrent = 10
        #expect(drain(&scheduler, now: .seconds(5)) == [3])
        #expect(scheduler.ended(3, verdict: .failing, now: .seconds(6)) == [5], "after a failed trial all are refused")
        scheduler.remove(3, now: .seconds(6))
        scheduler.remove(5, now: .seconds(6))
        #expect(submit(&scheduler, 6, .prefetch, now: .seconds(7)) == .breakerOpen(retryAfter: .seconds(4)))
        #expect(submit(&scheduler, 7, now: .seconds(11)) == nil)
        #expect(submit(&scheduler, 8, now: .seconds(11)) == nil)
        #expect(drain(&scheduler, now: .seconds(11)) == [7])
        _ = scheduler.ended(7, verdict: .healthy, now: .seconds(12))
        #expect(drain(&scheduler, now: .seconds(12)) == [8])
        #expect(scheduler.openBreakers == 0)
    }

    @Test func aCancelledTrialLetsAnotherTry() {
        var scheduler = makeScheduler(threshold: 1)
        _ = submit(&scheduler, 1)
        #expect(drain(&scheduler) == [1])
        _ = scheduler.ended(1, verdict: .failing, now: .zero)
        scheduler.remove(1, now: .zero)
        for id: UInt64 in 2...3 { _ = submit(&scheduler, id, now: .seconds(5)) }
        #expect(drain(&scheduler, now: .seconds(5)) == [2])
        scheduler.remove(2, now: .seconds(6))
        #expect(drain(&scheduler, now: .seconds(6)) == [3])
    }

    @Test func anyOrderOfEventsKeepsTheCounts() {
        var scheduler = makeScheduler(total: 5, perHost: 2, queue: 20, threshold: 4)
        var random = SystemRandomNumberGenerator()
        var live: [UInt64: Bool] = [:]  // Running?
        var now = Duration.zero
        for id: UInt64 in 1...5000 {
            now += .milliseconds(10)
            let priority: FetchPriority = Bool.random(using: &random) ? .interactive : .prefetch
            if submit(&scheduler, id, host: "\(id % 4)", priority, deadline: now + .seconds(2), now: now) == nil {
                live[id] = false
            }
            if let any = live.keys.randomElement(using: &random) {
                switch Int.random(in: 0..<4, using: &random) {
                case 0 where live[any] == true:
                    let isFailing = Bool.random(using: &random)
                    for refused in scheduler.ended(any, verdict: isFailing ? .failing : .healthy, now: now) {
                        scheduler.remove(refused, now: now)
                        live[refused] = nil
                    }
                    scheduler.remove(any, now: now)
                    live[any] = nil
                case 1: scheduler.raisePriority(of: any)
                case 2:
                    scheduler.remove(any, now: now)
                    live[any] = nil
                default: break
                }
            }
            let due = scheduler.due(now: now)
            for gone in due.expired + due.refused {
                scheduler.remove(gone, now: now)
                live[gone] = nil
            }
            for started in drain(&scheduler, now: now) {
                #expect(live[started] == false)
                live[started] = true
            }
            #expect(scheduler.running == live.values.count { $0 })
            #expect(scheduler.queued == live.values.count { !$0 })
            #expect(scheduler.running <= 5 && scheduler.queued <= 20)
        }
    }
}
