import Foundation
import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct StoredResponseTests {
    private static let response: StoredResponse = {
        var response = StoredResponse(
            status: 206, fields: [("A", "1"), ("a", "zwei, \u{e9}"), ("Leer", "")],
            requestTime: Date(timeIntervalSince1970: 784_111_777.25),
            responseTime: Date(timeIntervalSince1970: 784_111_778),
            varyNames: ["accept", "foo"], selection: ["=x", "-"], range: ContentRange("bytes 4-9/10"))
        response.answeredRange = "bytes=-6"
        return response
    }()

    @Test func whatIsWrittenIsRead() {
        #expect(StoredResponse(encoded: Self.response.encoded) == Self.response)
        var plain = Self.response
        (plain.range, plain.answeredRange, plain.varyNames, plain.selection) = (nil, nil, [], [])
        #expect(StoredResponse(encoded: plain.encoded) == plain)
    }

    @Test func whatIsCutOffOrTooLongIsNone() {
        let bytes = Self.response.encoded
        for count in 0..<bytes.count { #expect(StoredResponse(encoded: Array(bytes.prefix(count))) == nil) }
        #expect(StoredResponse(encoded: bytes + [0]) == nil)
        #expect(StoredResponse(encoded: [1] + bytes.dropFirst()) == nil)
    }

    /// Lengths that lie must not make it read or reserve beyond its bytes.
    @Test func whatIsChangedDoesNoHarm() {
        let bytes = Self.response.encoded
        for index in bytes.indices {
            for value in [0, 0x7F, 0xFF] as [UInt8] {
                var changed = bytes
                changed[index] = value
                if let read = StoredResponse(encoded: changed) { #expect(read.encoded.count <= 2 * bytes.count) }
            }
        }
    }
}
