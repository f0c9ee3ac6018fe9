import Synchronization
import Testing

@testable import HalcyonCLI

@Suite(.timeLimit(.minutes(1)))
struct ProgressTests {
    private let half = ProgressState(total: 300, done: 150, failures: 2, bytes: 6_291_456, elapsed: .seconds(10))

    @Test func theBarTellsCountBytesRateFailuresAndTimeLeft() {
        // 150 in 10 s: 15 a second, so the other 150 take 10 s more.
        let bar = half.bar(width: 120)
        #expect(bar.hasSuffix("150/300  50%  6.0 MiB  15.0/s  2 failed  0:10 left"))
        #expect(bar.hasPrefix("[####################--------------------]"))
    }

    @Test(arguments: 1...200)
    func theBarNeverFillsTheLastColumn(width: Int) {
        #expect(half.bar(width: width).count <= max(1, width - 1))
    }

    @Test(arguments: [(20, "150/300  2 failed"), (12, "150/300"), (30, "150/300  50%  2 failed"), (4, "150")])
    func aNarrowBarDropsWhatMattersLeast(width: Int, expected: String) {
        #expect(half.bar(width: width).hasPrefix(expected))
    }

    @Test func nothingToDoIsAHundredPercent() {
        #expect(ProgressState(total: 0).bar(width: 40).contains("0/0  100%"))
    }

    @Test func theBarIsDrawnAtMostTenTimesASecond() {
        let buffer = BufferConsole(width: 80)
        let now = Mutex(Duration.zero)
        let reporter = ProgressReporter(total: 1000, style: .bar, console: buffer.console) { now.withLock { $0 } }
        for step in 0..<1000 {
            now.withLock { $0 = .milliseconds(step) }
            reporter.advance(bytes: 1, isFailure: false)
        }
        reporter.finish()
        let drawn = buffer.err.split(separator: "\r").count
        #expect(drawn == 11)  // at 0, 100, …, 900 ms, and the end
        #expect(buffer.err.contains("1000/1000  100%"))
        #expect(buffer.err.hasSuffix("\n"))
    }

    @Test func withoutATerminalLinesAreWritten() {
        let buffer = BufferConsole()
        #expect(ProgressReporter.style(of: .auto, console: buffer.console) == .plain)
        let reporter = ProgressReporter(total: 1, style: .plain, console: buffer.console) { .seconds(1) }
        reporter.advance(bytes: 24_576, isFailure: false)
        reporter.finish()
        #expect(buffer.err.contains("prefetch: 1/1 (100%), 24.0 KiB"))
        #expect(!buffer.err.contains("\r"))
    }

    @Test("HB-87 every input has one outcome and the numbers add up")
    func theSummaryAddsUp() {
        var summary = PrefetchSummary(total: 20)
        for outcome in PrefetchOutcome.allCases where outcome != .notReached {
            summary.add(PrefetchResult(outcome: outcome, bytes: 10, reason: "why"), subject: "student 1")
        }
        summary.close()
        #expect(summary.counts.values.reduce(0, +) == 20)
        #expect(summary.counts[.notReached] == 11)
        #expect(summary.failureCount == 5 + 11)
        #expect(summary.failures.count == 5)
    }

    @Test(arguments: [
        (PrefetchOutcome.fetched, ExitCode.done), (.revalidated, .done), (.fresh, .done), (.noPhoto, .done),
        (.missing, .failed), (.timedOut, .failed), (.refused, .failed), (.notAnImage, .failed), (.failed, .failed),
    ])
    func onlyAPhotoThatShouldBeThereFailsTheRun(outcome: PrefetchOutcome, code: ExitCode) {
        var summary = PrefetchSummary(total: 1)
        summary.add(PrefetchResult(outcome: outcome), subject: "student 1")
        summary.close()
        #expect(summary.exitCode == code)
    }

    @Test("HB-37 a photo that could not be kept fails the run and is told")
    func notStoredIsTold() {
        var summary = PrefetchSummary(total: 1)
        summary.add(PrefetchResult(outcome: .fetched, bytes: 5, isKept: false), subject: "student 1")
        summary.close()
        #expect(summary.exitCode == .failed)
        #expect(summary.text(elapsed: .seconds(1)).contains("1 was fetched but not kept"))
    }

    @Test func missingOriginsAreNamedWithTheOptionThatAddsThem() {
        var summary = PrefetchSummary(total: 2)
        summary.add(
            PrefetchResult(
                outcome: .refused, reason: "r", missingOrigin: "--allow-origin photos.school.example"),
            subject: "student 1")
        summary.add(
            PrefetchResult(
                outcome: .refused, reason: "r", missingOrigin: "--allow-origin photos.school.example"),
            subject: "student 2")
        summary.close()
        let text = summary.text(elapsed: .seconds(1))
        #expect(
            text.contains(
                "the host of 2 photos is not an allowed origin: add --allow-origin photos.school.example"))
    }

    @Test func anInterruptedRunEndsWith130() {
        var summary = PrefetchSummary(total: 3)
        summary.add(PrefetchResult(outcome: .fetched), subject: "student 1")
        summary.isInterrupted = true
        summary.close()
        #expect(summary.exitCode == .interrupted)
        #expect(summary.text(elapsed: .zero).contains("2  not reached"))
    }
}
