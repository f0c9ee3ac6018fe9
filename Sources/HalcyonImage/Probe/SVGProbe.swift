/// SVG is recognised so that it can be refused; where it is allowed, its size is read from the root element.
enum SVGProbe {
    private static let spaces: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]

    /// Whether the first element is `svg`, after a byte order mark, spaces, XML declaration, comments and document type.
    static func isSVG(_ view: ByteView) -> Bool { rootName(view) != nil }

    static func probe(_ view: ByteView, limits: ImageLimits) throws(ImageError) -> ImageInfo {
        guard let name = rootName(view) else { throw .notAnImage }
        guard let end = endOfTag(view, from: name.upperBound) else { throw .truncated }
        guard view[end - 1] == UInt8(ascii: "/") || isClosed(view, name: name, from: end) else { throw .truncated }
        let attributes = attributes(view, in: name.upperBound..<end)
        var width = length(attributes["width"]) ?? 0
        var height = length(attributes["height"]) ?? 0
        if width == 0 || height == 0 {
            let box = (attributes["viewBox"] ?? "").split { $0 == " " || $0 == "," }.map { length(String($0)) ?? 0 }
            (width, height) = box.count == 4 ? (box[2], box[3]) : (0, 0)
        }
        guard width > 0, height > 0 else { return ImageInfo(format: .svg, pixelWidth: 0, pixelHeight: 0) }
        try limits.check(width: width, height: height, of: .svg)
        return ImageInfo(format: .svg, pixelWidth: width, pixelHeight: height)
    }

    /// Where the name of the root element stands, if it is `svg` with or without a prefix.
    private static func rootName(_ view: ByteView) -> Range<Int>? {
        var offset = view.isBig16(0xEFBB, at: 0) && view[2] == 0xBF ? 3 : 0
        while true {
            while let byte = view[offset], spaces.contains(byte) { offset += 1 }
            guard view[offset] == UInt8(ascii: "<") else { return nil }
            if view.has("<!--", at: offset) {
                guard let end = end(of: "-->", in: view, from: offset + 4) else { return nil }
                offset = end
            } else if view.has("<?", at: offset) {
                guard let end = end(of: "?>", in: view, from: offset + 2) else { return nil }
                offset = end
            } else if view.has("<!", at: offset) {
                guard let end = endOfDocumentType(view, from: offset + 2) else { return nil }
                offset = end
            } else {
                return svgName(view, from: offset + 1)
            }
        }
    }

    private static func svgName(_ view: ByteView, from start: Int) -> Range<Int>? {
        var end = start
        var local = start
        while let byte = view[end], !spaces.contains(byte), byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") {
            end += 1
            if byte == UInt8(ascii: ":") { local = end }
            guard end - start <= 64 else { return nil }
        }
        return view.has("svg", at: local) && end == local + 3 ? start..<end : nil
    }

    private static func end(of mark: StaticString, in view: ByteView, from start: Int) -> Int? {
        var offset = start
        while let found = view.firstIndex(of: mark.utf8Start.pointee, from: offset) {
            if view.has(mark, at: found) { return found + mark.utf8CodeUnitCount }
            offset = found + 1
        }
        return nil
    }

    /// A document type may hold declarations in brackets.
    private static func endOfDocumentType(_ view: ByteView, from start: Int) -> Int? {
        var depth = 0
        var offset = start
        while let byte = view[offset] {
            offset += 1
            switch byte {
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0: return offset
            default: break
            }
        }
        return nil
    }

    /// The place of the `>` that ends a tag, quoted values passed over.
    private static func endOfTag(_ view: ByteView, from start: Int) -> Int? {
        var quote: UInt8?
        var offset = start
        while let byte = view[offset] {
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return offset
            }
            offset += 1
        }
        return nil
    }

    /// Whether the end tag of the root stands anywhere after its start tag.
    private static func isClosed(_ view: ByteView, name: Range<Int>, from start: Int) -> Bool {
        var offset = start
        while let found = end(of: "</", in: view, from: offset) {
            offset = found
            guard zip(name, found...).allSatisfy({ view[$0] == view[$1] }) else { continue }
            var after = found + name.count
            while let byte = view[after], spaces.contains(byte) { after += 1 }
            if view[after] == UInt8(ascii: ">") { return true }
        }
        return false
    }

    /// `name="value"` pairs up to the first thing that is none. Values of more than 128 bytes are passed over.
    private static func attributes(_ view: ByteView, in range: Range<Int>) -> [String: String] {
        var attributes: [String: String] = [:]
        var offset = range.lowerBound
        func skip(_ isSkipped: (UInt8) -> Bool) -> Range<Int> {
            let start = offset
            while offset < range.upperBound, let byte = view[offset], isSkipped(byte) { offset += 1 }
            return start..<offset
        }
        func text(_ range: Range<Int>) -> String { String(decoding: range.compactMap { view[$0] }, as: UTF8.self) }
        while offset < range.upperBound {
            _ = skip(spaces.contains)
            let name = skip { $0 != UInt8(ascii: "=") && !spaces.contains($0) }
            _ = skip { $0 == UInt8(ascii: "=") || spaces.contains($0) }
            guard let quote = view[offset], quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { break }
            offset += 1
            let value = skip { $0 != quote }
            offset += 1
            if name.count <= 16, value.count <= 128 { attributes[text(name)] = text(value) }
        }
        return attributes
    }

    /// Numbers without unit, or in `px`; other units, and percentages, say nothing of pixels.
    private static func length(_ text: String?) -> Int? {
        guard let text else { return nil }
        let number = text.hasSuffix("px") ? String(text.dropLast(2)) : text
        return Double(number).map(pixels)
    }

    private static func pixels(_ number: Double) -> Int {
        number > 0 ? Int(min(number.rounded(.up), 1e9)) : 0
    }
}
