/// Small valid images and compressed bodies, put together byte by byte from the format specifications.
package enum SampleImage {
    /// A grey PNG (8 bits, one stored deflate block a row group) whose pixels depend on `seed`: distinct seeds, distinct
    /// bytes. Height × (width + 1) must stay under 65,536.
    package static func png(width: Int = 8, height: Int = 8, seed: UInt64 = 1) -> [UInt8] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        var rows: [UInt8] = []
        for _ in 0..<height {
            rows.append(0)
            for _ in 0..<width {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                rows.append(UInt8(truncatingIfNeeded: state >> 56))
            }
        }
        precondition(rows.count < 65_536, "one stored block holds at most 65,535 bytes")
        let length = UInt16(rows.count)
        var data: [UInt8] = [0x78, 0x01, 0x01]
        data += [UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8)]
        data += rows
        data += bigEndian(adler32(rows))
        let header = bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 0, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", header) + chunk("IDAT", data) + chunk("IEND", [])
    }

    /// A gzip member (RFC 1952) of `count` zero bytes in about a thousandth of the size.
    package static func gzipBomb(decodedBytes count: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.write(0b011, count: 3)  // last block, fixed Huffman codes (RFC 1951 §3.2.6), least significant bit first
        bits.writeCode(0x30, count: 8)  // the literal 0
        var left = count - 1
        while left >= 258 {
            bits.writeCode(0b1100_0101, count: 8)  // length 258: code 285
            bits.writeCode(0, count: 5)  // distance 1
            left -= 258
        }
        for _ in 0..<left { bits.writeCode(0x30, count: 8) }
        bits.writeCode(0, count: 7)  // end of block
        let crc = crc32Zeroes(count)
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + bits.bytes + littleEndian(crc)
            + littleEndian(UInt32(truncatingIfNeeded: count))
    }

    private struct BitWriter {
        private var whole: [UInt8] = []
        private var current: UInt8 = 0
        private var used = 0

        var bytes: [UInt8] { used == 0 ? whole : whole + [current] }

        mutating func write(_ value: Int, count: Int) {
            for bit in 0..<count {
                current |= UInt8((value >> bit) & 1) << used
                used += 1
                if used == 8 {
                    whole.append(current)
                    current = 0
                    used = 0
                }
            }
        }

        /// Huffman codes are packed starting with their most significant bit.
        mutating func writeCode(_ code: Int, count: Int) {
            for bit in (0..<count).reversed() { write(code >> bit, count: 1) }
        }
    }

    private static let crcTable: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { crcTable[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
    }

    private static func crc32Zeroes(_ count: Int) -> UInt32 {
        var crc = ~UInt32(0)
        for _ in 0..<count { crc = crcTable[Int(UInt8(truncatingIfNeeded: crc))] ^ (crc >> 8) }
        return ~crc
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var low: UInt32 = 1
        var high: UInt32 = 0
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return bigEndian(UInt32(data.count)) + body + bigEndian(crc32(body))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
    }

    private static func littleEndian(_ value: UInt32) -> [UInt8] { bigEndian(value).reversed() }
}
