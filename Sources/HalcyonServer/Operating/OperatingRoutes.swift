internal import Halcyon
internal import HalcyonHTTP
internal import HalcyonRecords

/// The routes for whoever runs the service.
struct OperatingRoutes: RouteFamily {
    let pipeline: ImagePipeline
    let records: RecordStore
    let media: MediaStore
    let readiness: Readiness
    let health: RecordsHealth
    let counters: ServerCounters
    let jobs: JobTable
    let logger: Logger

    var routes: [Route] {
        [
            Route(
                "GET", path: "/healthz", access: .anyone, kind: .operating,
                note: RouteNote(summary: "Whether it is alive")
            ) { (_, _) throws(Problem) in
                RecordsAnswer.success(message: "alive")
            },
            Route(
                "GET", path: "/readyz", access: .anyone, kind: .operating,
                note: RouteNote(
                    summary: "Whether it can serve, and what is not in order", answer: .json(.anything),
                    failures: [503])
            ) { (_, _) throws(Problem) in
                await ready()
            },
            Route(
                "GET", path: "/metrics", access: .role(.admin), kind: .operating,
                note: RouteNote(summary: "Metrics in the text format of Prometheus", answer: .text)
            ) { (_, _) throws(Problem) in
                let text = await MetricsPage(
                    pipeline: pipeline, health: health, counters: counters, logger: logger
                ).text()
                return HTTPAnswer(
                    status: 200,
                    fields: [
                        ("Content-Type", "text/plain; version=0.0.4; charset=utf-8"), ("Cache-Control", "no-store"),
                    ],
                    body: .bytes(Array(text.utf8)))
            },
            Route(
                "GET", path: "/cache/stats", access: .role(.admin), kind: .operating,
                note: RouteNote(summary: "What the caches hold", answer: .json(.anything))
            ) { (_, _) throws(Problem) in
                RecordsAnswer.success(CacheReport(await pipeline.statistics()))
            },
            Route(
                "POST", path: "/cache/purge", access: .role(.admin), kind: .operating,
                note: RouteNote(
                    summary: "Purges photos by exactly one selector", body: .fields(PurgeOrder.fields),
                    answer: .json(.anything), failures: [404])
            ) { (request, _) throws(Problem) in
                let order = try PurgeOrder(RequestBody(request))
                return RecordsAnswer.success(try await order.run(pipeline: pipeline, records: records, logger: logger))
            },
            Route(
                "POST", path: "/cache/prefetch", access: .role(.admin), kind: .operating,
                note: RouteNote(
                    summary: "Begins to fetch photos; answers with a job", body: .fields(PrefetchOrder.fields),
                    answer: .json(.anything), statuses: [202], failures: [404, 429])
            ) { (request, _) throws(Problem) in try await prefetch(PrefetchOrder(RequestBody(request)))
            },
            Route(
                "GET", path: "/cache/jobs/{id}", access: .role(.admin), kind: .operating,
                note: RouteNote(summary: "How far a job is", answer: .json(.anything))
            ) { (_, parameters) throws(Problem) in
                guard let report = jobs.report(parameters[0]) else { throw .notFound("there is no such job") }
                return RecordsAnswer.success(report)
            },
        ]
    }

    /// 503 while the server stops, while no fetch has come to an end for longer than any may take, and while the records are
    /// damaged or cannot be written. A disk cache that cannot be used is told, but photos keep flowing without it.
    private func ready() async -> HTTPAnswer {
        let areSlotsStuck = pipeline.fetchStatistics.isStuck(deadline: pipeline.configuration.fetch.timeout)
        let fault = await pipeline.statistics().diskFault
        let records = await health.report()
        let report = ReadinessReport(
            ready: !readiness.isStopping && !areSlotsStuck && records.isGood,
            server: readiness.isStopping ? "stopping" : "ok",
            fetch: areSlotsStuck ? "stuck" : "ok",
            disk: fault.map { "unavailable: \($0)" } ?? "ok", records: records.text)
        return report.answer
    }

    private func prefetch(_ order: PrefetchOrder) async throws(Problem) -> HTTPAnswer {
        let items = try await order.items(records: records, media: media)
        let report = try jobs.start(count: items.count) { [pipeline] progress in
            await ImagePrefetcher(pipeline: pipeline, concurrency: order.concurrency).run(
                items, variants: order.variants, options: order.options, onItem: { _, outcome in progress(outcome) })
        }
        return RecordsAnswer.success(report, status: 202, message: "started")
            .with([("Location", "/cache/jobs/\(report.id)")])
    }
}

private struct ReadinessReport: Encodable, Sendable {
    let ready: Bool
    let server: String
    let fetch: String
    let disk: String
    let records: String

    var answer: HTTPAnswer {
        var answer = RecordsAnswer.success(self, message: ready ? "ready" : "not ready")
        if !ready { answer.status = 503 }
        return answer
    }
}
