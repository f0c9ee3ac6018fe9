/// The smallest PDF that is a page with a picture: ISO 32000-1 §7.5, and §7.4.8 for the JPEG, which is put in as it is.
enum PDFPage {
    /// A4 upright, 595 × 842 points; the picture is scaled to its width, from the upper edge down.
    /// - Parameter jpeg: three components of eight bits.
    static func a4(jpeg: [UInt8], width: Int, height: Int) -> [UInt8] {
        let (pageWidth, pageHeight) = (595.276, 841.89)
        let imageHeight = pageWidth * Double(height) / Double(width)
        let content = "q \(pageWidth) 0 0 \(imageHeight) 0 \(pageHeight - imageHeight) cm /Face Do Q"
        let objects: [(String, [UInt8]?)] = [
            ("<< /Type /Catalog /Pages 2 0 R >>", nil),
            ("<< /Type /Pages /Kids [3 0 R] /Count 1 >>", nil),
            (
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(pageWidth) \(pageHeight)] /Contents 4 0 R "
                    + "/Resources << /XObject << /Face 5 0 R >> >> >>", nil
            ),
            ("<< /Length \(content.utf8.count) >>", Array(content.utf8)),
            (
                "<< /Type /XObject /Subtype /Image /Width \(width) /Height \(height) /ColorSpace /DeviceRGB "
                    + "/BitsPerComponent 8 /Filter /DCTDecode /Length \(jpeg.count) >>", jpeg
            ),
        ]
        // The comment of four high bytes tells transfer programs that this is no text.
        var bytes = Array("%PDF-1.4\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3, 0x0A]
        var offsets: [Int] = []
        for (number, object) in objects.enumerated() {
            offsets.append(bytes.count)
            bytes += Array("\(number + 1) 0 obj\n\(object.0)\n".utf8)
            if let stream = object.1 { bytes += Array("stream\n".utf8) + stream + Array("\nendstream\n".utf8) }
            bytes += Array("endobj\n".utf8)
        }
        let table = bytes.count
        // Each entry has twenty bytes (§7.5.4).
        bytes += Array("xref\n0 \(objects.count + 1)\n0000000000 65535 f \n".utf8)
        for offset in offsets {
            let digits = String(offset)
            bytes += Array("\(String(repeating: "0", count: 10 - digits.count))\(digits) 00000 n \n".utf8)
        }
        bytes += Array("trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(table)\n%%EOF\n".utf8)
        return bytes
    }
}
