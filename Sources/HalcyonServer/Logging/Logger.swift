internal import Glibc
internal import Synchronization

/// One line an event, to standard error or another descriptor, as `name=value` text or as JSON. A call never waits for
/// the descriptor: what cannot be taken is dropped and counted.
package final class Logger: Sendable {
    package enum Level: Int, Sendable, Comparable, CaseIterable {
        case debug, info, warning, error, off

        package init?(_ text: String) {
            guard let level = Self.allCases.first(where: { $0.name == text }) else { return nil }
            self = level
        }

        package var name: String {
            switch self {
            case .debug: "debug"
            case .info: "info"
            case .warning: "warning"
            case .error: "error"
            case .off: "off"
            }
        }

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    package enum Format: String, Sendable, CaseIterable {
        case text, json
    }

    private let threshold: Atomic<Int>
    private let format: Format
    private let writer: LineWriter

    package init(level: Level = .info, format: Format = .text, descriptor: Int32 = STDERR_FILENO) {
        threshold = Atomic(level.rawValue)
        self.format = format
        writer = LineWriter(descriptor: descriptor)
    }

    package var level: Level {
        get { Level(rawValue: threshold.load(ordering: .relaxed)) ?? .info }
        set { threshold.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// Lines lost because the reader of the log was too slow.
    package var dropped: Int { writer.dropped }

    @inline(__always)
    package func permits(_ level: Level) -> Bool {
        level.rawValue >= threshold.load(ordering: .relaxed)
    }

    /// `event` is a word or two that a search can find. The fields are not built unless the level permits.
    package func log(_ level: Level, _ event: StaticString, _ fields: @autoclosure () -> LogFields = [:]) {
        guard permits(level) else { return }
        writer.append(line(level, event, fields()))
    }

    /// Returns when every line so far has been handed to the system.
    package func flush() {
        writer.flush()
    }

    private func line(_ level: Level, _ event: StaticString, _ fields: LogFields) -> [UInt8] {
        let isJSON = format == .json
        var line = LogLine(isJSON: isJSON)
        line.append("time", .text(LogLine.timestamp()))
        line.append("level", .text(level.name))
        line.append("event", .text("\(event)"))
        for (name, value) in fields.pairs { line.append(name, value) }
        return line.finished
    }
}
