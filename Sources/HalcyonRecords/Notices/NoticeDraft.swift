/// What a client gives of a notice. `nil` in an edit leaves the field as it is.
package struct NoticeDraft: Sendable, Hashable {
    package var title: String?
    package var content: String?
    /// ISO 8601; the time of recording if `nil`.
    package var createDate: String?
    package var imageList: [String]?

    package init(
        title: String? = nil, content: String? = nil, createDate: String? = nil, imageList: [String]? = nil
    ) {
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

    func checkedImageList(_ fallback: [String]) throws(RecordError) -> [String] {
        var urls: [String] = []
        for text in imageList ?? fallback {
            guard let url = try StudentRules.photoURL(text, field: "imageList"), urls.count < 100 else {
                throw .invalid(field: "imageList", accepted: "at most 100 http or https URLs")
            }
            urls.append(url)
        }
        return urls
    }
}
