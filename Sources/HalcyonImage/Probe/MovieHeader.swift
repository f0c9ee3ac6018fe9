/// What a `moov` box says of an image sequence: the size of its first track and the number of samples in it.
struct MovieHeader {
    let width: Int
    let height: Int
    let frames: Int

    init(_ moov: BoxReader.Box, format: ImageFormat, limits: ImageLimits) throws(ImageError) {
        guard let track = try moov.child("trak"), let header = try track.child("tkhd"),
            let media = try track.child("mdia"), let information = try media.child("minf"),
            let table = try information.child("stbl"), let sizes = try table.child("stsz")
        else { throw .malformed(format) }
        // The last two fields, in 16.16 fixed point; what stands before them depends on the version.
        let fields = try header.contents()
        width = try fields.big32(fields.count - 8) >> 16
        height = try fields.big32(fields.count - 4) >> 16
        frames = try sizes.contents().big32(8)
        try limits.check(width: width, height: height, of: format)
        try limits.check(frames: frames, width: width, height: height)
    }
}
