#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A response as a shared cache keeps it: its header, when it came, and what it may be used for.
package struct StoredResponse: Sendable, Hashable {
    package var status: Int
    /// Those that are stored (RFC 9111 §3.1), in their order.
    package var fields: HTTPFields
    package var requestTime: Date
    package var responseTime: Date
    /// The names of `Vary` and what the request said in them.
    package var varyNames: [String]
    package var selection: [String]
    /// Of the representation, where only a part is kept (§3.3).
    package var range: ContentRange?
    /// The `Range` that this very part was the answer to; `nil` if parts were joined since.
    package var answeredRange: String?

    package init(
        status: Int, fields: HTTPFields, requestTime: Date, responseTime: Date, varyNames: [String] = [],
        selection: [String] = [], range: ContentRange? = nil
    ) {
        self.status = status
        self.fields = fields
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.varyNames = varyNames
        self.selection = selection
        self.range = range
    }

    package func isSelected(by request: HTTPFields) -> Bool {
        Vary.selections(varyNames, request).contains(selection)
    }

    /// Seconds (§4.2.3); a clock that went back makes nothing younger than it came.
    package func age(at now: Date) -> TimeInterval {
        initialAge + max(0, now.timeIntervalSince(responseTime))
    }

    package var initialAge: TimeInterval {
        Freshness.initialAge(fields: fields, requestTime: requestTime, responseTime: responseTime)
    }

    /// Seconds (§4.2.1); 0 where the response may not be used unasked.
    package func lifetime(_ policy: SharedCachePolicy) -> TimeInterval {
        statedLifetime(policy) ?? 0
    }

    /// The same; `nil` where nothing is said of it.
    package func statedLifetime(_ policy: SharedCachePolicy) -> TimeInterval? {
        let (control, isTargeted) = policy.directives(fields)
        if control.forbidsReuseUnasked { return 0 }
        if let expiry = policy.expiry, Freshness.isHeuristicallyCacheable(status) { return TimeInterval(expiry) }
        return Freshness.lifetime(
            status: status, fields: fields, control: control, isShared: true, ignoresExpires: isTargeted,
            responseTime: responseTime)
    }

    package var entityTag: EntityTag? { fields.first("ETag").flatMap { EntityTag($0) } }

    package var lastModified: Date? {
        fields.first("Last-Modified").flatMap { HTTPDate.parse($0, now: responseTime) }
    }

    package var date: Date { fields.first("Date").flatMap { HTTPDate.parse($0, now: responseTime) } ?? responseTime }

    package var hasValidator: Bool { fields.contains("ETag") || lastModified != nil }

    /// The `ETag` as it was sent, which is what the origin knows it by, and the date likewise (§4.3.1).
    package var conditions: HTTPFields {
        var conditions = HTTPFields()
        if let tag = fields.first("ETag") { conditions.append("If-None-Match", tag) }
        if lastModified != nil, let date = fields.first("Last-Modified") {
            conditions.append("If-Modified-Since", date)
        }
        return conditions
    }
}

extension StoredResponse {
    private static let version: UInt8 = 2

    /// Version, then numbers of eight bytes and texts behind their lengths.
    package var encoded: [UInt8] {
        var bytes = [Self.version]
        func number(_ value: UInt64) { withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) } }
        func text(_ value: String) {
            number(UInt64(value.utf8.count))
            bytes.append(contentsOf: value.utf8)
        }
        number(UInt64(status))
        number(requestTime.timeIntervalSince1970.bitPattern)
        number(responseTime.timeIntervalSince1970.bitPattern)
        number(UInt64(fields.lines.count))
        for line in fields.lines {
            text(line.name)
            text(line.value)
        }
        number(UInt64(varyNames.count))
        for (name, value) in zip(varyNames, selection) {
            text(name)
            text(value)
        }
        text(range?.description ?? "")
        text(answeredRange ?? "")
        return bytes
    }

    /// `nil` for another version and for what is not exactly one response.
    package init?(encoded: [UInt8]) {
        guard encoded.first == Self.version else { return nil }
        var rest = encoded[1...]
        func number() -> UInt64? {
            guard rest.count >= 8 else { return nil }
            defer { rest = rest.dropFirst(8) }
            return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
        func text() -> String? {
            guard let count = number(), count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(Int(count)) }
            return String(decoding: rest.prefix(Int(count)), as: UTF8.self)
        }
        func pairs() -> [(String, String)]? {
            guard let count = number(), count <= encoded.count else { return nil }
            var pairs: [(String, String)] = []
            for _ in 0..<count {
                guard let name = text(), let value = text() else { return nil }
                pairs.append((name, value))
            }
            return pairs
        }
        guard let status = number().flatMap(Int.init(exactly:)), let requested = number(), let responded = number(),
            let fields = pairs(), let selection = pairs(), let range = text(), let answered = text(), rest.isEmpty
        else { return nil }
        self.init(
            status: status, fields: HTTPFields(fields),
            requestTime: Date(timeIntervalSince1970: Double(bitPattern: requested)),
            responseTime: Date(timeIntervalSince1970: Double(bitPattern: responded)), varyNames: selection.map(\.0),
            selection: selection.map(\.1), range: range.isEmpty ? nil : ContentRange(range))
        answeredRange = answered.isEmpty ? nil : answered
    }
}
