internal import CVips

/// The operations that variants are made of. All but `bytes(of:within:_:)` only say what is to be computed.
extension Vips {
    /// 0–9; more saves little of a small picture and costs much.
    static let effortOfAVIF: Int32 = 3

    /// Whether libheif has an encoder for AV1 is only told by using it.
    private static let canWriteAVIF: Bool = {
        let result = Result { () throws(DrawingError) in
            let vips = try Vips.shared()
            let picture = try vips.image(
                drawing: "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"64\" height=\"64\"/>")
            return try vips.bytes { halcyon_vips_avifsave($0, picture.pointer, 50, effortOfAVIF, $1, $2) }
        }
        switch result {
        case .success: return true
        // Told as `noEncoder` where AVIF is asked for.
        case .failure: return false
        }
    }()

    var writesAVIF: Bool { Self.canWriteAVIF }

    /// What must be known before pixels are asked for.
    struct Header {
        /// Of one frame, an Exif orientation applied.
        let width: Int
        let height: Int
        let hasProfile: Bool
    }

    func header(of bytes: UnsafeRawBufferPointer) throws(DrawingError) -> Header {
        let opened = try image { vips, out in
            out.pointee = halcyon_vips_open_image(vips, bytes.baseAddress, bytes.count)
            return out.pointee == nil ? -1 : 0
        }
        let (width, height) = (table.get_width(opened.pointer), table.get_page_height(opened.pointer))
        let isTurned = table.get_orientation(opened.pointer) >= 5
        return Header(
            width: Int(isTurned ? height : width), height: Int(isTurned ? width : height),
            hasProfile: table.get_typeof(opened.pointer, "icc-profile-data") != 0)
    }

    /// Upright, in sRGB of 8 bits with or without alpha; frames stand below each other.
    /// - Parameter isStrict: a decoder's warnings are errors too, when the pixels are read.
    func thumbnail(
        _ bytes: UnsafeRawBufferPointer, width: Int, height: Int, hasProfile: Bool, frames: Bool, isStrict: Bool
    ) throws(DrawingError) -> Image {
        let options = (frames ? "n=-1," : "") + (isStrict ? "fail_on=warning" : "fail_on=error")
        let small = try image {
            halcyon_vips_thumbnail(
                $0, bytes.baseAddress, bytes.count, options, Int32(width), Int32(height), hasProfile ? 1 : 0, $1)
        }
        let colours = try image { halcyon_vips_srgb($0, small.pointer, $1) }
        let picture = try image { halcyon_vips_cast_byte($0, colours.pointer, $1) }
        guard table.get_width(picture.pointer) == width else { throw .library("a width that was not asked for") }
        guard Int(table.get_height(picture.pointer)) == height * (frames ? self.frames(of: picture) : 1) else {
            throw .library("a height that was not asked for")
        }
        return picture
    }

    func frames(of picture: Image) -> Int { Int(table.get_n_pages(picture.pointer)) }

    func cut(
        _ picture: Image, frames: Int, frameHeight: Int, left: Int, top: Int, width: Int, height: Int
    ) throws(DrawingError) -> Image {
        var parts: [Image] = []
        for frame in 0..<frames {
            parts.append(
                try image {
                    halcyon_vips_extract_area(
                        $0, picture.pointer, Int32(left), Int32(frame * frameHeight + top), Int32(width), Int32(height),
                        $1)
                })
        }
        guard frames > 1 else { return parts[0] }
        var pointers: [OpaquePointer?] = parts.map(\.pointer)
        return try image { halcyon_vips_stack($0, &pointers, Int32(frames), $1) }
    }

    func flattened(_ picture: Image) throws(DrawingError) -> Image {
        guard table.has_alpha(picture.pointer) != 0 else { return picture }
        return try image { halcyon_vips_flatten_white($0, picture.pointer, $1) }
    }

    /// Makes what lies outside the rounded rectangle transparent.
    func rounded(
        _ picture: Image, frames: Int, width: Int, height: Int, radius: Double
    ) throws(DrawingError) -> Image {
        let drawn = try image(
            drawing: """
                <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)">\
                <rect width="\(width)" height="\(height)" rx="\(radius)" ry="\(radius)"/></svg>
                """)
        let shape = try image { halcyon_vips_extract_bands($0, drawn.pointer, 3, 1, $1) }
        var mask = frames > 1 ? try image { halcyon_vips_repeat_down($0, shape.pointer, Int32(frames), $1) } : shape
        guard table.has_alpha(picture.pointer) != 0 else {
            return try image { halcyon_vips_join_bands($0, picture.pointer, mask.pointer, $1) }
        }
        let colours = try image { halcyon_vips_extract_bands($0, picture.pointer, 0, 3, $1) }
        let alpha = try image { halcyon_vips_extract_bands($0, picture.pointer, 3, 1, $1) }
        mask = try image { halcyon_vips_multiply_bytes($0, alpha.pointer, mask.pointer, $1) }
        return try image { halcyon_vips_join_bands($0, colours.pointer, mask.pointer, $1) }
    }

    /// Computes and encodes.
    /// - Throws: `deadline`, as soon as the strip at work is done, also if it was the last one.
    func bytes(
        of picture: Image, within timeLimit: Duration,
        _ save: (
            UnsafePointer<halcyon_vips>, UnsafeMutablePointer<UnsafeMutableRawPointer?>, UnsafeMutablePointer<Int>
        ) -> Int32
    ) throws(DrawingError) -> [UInt8] {
        let (seconds, attoseconds) = timeLimit.components
        let nanoseconds = halcyon_vips_now() + seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        let deadline = UnsafeMutablePointer<halcyon_vips_deadline>.allocate(capacity: 1)
        deadline.initialize(to: halcyon_vips_deadline(set_kill: nil, nanoseconds: nanoseconds, has_passed: 0))
        defer { deadline.deallocate() }
        withUnsafePointer(to: table) { halcyon_vips_set_deadline($0, picture.pointer, deadline) }
        let result = Result { () throws(DrawingError) in try bytes(save) }
        // Whether it was stopped, or came too late in one go.
        guard deadline.pointee.has_passed == 0, halcyon_vips_now() < nanoseconds else { throw .deadline }
        return try result.get()
    }

    /// A contact sheet's pixels; those of a PDF are JPEG too.
    func page(_ drawn: Image, as format: ContactSheet.Format) throws(DrawingError) -> [UInt8] {
        try bytes { vips, bytes, count in
            switch format {
            case .png: halcyon_vips_pngsave(vips, drawn.pointer, 6, bytes, count)
            case .jpeg: halcyon_vips_jpegsave(vips, drawn.pointer, 85, bytes, count)
            case .pdf: halcyon_vips_jpegsave(vips, drawn.pointer, 92, bytes, count)
            }
        }
    }
}
