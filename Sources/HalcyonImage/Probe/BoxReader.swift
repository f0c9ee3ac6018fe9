/// One box of the ISO base media file format (ISO/IEC 14496-12 §4.2), and the walk over its neighbours.
struct BoxReader {
    let view: ByteView
    private(set) var offset: Int
    let end: Int

    /// - Throws: `truncated` if the range goes beyond the bytes.
    init(_ view: ByteView, from offset: Int = 0, to end: Int? = nil) throws(ImageError) {
        let end = end ?? view.count
        guard offset <= end, end <= view.count else { throw .truncated }
        self.view = view
        self.offset = offset
        self.end = end
    }

    struct Box {
        let view: ByteView
        /// Where the four letters of the type stand.
        let typeOffset: Int
        /// Where the contents begin and end.
        let start: Int
        let end: Int

        func isType(_ type: StaticString) -> Bool { view.has(type, at: typeOffset) }

        /// The boxes inside, after `skipping` bytes of the box's own fields; 4 for the version and flags of a full box.
        func children(skipping: Int = 0) throws(ImageError) -> BoxReader {
            try BoxReader(view, from: start + skipping, to: end)
        }

        /// The contents alone: no read goes beyond this box.
        func contents() throws(ImageError) -> ByteView { try view.slice(at: start, length: end - start) }

        func child(_ type: StaticString, skipping: Int = 0) throws(ImageError) -> Box? {
            var reader = try children(skipping: skipping)
            while let box = try reader.next() {
                if box.isType(type) { return box }
            }
            return nil
        }
    }

    /// `nil` after the last box. A box that does not end where its parent does, or before, is `truncated`.
    mutating func next() throws(ImageError) -> Box? {
        guard offset < end else { return nil }
        var length = try view.big32(offset)
        var header = 8
        if length == 1 {
            length = try view.big64(offset + 8)
            header = 16
        } else if length == 0 {
            length = end - offset
        }
        guard length >= header, length <= end - offset else { throw .truncated }
        defer { offset += length }
        return Box(view: view, typeOffset: offset + 4, start: offset + header, end: offset + length)
    }
}
