#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What a client gives of a notice. `nil` in an edit leaves the field as it is.
package struct NoticeDraft: Sendable, Hashable {
    package var rootUser: NoticeAuthor?
    package var title: String?
    package var content: String?
    /// ISO 8601; the time of recording if `nil`.
    package var createDate: String?
    /// URLs, and `media:NAME` for images that were uploaded to this notice. One that is left out is taken away.
    package var imageList: [String]?

    package init(
        rootUser: NoticeAuthor? = nil, title: String? = nil, content: String? = nil, createDate: String? = nil,
        imageList: [String]? = nil
    ) {
        self.rootUser = rootUser
        self.title = title
        self.content = content
        self.createDate = createDate
        self.imageList = imageList
    }

    func checkedTitle(_ fallback: String) throws(RecordError) -> String {
        try RecordText.check(title ?? fallback, field: "title", length: 1...200)
    }

    func checkedContent(_ fallback: String) throws(RecordError) -> String {
        try RecordText.check(content ?? fallback, field: "content", length: 0...20_000, isMultiline: true)
    }

    /// - Parameter uploaded: the notice's own images.
    func checkedImageList(_ fallback: [String], uploaded: Set<MediaID> = []) throws(RecordError) -> [String] {
        guard let imageList else { return fallback }
        var images: [String] = []
        for text in imageList {
            var image: String?
            if let media = Notice.media(of: text), uploaded.contains(media) {
                image = text
            } else {
                image = try StudentRules.photoURL(text, field: "imageList")
            }
            guard let image, images.count < 100 else {
                throw .invalid(field: "imageList", accepted: "at most 100 http or https URLs")
            }
            images.append(image)
        }
        return images
    }

    /// - Throws: for a text that is no ISO 8601 time.
    static func date(_ createDate: String?) throws(RecordError) -> Date? {
        guard let createDate else { return nil }
        guard let date = ISOTime.date(createDate) else {
            throw .invalid(field: "createDate", accepted: "an ISO 8601 time such as 2026-03-02T09:00:00Z")
        }
        return date
    }
}
