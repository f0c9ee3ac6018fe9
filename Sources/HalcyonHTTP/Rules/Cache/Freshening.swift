#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension StoredResponse {
    /// Describe the stored bytes, which a header without them cannot change (RFC 9111 §3.2), or the exchange that brought it.
    private static let kept: Set<String> = [
        "content-encoding", "content-type", "content-range", "content-length",
    ]

    /// Which of several stored responses a 304 is about (§4.3.4): by its strong entity tag, by its weak validator the most
    /// recent that fits, without any the only one there is.
    package static func selected(by fields: HTTPFields, of stored: [StoredResponse], asked index: Int) -> Int? {
        guard let text = fields.first("ETag") else {
            guard let date = fields.first("Last-Modified") else { return index }
            return stored[index].fields.first("Last-Modified") == date || stored.count == 1 ? index : nil
        }
        if stored[index].fields.first("ETag") == text { return index }
        if let tag = EntityTag(text) {
            let fitting = stored.indices.filter { stored[$0].entityTag?.weakEquals(tag) ?? false }
            if let best = fitting.max(by: { stored[$0].date < stored[$1].date }) { return best }
        }
        return stored.count == 1 && stored[index].entityTag == nil ? index : nil
    }

    /// After a 304 (§4.3.4), or a HEAD that shows the same representation (§4.3.5): the new fields take the place of the old.
    package func freshened(by new: HTTPFields, requestTime: Date, responseTime: Date) -> StoredResponse {
        var copy = self
        let replaced = new.lines.filter { !Self.kept.contains($0.name.lowercased()) }
        let names = Set(replaced.map { $0.name.lowercased() })
        copy.fields.lines.removeAll { names.contains($0.name.lowercased()) }
        copy.fields.lines += replaced
        // An age that was not said anew is that of the old answer.
        if !new.contains("Age") { copy.fields.remove("Age") }
        if !new.contains("Date") { copy.fields["Date"] = HTTPDate.format(responseTime) }
        copy.requestTime = requestTime
        copy.responseTime = responseTime
        return copy
    }

    /// Whether the header of a 200 to HEAD is that of what is stored (§4.3.5).
    package func isSame(asHead new: HTTPFields) -> Bool {
        for name in ["ETag", "Last-Modified", "Content-Length"] {
            if let value = new.first(name), let old = fields.first(name), value != old { return false }
        }
        return true
    }
}
