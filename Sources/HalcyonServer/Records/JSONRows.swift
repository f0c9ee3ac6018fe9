internal import Foundation
internal import HalcyonRecords

/// Long lists as JSON, byte for byte what the encoder with sorted keys writes. Foundation's encoder builds a tree of the
/// whole answer first, which at 200,000 guidances takes seconds and a multiple of the memory.
struct JSONRows {
    private(set) var bytes: [UInt8] = []

    mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func number(_ number: Int) { bytes.append(contentsOf: String(number).utf8) }

    mutating func text(_ text: String?) {
        guard let text else { return raw("null") }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): raw("\\\"")
            case UInt8(ascii: "\\"): raw("\\\\")
            case 0x08: raw("\\b")
            case 0x09: raw("\\t")
            case 0x0A: raw("\\n")
            case 0x0C: raw("\\f")
            case 0x0D: raw("\\r")
            case 0..<0x20:
                raw("\\u00")
                for digit in [byte >> 4, byte & 15] {
                    bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
                }
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// ISO 8601 in UTC, whole seconds.
    mutating func moment(_ date: Date) {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        let ofDay = ((seconds % 86_400) + 86_400) % 86_400
        let day = CivilDay(number: (seconds - ofDay) / 86_400)
        raw("\"")
        for (value, width, end) in [
            (day.year, 4, "-"), (day.month, 2, "-"), (day.day, 2, "T"), (ofDay / 3600, 2, ":"),
            (ofDay / 60 % 60, 2, ":"), (ofDay % 60, 2, "Z\""),
        ] {
            let digits = String(value).utf8
            bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, width - digits.count)))
            bytes.append(contentsOf: digits)
            bytes.append(contentsOf: end.utf8)
        }
    }

    mutating func student(_ student: Student, photoURL: String?) {
        raw("{\"classNumber\":")
        number(student.classNumber)
        raw(",\"grade\":")
        number(student.grade)
        raw(",\"id\":")
        number(student.id)
        raw(",\"name\":")
        text(student.name)
        raw(",\"number\":")
        number(student.number)
        raw(",\"profileImageURL\":")
        text(photoURL)
        raw("}")
    }

    mutating func guidance(_ guidance: Guidance, photoURL: String?) {
        raw("{\"classNumber\":")
        number(guidance.student.classNumber)
        raw(",\"createdAt\":")
        moment(guidance.createdAt)
        raw(",\"detail\":")
        text(guidance.detail)
        raw(",\"grade\":")
        number(guidance.student.grade)
        raw(",\"guidanceID\":")
        number(guidance.guidanceID)
        raw(",\"name\":")
        text(guidance.student.name)
        raw(",\"number\":")
        number(guidance.student.number)
        raw(",\"profileImageURL\":")
        text(photoURL)
        raw(",\"profileURLImage\":")
        text(photoURL)
        raw(",\"reason\":")
        text(guidance.reason.rawValue)
        raw(",\"studentID\":")
        number(guidance.student.id)
        raw("}")
    }

    /// A successful answer of the records envelope.
    static func answer<Row>(
        _ rows: [Row], next: String?, write: (inout JSONRows, Row) -> Void
    ) -> HTTPAnswer {
        var json = JSONRows()
        json.bytes.reserveCapacity(128 + rows.count * 320)
        json.raw("{\"code\":1000,\"isSuccess\":true,\"message\":\"done\",")
        if let next {
            json.raw("\"next\":")
            json.text(next)
            json.raw(",")
        }
        json.raw("\"result\":[")
        for (index, row) in rows.enumerated() {
            if index > 0 { json.raw(",") }
            write(&json, row)
        }
        json.raw("]}")
        return HTTPAnswer(status: 200, fields: RecordsAnswer.jsonFields, body: .bytes(json.bytes))
    }
}
