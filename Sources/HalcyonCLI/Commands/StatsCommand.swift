internal import Halcyon
internal import HalcyonStore

extension Command {
    static let stats = Command(
        path: ["stats"], summary: "tell what the disk cache holds", options: [Options.json.spec],
        details: ["Of a running server, GET /cache/stats and GET /metrics also tell what is in memory, and hit ratios."]
    ) { invocation in
        let statistics = try await invocation.withPipeline(logger: invocation.logger(isQuiet: true), isRequired: true) {
            pipeline in
            // Numbers of half an index would be wrong.
            await pipeline.diskCache?.finishRebuilding()
            return await pipeline.diskCache?.statistics() ?? DiskStatistics()
        }
        if invocation.settings[Options.json] {
            invocation.console.print(statistics.json.text(isPretty: true))
        } else {
            invocation.console.print(statistics.text)
        }
        if case .unavailable(let failure) = statistics.state {
            throw CommandFailure("the disk cache cannot be used: \(failure)")
        }
        return .done
    }
}

extension DiskStatistics {
    private var expiryRows: [(name: String, key: String, count: Int)] {
        [
            ("expired", "expired", expiries.expired), ("within an hour", "withinHour", expiries.withinHour),
            ("within a day", "withinDay", expiries.withinDay), ("within a week", "withinWeek", expiries.withinWeek),
            ("later", "later", expiries.later), ("never", "never", expiries.never),
        ]
    }

    fileprivate var text: String {
        func rows(_ title: String, _ shares: [Share]) -> [String] {
            shares.isEmpty ? [] : [title] + shares.map { "  \($0.name): \($0.count), \(ByteSize.rounded($0.bytes))" }
        }
        let share = limitBytes > 0 ? " of \(ByteSize.rounded(limitBytes)) (\(bytes * 100 / limitBytes)%)" : ""
        var lines = [
            "files     \(count)", "size      \(ByteSize.rounded(bytes))\(share)",
            "failures  \(failures) remembered",
        ]
        if count > 0 { lines += ["expiring"] + expiryRows.map { "  \($0.name): \($0.count)" } }
        lines += rows("by host", hosts) + rows("by class", classes) + rows("by mount", mounts)
        return lines.joined(separator: "\n")
    }

    fileprivate var json: JSONValue {
        func list(_ shares: [Share]) -> JSONValue {
            .array(shares.map { ["name": .string($0.name), "count": .integer($0.count), "bytes": .integer($0.bytes)] })
        }
        return [
            "count": .integer(count), "bytes": .integer(bytes), "limitBytes": .integer(limitBytes),
            "failures": .integer(failures), "hosts": list(hosts), "classes": list(classes), "mounts": list(mounts),
            "expiries": .object(
                Dictionary(expiryRows.map { ($0.key, JSONValue.integer($0.count)) }) { _, last in last }),
        ]
    }
}
