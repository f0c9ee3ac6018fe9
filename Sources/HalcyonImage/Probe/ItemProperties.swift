/// What a `meta` box says of its items: which one is primary, how large it is, where the bytes lie.
struct ItemProperties {
    private let format: ImageFormat
    private let limits: ImageLimits
    private let primary: Int
    private let properties: BoxReader.Box
    private let locations: BoxReader.Box

    init(_ meta: BoxReader.Box, format: ImageFormat, limits: ImageLimits) throws(ImageError) {
        self.format = format
        self.limits = limits
        guard let pitm = try meta.child("pitm", skipping: 4), let iprp = try meta.child("iprp", skipping: 4),
            let iloc = try meta.child("iloc", skipping: 4)
        else { throw .malformed(format) }
        let fields = try pitm.contents()
        primary = try fields.byte(0) == 0 ? fields.big16(4) : fields.big32(4)
        properties = iprp
        locations = iloc
    }

    /// Width and height of the primary item after its rotation, once the bytes of every item were found to be there.
    func primarySize(file: ByteView) throws(ImageError) -> (width: Int, height: Int) {
        let (size, isTurned) = try associatedSize()
        try checkExtents(file: file)
        return isTurned ? (size.height, size.width) : size
    }

    private typealias Size = (width: Int, height: Int)

    /// From the `ispe` and `irot` properties that `ipma` gives to the primary item. Every size in the container, those of
    /// tiles and thumbnails too, is judged.
    private func associatedSize() throws(ImageError) -> (size: Size, isTurned: Bool) {
        guard let container = try properties.child("ipco") else { throw .malformed(format) }
        let indices = try associations()
        var size: Size?
        var isTurned = false
        var index = 0
        var reader = try container.children()
        while let property = try reader.next() {
            index += 1
            if property.isType("ispe") {
                let fields = try property.contents()
                let (width, height) = (try fields.big32(4), try fields.big32(8))
                try limits.check(width: width, height: height, of: format)
                if indices.contains(index) { size = (width, height) }
            } else if property.isType("irot"), indices.contains(index) {
                isTurned = try property.contents().byte(0) & 1 == 1
            }
        }
        guard let size else { throw .malformed(format) }
        return (size, isTurned)
    }

    /// The properties of the primary item, counted from 1. An item has at most 255.
    private func associations() throws(ImageError) -> [Int] {
        var reader = try properties.children()
        while let box = try reader.next() {
            guard box.isType("ipma") else { continue }
            let fields = try box.contents()
            let isWideItem = try fields.byte(0) > 0
            let isWideIndex = try fields.byte(3) & 1 == 1
            var offset = 8
            // Every round reads at least three bytes, so the length of the box bounds the rounds.
            for _ in 0..<(try fields.big32(4)) {
                let item = try isWideItem ? fields.big32(offset) : fields.big16(offset)
                offset += isWideItem ? 4 : 2
                let count = try fields.byte(offset)
                offset += 1
                if item == primary {
                    var indices: [Int] = []
                    for place in 0..<count {
                        let index =
                            try isWideIndex
                            ? fields.big16(offset + 2 * place) & 0x7FFF : fields.byte(offset + place) & 0x7F
                        indices.append(index)
                    }
                    return indices
                }
                offset += isWideIndex ? 2 * count : count
            }
        }
        throw .malformed(format)
    }

    /// `iloc` (ISO/IEC 14496-12 §8.11.3). Extents in the file must lie inside it; those in `idat` or in another item are
    /// bounded by boxes that were found to be whole.
    private func checkExtents(file: ByteView) throws(ImageError) {
        let fields = try locations.contents()
        let version = try fields.byte(0)
        guard version <= 2 else { throw .malformed(format) }
        let widths = try fields.big16(4)
        let (offsetBytes, lengthBytes, baseBytes) = (widths >> 12, widths >> 8 & 15, widths >> 4 & 15)
        let indexBytes = version > 0 ? widths & 15 : 0
        for bytes in [offsetBytes, lengthBytes, baseBytes, indexBytes] where bytes != 0 && bytes != 4 && bytes != 8 {
            throw .malformed(format)
        }
        var offset = 6
        func read(_ bytes: Int) throws(ImageError) -> Int {
            defer { offset += bytes }
            switch bytes {
            case 2: return try fields.big16(offset)
            case 4: return try fields.big32(offset)
            case 8: return try fields.big64(offset)
            default: return 0
            }
        }
        var hasPrimary = false
        // Every round reads at least six bytes, and an extent of no bytes is refused, so the box bounds both loops.
        for _ in 0..<(try read(version < 2 ? 2 : 4)) {
            let item = try read(version < 2 ? 2 : 4)
            let method = version > 0 ? try read(2) & 15 : 0
            _ = try read(2)
            let base = try read(baseBytes)
            let extents = try read(2)
            hasPrimary = hasPrimary || item == primary
            guard extents == 0 || offsetBytes + lengthBytes > 0 || extents == 1 else { throw .malformed(format) }
            for _ in 0..<extents {
                _ = try read(indexBytes)
                let (start, overflows) = base.addingReportingOverflow(try read(offsetBytes))
                let length = try read(lengthBytes)
                guard method == 0 else { continue }
                guard !overflows else { throw .truncated }
                try file.require(length, at: start)
            }
        }
        guard hasPrimary else { throw .malformed(format) }
    }
}
