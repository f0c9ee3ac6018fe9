/// Which fields of a request chose a response (RFC 9110 §12.5.5, RFC 9111 §4.1).
package enum Vary: Sendable, Hashable {
    /// Not by anything that a cache can see.
    case anything
    /// In lower case and in order; none if the field is missing or empty.
    case fields([String])

    package init(_ fields: HTTPFields) {
        var names: Set<String> = []
        for line in fields.values(of: "Vary") {
            for element in FieldList.elements(of: line) {
                if element == "*" {
                    self = .anything
                    return
                }
                names.insert(element.lowercased())
            }
        }
        self = .fields(names.sorted())
    }

    /// What a request says in the named fields, so that two requests with the same text get the same response. Lines of a
    /// field are joined and whitespace round commas is dropped. Of `Accept-Language` neither case nor order mean anything:
    /// preferences are said by weights (RFC 9110 §12.5.4).
    package static func selection(_ names: [String], _ request: HTTPFields) -> [String] {
        names.map { name in
            let lines = request.values(of: name)
            guard !lines.isEmpty else { return "-" }
            let elements = lines.flatMap { FieldList.elements(of: $0) }
            guard name == "accept-language" else { return "=" + elements.joined(separator: ",") }
            return "="
                + elements.map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }.sorted().joined(separator: ",")
        }
    }
}
