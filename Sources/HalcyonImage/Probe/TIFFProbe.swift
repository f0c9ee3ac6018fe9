/// TIFF 6.0: a chain of directories, one a page, whose entries say where the strips or tiles of the page lie.
enum TIFFProbe {
    /// The classic form in either byte order, and BigTIFF.
    static func isTIFF(_ view: ByteView) -> Bool {
        view.isBig32(0x4949_2A00, at: 0) || view.isBig32(0x4D4D_002A, at: 0) || isBigTIFF(view)
    }

    private static func isBigTIFF(_ view: ByteView) -> Bool {
        view.isBig32(0x4949_2B00, at: 0) || view.isBig32(0x4D4D_002B, at: 0)
    }

    /// The size of the first page; every page is judged.
    static func probe(_ view: ByteView, limits: ImageLimits) throws(ImageError) -> ImageInfo {
        guard !isBigTIFF(view) else { throw .unsupported(.tiff) }
        var reader = Reader(view: view, isLittle: view.has("II"), limits: limits, budget: view.count)
        var first: ImageInfo?
        var pages = 0
        var offset = try reader.value32(4)
        while offset != 0 {
            let page = try reader.page(at: offset)
            pages += 1
            try limits.check(frames: pages, width: page.width, height: page.height)
            if first == nil { first = ImageInfo(format: .tiff, pixelWidth: page.width, pixelHeight: page.height) }
            offset = page.next
        }
        guard let first else { throw .malformed(.tiff) }
        return first
    }

    private struct Page {
        var width = 0
        var height = 0
        var next = 0
    }

    private struct Reader {
        let view: ByteView
        let isLittle: Bool
        let limits: ImageLimits
        /// Entries that may still be read. Honest ones take more bytes than one each; pages that share their entries, or
        /// a chain that bites its tail, run out of it.
        var budget: Int

        func value16(_ offset: Int) throws(ImageError) -> Int {
            isLittle ? try view.little16(offset) : try view.big16(offset)
        }

        func value32(_ offset: Int) throws(ImageError) -> Int {
            isLittle ? try view.little32(offset) : try view.big32(offset)
        }

        mutating func page(at offset: Int) throws(ImageError) -> Page {
            let entries = try value16(offset)
            guard entries > 0, offset >= 8 else { throw .malformed(.tiff) }
            try spend(entries + 1)
            try view.require(2 + 12 * entries + 4, at: offset)
            var page = Page()
            var starts: Values?
            var lengths: Values?
            for index in 0..<entries {
                let entry = offset + 2 + 12 * index
                switch try value16(entry) {
                case 256: page.width = try first(of: entry)
                case 257: page.height = try first(of: entry)
                case 273, 324: starts = try values(of: entry)
                case 279, 325: lengths = try values(of: entry)
                default: try checkValues(of: entry)
                }
            }
            try limits.check(width: page.width, height: page.height, of: .tiff)
            guard let starts, let lengths, starts.count == lengths.count, starts.count > 0 else {
                throw .malformed(.tiff)
            }
            try spend(starts.count)
            for index in 0..<starts.count {
                try view.require(try value(lengths, index), at: try value(starts, index))
            }
            page.next = try value32(offset + 2 + 12 * entries)
            return page
        }

        private mutating func spend(_ entries: Int) throws(ImageError) {
            guard entries <= budget else { throw .malformed(.tiff) }
            budget -= entries
        }

        private struct Values {
            let count: Int
            let offset: Int
            let isShort: Bool
        }

        /// SHORT and LONG values; they stand in the entry itself if they fit into four bytes.
        private func values(of entry: Int) throws(ImageError) -> Values {
            let type = try value16(entry + 2)
            guard type == 3 || type == 4 else { throw .malformed(.tiff) }
            let count = try value32(entry + 4)
            let bytes = count * (type == 3 ? 2 : 4)
            let offset = bytes <= 4 ? entry + 8 : try value32(entry + 8)
            try view.require(bytes, at: offset)
            return Values(count: count, offset: offset, isShort: type == 3)
        }

        /// Whatever an entry points at must be there, understood or not.
        private func checkValues(of entry: Int) throws(ImageError) {
            let bytes = try value32(entry + 4) * Self.typeBytes(try value16(entry + 2))
            if bytes > 4 { try view.require(bytes, at: try value32(entry + 8)) }
        }

        /// TIFF 6.0 §2; 0 for types that came later.
        private static func typeBytes(_ type: Int) -> Int {
            switch type {
            case 1, 2, 6, 7: 1
            case 3, 8: 2
            case 4, 9, 11, 13: 4
            case 5, 10, 12: 8
            default: 0
            }
        }

        private func value(_ values: Values, _ index: Int) throws(ImageError) -> Int {
            values.isShort ? try value16(values.offset + 2 * index) : try value32(values.offset + 4 * index)
        }

        private func first(of entry: Int) throws(ImageError) -> Int {
            let values = try values(of: entry)
            guard values.count > 0 else { throw .malformed(.tiff) }
            return try value(values, 0)
        }
    }
}
