internal import Halcyon
internal import HalcyonHTTP
internal import HalcyonImage
internal import HalcyonStore
internal import Synchronization

/// `GET /metrics` in the text format of Prometheus. Labels come from closed lists.
struct MetricsPage: Sendable {
    let pipeline: ImagePipeline
    let health: RecordsHealth
    let counters: ServerCounters
    let logger: Logger

    func text() async -> String {
        var page = MetricsText()
        addServer(&page)
        let statistics = await pipeline.statistics()
        addCaches(&page, statistics)
        if let disk = await pipeline.diskCache?.statistics() { addDisk(&page, disk.counters) }
        addFetches(&page, pipeline.fetchStatistics)
        addRenderings(&page)
        addRecords(&page)
        return page.text
    }

    private func addRecords(_ page: inout MetricsText) {
        if let isWhole = health.isWhole {
            page.single(
                "halcyon_records_whole", "gauge", "1 if the last check of the records found no damage.",
                isWhole ? 1 : 0)
        }
        page.single(
            "halcyon_records_writable", "gauge", "0 if the last look for /readyz found that they cannot be written.",
            health.isWritable ? 1 : 0)
    }

    private func addServer(_ page: inout MetricsText) {
        page.family("halcyon_http_requests_total", "counter", "Answers by route, source and class of status.")
        for series in counters.requests.counted {
            page.sample(
                [
                    ("route", series.route.label), ("source", series.source.label),
                    ("status", series.statusClass == 0 ? "none" : "\(series.statusClass)xx"),
                ], Double(series.count))
        }
        page.single("halcyon_http_sent_bytes_total", "counter", "Bytes of bodies.", Double(counters.requests.bytes))
        page.single(
            "halcyon_http_connections", "gauge", "Open connections.",
            Double(counters.openConnections.load(ordering: .relaxed)))
        page.single(
            "halcyon_http_running_requests", "gauge", "Requests being answered.",
            Double(counters.runningRequests.load(ordering: .relaxed)))
        page.single(
            "halcyon_http_overdue_connections_total", "counter", "Connections closed for being too slow.",
            Double(counters.overdueConnections.load(ordering: .relaxed)))
        page.single(
            "halcyon_streams", "gauge", "Open event streams.",
            Double(counters.openStreams.load(ordering: .relaxed)))
        page.single(
            "halcyon_stream_events_total", "counter", "Events sent on them.",
            Double(counters.sentEvents.load(ordering: .relaxed)))
        page.single(
            "halcyon_stream_slow_readers_total", "counter", "Streams ended because their client did not read.",
            Double(counters.slowReaders.load(ordering: .relaxed)))
        page.single(
            "halcyon_log_dropped_total", "counter", "Log lines that could not be taken.", Double(logger.dropped))
    }

    private func addCaches(_ page: inout MetricsText, _ statistics: ImagePipeline.Statistics) {
        page.family("halcyon_cache_entries", "gauge", "Photos that are kept.")
        page.sample([("layer", "memory")], Double(statistics.memoryEntries))
        page.sample([("layer", "disk")], Double(statistics.diskEntries))
        page.family("halcyon_cache_bytes", "gauge", "Bytes that they take.")
        page.sample([("layer", "memory")], Double(statistics.memoryBytes))
        page.sample([("layer", "disk")], Double(statistics.diskBytes))
        page.family("halcyon_cache_limit_bytes", "gauge", "Bytes that they may take.")
        page.sample([("layer", "memory")], Double(statistics.memoryLimitBytes))
        page.sample([("layer", "disk")], Double(statistics.diskLimitBytes))
        page.single(
            "halcyon_disk_available", "gauge", "1 while the disk cache can be used.",
            statistics.diskFault == nil ? 1 : 0)
        page.family("halcyon_loads_total", "counter", "Loads by where the photo came from.")
        page.sample([("source", "memory")], Double(statistics.memoryHits))
        page.sample([("source", "disk")], Double(statistics.diskHits))
        page.sample([("source", "origin")], Double(statistics.fetched))
        page.sample([("source", "revalidated")], Double(statistics.revalidated))
        page.sample([("source", "stale")], Double(statistics.stale))
        page.single(
            "halcyon_coalesced_total", "counter", "Loads that waited for another's: N at once count N - 1.",
            Double(statistics.coalesced))
        page.family("halcyon_load_failures_total", "counter", "Loads that ended without a photo.")
        for reason in ImagePipeline.Error.Reason.allCases {
            page.sample([("reason", reason.rawValue)], Double(statistics.failures[reason] ?? 0))
        }
    }

    private func addDisk(_ page: inout MetricsText, _ counters: DiskStatistics.Counters) {
        page.family("halcyon_disk_stores_total", "counter", "Photos written to disk, or not.")
        page.sample([("outcome", "stored")], Double(counters.stores))
        page.sample([("outcome", "superseded")], Double(counters.superseded))
        page.sample([("outcome", "failed")], Double(counters.failedStores))
        page.single(
            "halcyon_disk_damaged_entries_total", "counter", "Files that did not hold what was written.",
            Double(counters.damagedEntries))
        page.single("halcyon_disk_evictions_total", "counter", "Photos removed for room.", Double(counters.evictions))
    }

    private func addRenderings(_ page: inout MetricsText) {
        let renderings = pipeline.renderingStatistics
        page.family("halcyon_renderings_total", "counter", "Pictures scaled or drawn, or not.")
        page.sample([("outcome", "done")], Double(renderings.done))
        page.sample([("outcome", "failed")], Double(renderings.failed))
        page.sample([("outcome", "refused")], Double(renderings.refused))
        page.single(
            "halcyon_rendering_seconds_total", "counter", "Time spent on pictures, all lanes together.",
            renderings.seconds)
        page.single("halcyon_rendering_running", "gauge", "Pictures being worked on.", Double(renderings.running))
        page.single("halcyon_rendering_queued", "gauge", "Pictures waiting for a lane.", Double(renderings.waiting))
        page.single(
            "halcyon_lost_decoders_total", "counter", "Decoding processes that died or were ended for their time.",
            Double(pipeline.lostDecoders))
    }

    private func addFetches(_ page: inout MetricsText, _ fetches: FetchStatistics) {
        page.family("halcyon_fetch_answers_total", "counter", "Answers of origins by class of status.")
        let answers = [
            ("1xx", fetches.informational), ("2xx", fetches.successes), ("3xx", fetches.redirections),
            ("4xx", fetches.clientErrors), ("5xx", fetches.serverErrors),
        ]
        for (status, count) in answers { page.sample([("status", status)], Double(count)) }
        page.family("halcyon_fetch_failures_total", "counter", "Fetches that brought no answer.")
        for (token, count) in fetches.failures.sorted(by: { $0.key < $1.key }) {
            page.sample([("reason", token)], Double(count))
        }
        page.single("halcyon_fetch_transfers_total", "counter", "Transfers begun.", Double(fetches.transfers))
        page.single("halcyon_fetch_retries_total", "counter", "Transfers tried again.", Double(fetches.retries))
        page.single("halcyon_fetch_redirects_total", "counter", "Redirects followed.", Double(fetches.redirects))
        page.single("halcyon_fetch_body_bytes_total", "counter", "Bytes from origins.", Double(fetches.bodyBytes))
        page.single("halcyon_fetch_running", "gauge", "Transfers in progress.", Double(fetches.running))
        page.single("halcyon_fetch_queued", "gauge", "Transfers waiting for a place.", Double(fetches.queued))
        page.single(
            "halcyon_fetch_open_breakers", "gauge", "Hosts that are being left alone.", Double(fetches.openBreakers))
    }
}
