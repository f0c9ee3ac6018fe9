internal import Foundation
internal import Glibc

/// A line being written out. Control characters never reach the output, so that a value cannot forge a line.
struct LogLine {
    private let isJSON: Bool
    private var bytes: [UInt8] = []

    init(isJSON: Bool) {
        self.isJSON = isJSON
        bytes.reserveCapacity(256)
    }

    mutating func append(_ name: String, _ value: LogFields.Value) {
        if isJSON {
            bytes.append(bytes.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
            quote(name)
            bytes.append(UInt8(ascii: ":"))
        } else {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
            bytes.append(contentsOf: name.utf8)
            bytes.append(UInt8(ascii: "="))
        }
        switch value {
        case .text(let text):
            let isPlain = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7F }
            if !isJSON && isPlain { bytes.append(contentsOf: text.utf8) } else { quote(text) }
        case .number(let number): bytes.append(contentsOf: String(number).utf8)
        case .decimal(let number): bytes.append(contentsOf: (number.isFinite ? String(number) : "null").utf8)
        case .flag(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        }
    }

    var finished: [UInt8] { bytes + (isJSON ? [UInt8(ascii: "}"), UInt8(ascii: "\n")] : [UInt8(ascii: "\n")]) }

    /// RFC 8259 §7.
    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20, 0x7F: bytes += Array("\\u00".utf8) + [Self.digit(byte >> 4), Self.digit(byte & 15)]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// RFC 3339 in UTC, milliseconds.
    static func timestamp() -> String {
        let now = Date().timeIntervalSince1970
        var seconds = Int(now.rounded(.down))
        let milliseconds = Int((now - Double(seconds)) * 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date = [
            padded(Int(parts.tm_year) + 1900, 4), padded(Int(parts.tm_mon) + 1, 2), padded(Int(parts.tm_mday), 2),
        ].joined(separator: "-")
        let time = [Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec)].map { padded($0, 2) }.joined(
            separator: ":")
        return "\(date)T\(time).\(padded(milliseconds, 3))Z"
    }
}
