import CVips
import Foundation
import Testing

/// An encoded picture as sRGB pixels, read by libvips without any of the code under test.
struct Pixels {
    let width: Int
    let height: Int
    /// 3, or 4 with alpha.
    let bands: Int
    let bytes: [UInt8]

    init(_ encoded: [UInt8]) throws {
        let vips = try Library.shared.get()
        (width, height, bands, bytes) = try encoded.withUnsafeBytes { buffer in
            let opened = try #require(
                withUnsafePointer(to: vips.table) { halcyon_vips_open_image($0, buffer.baseAddress, buffer.count) })
            defer { vips.table.unref(UnsafeMutableRawPointer(opened)) }
            var colours: OpaquePointer?
            try #require(withUnsafePointer(to: vips.table) { halcyon_vips_srgb($0, opened, &colours) } == 0)
            let picture = try #require(colours)
            defer { vips.table.unref(UnsafeMutableRawPointer(picture)) }
            var size = 0
            let memory = try #require(vips.writeToMemory(picture, &size))
            defer { vips.table.free(memory) }
            return (
                Int(vips.table.get_width(picture)), Int(vips.table.get_height(picture)),
                Int(vips.table.get_bands(picture)), Array(UnsafeRawBufferPointer(start: memory, count: size))
            )
        }
        try #require(bytes.count == width * height * bands)
    }

    subscript(x: Int, y: Int) -> [Int] {
        let start = (y * width + x) * bands
        return bytes[start..<start + bands].map(Int.init)
    }

    /// The mean over all pixels of CIE 1976 ΔE, colours of transparent pixels counting by their alpha.
    func meanDifference(from other: Pixels) throws -> Double {
        try #require((width, height) == (other.width, other.height))
        var sum = 0.0
        for y in 0..<height {
            for x in 0..<width {
                let (one, two) = (Self.lab(self[x, y]), Self.lab(other[x, y]))
                sum += zip(one, two).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
            }
        }
        return sum / Double(width * height)
    }

    /// On white; D65, IEC 61966-2-1.
    private static func lab(_ pixel: [Int]) -> [Double] {
        let alpha = pixel.count == 4 ? Double(pixel[3]) / 255 : 1
        let rgb = pixel.prefix(3).map { value in
            let level = (Double(value) * alpha + 255 * (1 - alpha)) / 255
            return level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
        }
        let xyz = [
            (0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505,
            0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2],
            (0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.089,
        ].map { $0 > 0.008856 ? cbrt($0) : 7.787 * $0 + 16.0 / 116 }
        return [116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])]
    }

    private struct Library: @unchecked Sendable {
        // Guard: written once, only read after; libvips may be called from any thread.
        let table: halcyon_vips
        let writeToMemory: @convention(c) (OpaquePointer, UnsafeMutablePointer<Int>) -> UnsafeMutableRawPointer?

        static let shared = Result { try Library() }

        private init() throws {
            var table = halcyon_vips()
            try #require(halcyon_vips_open(&table) == nil)
            try #require(table.`init`("tests") == 0)
            self.table = table
            let library = try #require(dlopen("libvips.so.42", RTLD_NOW))
            let symbol = try #require(dlsym(library, "vips_image_write_to_memory"))
            writeToMemory = unsafeBitCast(symbol, to: type(of: writeToMemory))
        }
    }
}
