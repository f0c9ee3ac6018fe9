#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Parts of representations in a cache (RFC 9111 §3.3, §3.4).
package enum RangeReuse {
    /// What of a kept part answers a request's `Range`: bytes of the representation; `nil` if they are not all there, or if
    /// it asks for something else than one range.
    package static func part(_ rangeField: String, of kept: ContentRange) -> Range<Int>? {
        guard let complete = kept.complete else { return nil }
        guard case .partial(let part) = ByteRange.resolve(rangeField, length: complete) else { return nil }
        return part.lowerBound >= kept.first && part.upperBound <= kept.last + 1 ? part : nil
    }

    /// What is missing of the whole, if it is one piece at an end and can be asked for: by a strong validator.
    package static func missing(_ stored: StoredResponse) -> (range: String, condition: String)? {
        guard let kept = stored.range, let complete = kept.complete, let condition = strongValidator(stored.fields)
        else {
            return nil
        }
        if kept.first == 0, kept.last + 1 < complete { return ("bytes=\(kept.last + 1)-", condition) }
        if kept.first > 0, kept.last + 1 == complete { return ("bytes=0-\(kept.first - 1)", condition) }
        return nil
    }

    /// The part that two parts make, if they are of the same representation and leave no gap (§3.4).
    package static func union(
        _ old: ContentRange, _ oldFields: HTTPFields, _ new: ContentRange, _ newFields: HTTPFields
    ) -> ContentRange? {
        guard let complete = old.complete, new.complete == nil || new.complete == complete,
            let validator = strongValidator(oldFields), validator == strongValidator(newFields),
            new.first <= old.last + 1, old.first <= new.last + 1
        else { return nil }
        return ContentRange(min(old.first, new.first)..<max(old.last, new.last) + 1, of: complete)
    }

    /// A strong entity tag; without a tag, a date that is a strong validator (RFC 9110 §8.8.2.2).
    package static func strongValidator(_ fields: HTTPFields) -> String? {
        if let text = fields.first("ETag") {
            guard let tag = EntityTag(text), !tag.isWeak else { return nil }
            return tag.description
        }
        guard let text = fields.first("Last-Modified"), let dateText = fields.first("Date") else { return nil }
        let now = Date()
        guard let modified = HTTPDate.parse(text, now: now), let date = HTTPDate.parse(dateText, now: now),
            date.timeIntervalSince(modified) >= 60
        else { return nil }
        return text
    }
}
