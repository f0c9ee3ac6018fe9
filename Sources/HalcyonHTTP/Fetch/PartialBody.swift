/// The beginning of a body whose transfer broke, and what is needed to have the rest (RFC 9110 §13.1.5, §14).
struct PartialBody {
    let fields: HTTPFields
    private let validator: Validator
    let complete: Int?
    var bytes: [UInt8]

    private enum Validator: Equatable {
        case entityTag(EntityTag)
        case lastModified(String)
    }

    /// `nil` unless these were bytes of a 200 that the origin can continue and that we could tell from another.
    init?(head: ResponseHead, bytes: [UInt8]) {
        guard head.status == 200, !bytes.isEmpty, !head.hasContentCoding,
            let units = head.fields["Accept-Ranges"], ASCII.matches(units.utf8, "bytes".utf8),
            let validator = Self.validator(of: head.fields)
        else { return nil }
        fields = head.fields
        self.validator = validator
        complete = head.contentLength
        self.bytes = bytes
    }

    var requestFields: [(String, String)] {
        let condition =
            switch validator {
            case .entityTag(let tag): tag.description
            case .lastModified(let date): date
            }
        return [("Range", "bytes=\(bytes.count)-"), ("If-Range", condition)]
    }

    /// The length of the whole if this 206 continues exactly what is here; `nil` if it does not.
    func completeLength(continuedBy head: ResponseHead) -> Int? {
        guard head.status == 206, !head.hasContentCoding, Self.validator(of: head.fields) == validator,
            let text = head.fields["Content-Range"], let range = ContentRange(text), range.first == bytes.count,
            let complete = range.complete ?? self.complete, range.last == complete - 1,
            self.complete == nil || self.complete == complete,
            head.contentLength == nil || head.contentLength == range.last - range.first + 1
        else { return nil }
        return complete
    }

    /// A strong entity tag; without any tag, the date as sent. A weak tag cannot join bytes.
    private static func validator(of fields: HTTPFields) -> Validator? {
        if let text = fields["ETag"] {
            guard let tag = EntityTag(text), !tag.isWeak else { return nil }
            return .entityTag(tag)
        }
        return fields["Last-Modified"].map { .lastModified($0) }
    }
}
