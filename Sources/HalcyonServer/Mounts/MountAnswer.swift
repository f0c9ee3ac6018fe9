internal import Foundation
internal import HalcyonHTTP
internal import HalcyonStore

/// Answers of a mount: what the origin said, and what this cache has to say about it (RFC 9111 §5.1, RFC 9211).
enum MountAnswer {
    /// The header of an origin's answer as it goes on.
    static func head(
        _ status: Int, _ fields: HTTPFields, _ cacheStatus: CacheStatus, body: HTTPAnswer.Body, source: AnswerSource,
        age: Int? = nil
    ) -> HTTPAnswer {
        var fields = Intermediary.response(fields)
        if let age { fields["Age"] = "\(age)" }
        fields["Cache-Status"] = fields["Cache-Status"].map { "\($0), \(cacheStatus)" } ?? cacheStatus.description
        var lines = fields.lines.map { ($0.name, $0.value) }
        for (name, value) in HTTPAnswer.protectiveFields where !fields.contains(name) { lines.append((name, value)) }
        var answer = HTTPAnswer(status: status, fields: lines, body: body)
        answer.needsProtection = false
        return answer.of(.mount, source)
    }

    /// From what is stored: with the bytes, or as the request's conditions and range ask.
    static func stored(
        _ item: ResponseShelf.Item, method: String, request: HTTPFields, status: CacheStatus, source: AnswerSource,
        now: Date
    ) -> HTTPAnswer {
        let response = item.response
        let age = Int(response.age(at: now))
        func answer(_ code: Int, _ fields: HTTPFields, _ body: HTTPAnswer.Body) -> HTTPAnswer {
            head(code, fields, status, body: body, source: source, age: age)
        }
        let whole = 0..<item.entry.bytes.count
        guard response.status == 200 else {
            return answer(response.status, response.fields, body(item, whole, method: method))
        }
        switch outcome(response, method: method, request: request, now: now) {
        case .notModified: return answer(304, validators(response.fields), .bytes([]))
        case .failed:
            return answer(412, HTTPFields(response.fields.values(of: "ETag").map { ("ETag", $0) }), .bytes([]))
        case .proceed: break
        }
        let range = Preconditions.range(
            method: method, fields: request, length: whole.count, entityTag: response.entityTag,
            lastModified: response.lastModified, now: now)
        switch range {
        case .whole: return answer(200, response.fields, body(item, whole, method: method))
        case .partial(let part):
            var fields = response.fields
            fields["Content-Range"] = ContentRange(part, of: whole.count).description
            return answer(206, fields, .entry(item.entry.bytes, part))
        case .unsatisfiable:
            return answer(416, [("Content-Range", ContentRange.unsatisfied(complete: whole.count))], .bytes([]))
        }
    }

    /// A part of what is kept of a representation.
    static func part(
        _ item: ResponseShelf.Item, _ part: Range<Int>, of kept: ContentRange, status: CacheStatus, now: Date
    ) -> HTTPAnswer {
        var fields = item.response.fields
        fields["Content-Range"] = ContentRange(part, of: kept.complete ?? part.upperBound).description
        let bytes = part.lowerBound - kept.first..<part.upperBound - kept.first
        return head(
            206, fields, status, body: .entry(item.entry.bytes, bytes), source: item.isFromMemory ? .memory : .disk,
            age: Int(item.response.age(at: now)))
    }

    /// The client's conditions in the order of RFC 9110 §13.2.2. For `If-Modified-Since` the date of a response without a
    /// Last-Modified stands for it (RFC 9111 §4.3.2).
    static func outcome(
        _ response: StoredResponse, method: String, request: HTTPFields, now: Date
    ) -> Preconditions.Outcome {
        func evaluate(_ names: [String], _ lastModified: Date?) -> Preconditions.Outcome {
            var conditions = HTTPFields()
            for name in names {
                for value in request.values(of: name) { conditions.append(name, value) }
            }
            guard !conditions.lines.isEmpty else { return .proceed }
            return Preconditions.evaluate(
                method: method, fields: conditions, entityTag: response.entityTag, lastModified: lastModified, now: now)
        }
        let demands = evaluate(["If-Match", "If-Unmodified-Since"], response.lastModified)
        guard demands == .proceed else { return demands }
        return evaluate(["If-None-Match", "If-Modified-Since"], response.lastModified ?? response.date)
    }

    /// What a 304 repeats (RFC 9110 §15.4.5).
    static func validators(_ fields: HTTPFields) -> HTTPFields {
        let repeated: Set = [
            "cache-control", "content-location", "date", "etag", "expires", "vary", "last-modified",
            "cdn-cache-control", "set-cookie",
        ]
        var kept = fields
        kept.lines.removeAll { !repeated.contains($0.name.lowercased()) }
        return kept
    }

    private static func body(_ item: ResponseShelf.Item, _ part: Range<Int>, method: String) -> HTTPAnswer.Body {
        method == "HEAD" ? .omitted(length: part.count) : .entry(item.entry.bytes, part)
    }

    static func failed(_ error: FetchError) -> HTTPAnswer {
        let token = [("Halcyon-Reason", error.token)]
        let problem =
            switch error {
            case .timeout: Problem(504, .originTooSlow, "the origin took too long", fields: token)
            case .queueFull, .shutDown, .cancelled:
                Problem(
                    503, .tooManyRequests, "too many requests are under way; try again in 1 s",
                    fields: token + [("Retry-After", "1")])
            default: Problem(502, .originFailed, "the origin could not be asked: \(error.token)", fields: token)
            }
        return problem.answer(in: .bare).of(.mount)
    }
}
