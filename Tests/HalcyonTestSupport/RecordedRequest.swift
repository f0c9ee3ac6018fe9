/// One request as it arrived at a ``ScriptedOrigin``.
package struct RecordedRequest: Sendable, Hashable {
    package struct Field: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    package let method: String
    /// Path and query as sent.
    package let target: String
    package let fields: [Field]
    /// Request line and fields, as sent.
    package let head: String
    package let body: [UInt8]
    /// Which connection it came on, counted from 1.
    package let connection: Int

    package var path: String { String(target.prefix { $0 != "?" }) }

    /// The first field of that name, in any case.
    package subscript(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    init?(head: String, body: [UInt8], connection: Int) {
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)[...]
        let start = (lines.popFirst() ?? "").split(separator: " ")
        guard start.count == 3 else { return nil }
        method = String(start[0])
        target = String(start[1])
        fields = lines.map { line in
            let name = line.prefix { $0 != ":" }
            return Field(name: String(name), value: line.dropFirst(name.count + 1).drop { $0 == " " }.description)
        }
        self.head = head
        self.body = body
        self.connection = connection
    }
}
