internal import Glibc

/// What is shown where there is no photo.
package enum Placeholder {
    /// The operator's file may be this large; it is kept in memory and sent often.
    package static let fileLimitBytes = 1024 * 1024

    /// A neutral head and shoulders on a soft ground, square, as PNG of a few KiB. Shapes only: no font is needed.
    /// - Parameter size: pixels a side, from 1; 4096 at most.
    package static func silhouette(size: Int = 256) throws(DrawingError) -> [UInt8] {
        let side = min(max(size, 1), 4096)
        return try Vips.shared().png(
            drawing: """
                <svg xmlns="http://www.w3.org/2000/svg" width="\(side)" height="\(side)" viewBox="0 0 256 256">
                <defs>
                <radialGradient id="ground" cx="0.5" cy="0.4" r="0.75">
                <stop offset="0" stop-color="#f4f6f9"/><stop offset="1" stop-color="#d5dce5"/>
                </radialGradient>
                <linearGradient id="head" x1="0" y1="0" x2="0" y2="1">
                <stop offset="0" stop-color="#b9c4d0"/><stop offset="1" stop-color="#a6b3c1"/>
                </linearGradient>
                <linearGradient id="shoulders" x1="0" y1="0" x2="0" y2="1">
                <stop offset="0" stop-color="#9dabbb"/><stop offset="1" stop-color="#8695a7"/>
                </linearGradient>
                </defs>
                <rect width="256" height="256" fill="url(#ground)"/>
                <path fill="#8f9eaf" d="M104 136 H152 V168 C152 178 166 182 174 186 L128 212 L82 186 C90 182 104 178 104 168 Z"/>
                <path fill="url(#shoulders)" d="M94 178 C104 198 152 198 162 178 C200 190 226 204 230 256 L26 256 \
                C30 204 56 190 94 178 Z"/>
                <path fill="url(#head)" d="M128 46 C157 46 176 67 175 98 C174 130 152 158 128 158 \
                C104 158 82 130 81 98 C80 67 99 46 128 46 Z"/>
                </svg>
                """)
    }

    /// The operator's file, probed. Blocks.
    /// - Throws: `unreadableFile`, `fileTooLarge`, `unusableFile`; the last also for formats that browsers do not show.
    package static func file(
        _ path: String, limits: ImageLimits = .init()
    ) throws(DrawingError) -> (bytes: [UInt8], info: ImageInfo) {
        let bytes = try contents(of: path)
        let info: ImageInfo
        do throws(ImageError) {
            info = try ImageProbe.probe(bytes, limits: limits)
        } catch {
            throw .unusableFile(path: path, error)
        }
        guard [.jpeg, .png, .gif, .webp, .avif].contains(info.format) else {
            throw .unusableFile(path: path, .unsupported(info.format))
        }
        return (bytes, info)
    }

    private static func contents(of path: String) throws(DrawingError) -> [UInt8] {
        func failure() -> DrawingError { .unreadableFile(path: path, reason: String(cString: strerror(errno))) }

        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: fileLimitBytes + 1)
        var filled = 0
        while filled < bytes.count {
            let received = bytes.withUnsafeMutableBytes { buffer in
                read(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
            }
            if received < 0, errno == EINTR { continue }
            guard received >= 0 else { throw failure() }
            if received == 0 { return Array(bytes[..<filled]) }
            filled += received
        }
        throw .fileTooLarge(path: path, limitBytes: fileLimitBytes)
    }
}
