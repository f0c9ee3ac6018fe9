internal import Foundation
internal import Halcyon
internal import HalcyonHTTP
internal import HalcyonStore

/// A request to an origin whose answer may be stored: what it was begun with, and who waits for it.
struct OriginLoad: Sendable {
    let service: MountService
    let exchange: MountExchange
    let shelf: ResponseShelf
    /// The flight that this load leads, if any.
    let flight: CacheKey?
    var fields: HTTPFields
    var reason: CacheStatus.Reason
    let ticket: ResponseCache.Ticket
    /// The invalidations that were known when it began.
    var begun: Int

    func land(_ outcome: MountFlights.Outcome) {
        if let flight { service.flights.land(flight, outcome) }
    }

    /// Whether something has made the URL invalid since: then what comes is passed on and not stored.
    var isOutdated: Bool { service.flights.isOutdated(shelf.key, since: begun) }

    /// Takes in a body to its end, however slowly its client reads, and stores it; or passes it on at the client's pace once
    /// it turns out too large.
    func pull(_ response: StreamResponse, into body: RetainedBody, keeping stored: StoredResponse) async {
        var held = 0
        var isKept = true
        defer { service.release(held) }
        while await body.room() {
            switch await response.body.next() {
            case .bytes(let bytes):
                if isKept {
                    if held + bytes.count <= exchange.mount.policy.maximumObjectBytes, service.retain(bytes.count) {
                        held += bytes.count
                    } else {
                        isKept = false
                        service.release(held)
                        held = 0
                        service.flights.markUnshareable(shelf.key, now: service.settings.current.now())
                        land(.unshareable)
                    }
                }
                body.append(bytes)
                if !isKept { body.release() }
            case .end(let trailers):
                let bytes = body.bytes
                body.finish(trailers: trailers)
                if isKept { await store(stored, bytes) }
                return land(.stored)
            case .failed(let error):
                body.fail(error)
                return land(.failed(error))
            }
        }
        response.body.abandon()
        body.fail(.cancelled)
    }

    private func store(_ stored: StoredResponse, _ bytes: [UInt8]) async {
        guard !isOutdated else { return }
        guard let named = stored.range else {
            _ = await shelf.keep(stored, bytes, ticket: ticket)
            return
        }
        guard let complete = named.complete, !bytes.isEmpty, named.first + bytes.count <= named.last + 1 else { return }
        // One that ends early is kept for what came of it (RFC 9111 §3.3).
        let range = ContentRange(named.first..<named.first + bytes.count, of: complete)
        var stored = stored
        stored.range = range
        stored.fields["Content-Range"] = range.description
        // With what is kept already it may make a larger part.
        if let old = await shelf.part(for: exchange.fields), let kept = old.response.range,
            let union = RangeReuse.union(kept, old.response.fields, range, stored.fields), union != kept
        {
            var joined = stored
            let whole = shelf.joined(old.entry.bytes.array, kept, bytes, range)
            let isComplete = union.first == 0 && union.last + 1 == union.complete
            joined.range = isComplete ? nil : union
            joined.answeredRange = nil
            if isComplete { joined.status = 200 }
            joined.fields["Content-Range"] = isComplete ? nil : union.description
            _ = await shelf.keep(joined, whole, ticket: ticket)
            return
        }
        _ = await shelf.keep(stored, bytes, ticket: ticket)
    }
}

extension ResponseShelf {
    /// Two parts that touch or overlap as one; where they overlap the new one counts.
    func joined(_ old: [UInt8], _ oldRange: ContentRange, _ new: [UInt8], _ newRange: ContentRange) -> [UInt8] {
        if newRange.first >= oldRange.first {
            let kept = old.prefix(newRange.first - oldRange.first)
            let rest = newRange.last < oldRange.last ? old.suffix(oldRange.last - newRange.last) : []
            return Array(kept) + new + Array(rest)
        }
        let rest = newRange.last < oldRange.last ? old.suffix(oldRange.last - newRange.last) : []
        return new + Array(rest)
    }
}
