internal import Foundation
internal import HalcyonRecords
internal import Synchronization

/// Whether the records are whole, looked at in the background at the start and once a day, and whether they can be written,
/// looked at when somebody asks, at most every ten seconds.
final class RecordsHealth: Sendable {
    static let checkInterval = Duration.seconds(86_400)
    static let probeInterval: TimeInterval = 10

    private struct State {
        /// `nil` until the first check has ended.
        var isWhole: Bool?
        /// Of a check that could not be made, or what is not in order.
        var integrity = "not checked yet"
        var writeProblem: String?
        var probedAt: Date?
    }

    private let records: RecordStore
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let state = Mutex(State())

    init(records: RecordStore, now: @escaping @Sendable () -> Date, logger: Logger) {
        self.records = records
        self.now = now
        self.logger = logger
    }

    /// `nil` while it is not known.
    var isWhole: Bool? { state.withLock { $0.isWhole } }
    var isWritable: Bool { state.withLock { $0.writeProblem == nil } }

    /// Until the task is cancelled.
    func run() async {
        while true {
            await check()
            do throws(RecordError) { try await records.prune(now: now()) } catch {
                logger.log(.warning, "records", ["problem": .text(error.description)])
            }
            do { try await Task.sleep(for: Self.checkInterval) } catch { return }
        }
    }

    func check() async {
        let result: (isWhole: Bool?, text: String)
        do throws(RecordError) {
            let findings = try await records.integrityFindings()
            // Findings name tables and pages, no content.
            for finding in findings { logger.log(.error, "records damaged", ["what": .text(finding)]) }
            result = (findings.isEmpty, findings.isEmpty ? "ok" : "damaged: restore a backup")
        } catch {
            logger.log(.error, "records not checked", ["problem": .text(error.description)])
            let (corrupt, notADatabase): (Int32, Int32) = (11, 26)
            if case .database(let code, _) = error, [corrupt, notADatabase].contains(code & 0xFF) {
                result = (false, "damaged: restore a backup")
            } else {
                result = (nil, "could not be checked")
            }
        }
        state.withLock { ($0.isWhole, $0.integrity) = result }
    }

    /// For `/readyz`: in words, and whether the records can be served and written.
    func report() async -> (text: String, isGood: Bool) {
        let now = now()
        let isDue = state.withLock { state in
            if let last = state.probedAt, (0..<Self.probeInterval).contains(now.timeIntervalSince(last)) {
                return false
            }
            state.probedAt = now
            return true
        }
        if isDue {
            var problem: String?
            do throws(RecordError) { try await records.checkWritable() } catch {
                problem = error.description
                logger.log(.error, "records cannot be written", ["problem": .text(error.description)])
            }
            state.withLock { [problem] in $0.writeProblem = problem }
        }
        return state.withLock { state in
            if state.isWhole == false { return (state.integrity, false) }
            if let problem = state.writeProblem { return ("cannot be written: \(problem)", false) }
            return (state.integrity, true)
        }
    }
}
