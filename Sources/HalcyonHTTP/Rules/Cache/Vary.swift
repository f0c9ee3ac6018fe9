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

    /// What a response says of who may have it: as ``selection(_:_:)``, but one in the language that its request wanted most
    /// is for everyone who wants that language most, whatever else they would have taken (RFC 9110 §12.5.4).
    package static func selection(_ names: [String], _ request: HTTPFields, response: HTTPFields) -> [String] {
        guard names.contains(language), let field = response["Content-Language"]?.lowercased(),
            preferredLanguages(request).contains(field)
        else { return selection(names, request) }
        return replacing(selection(names, request), names, field)
    }

    /// The selections that the request is served by, its own text first.
    package static func selections(_ names: [String], _ request: HTTPFields) -> [[String]] {
        let own = selection(names, request)
        guard names.contains(language) else { return [own] }
        return [own] + preferredLanguages(request).prefix(maximumLanguages).map { replacing(own, names, $0) }
    }

    private static let language = "accept-language"
    private static let maximumLanguages = 4

    private static func replacing(_ selection: [String], _ names: [String], _ tag: String) -> [String] {
        zip(names, selection).map { $0 == language ? "language:" + tag : $1 }
    }

    /// Those of the greatest weight, in lower case; a range of all languages is none.
    private static func preferredLanguages(_ request: HTTPFields) -> [String] {
        var tags: [String] = []
        var greatest = 1
        for element in request.values(of: language).flatMap({ FieldList.elements(of: $0) }) {
            let parts = element.split(separator: ";", maxSplits: 1).map { ASCII.trimmed($0) }
            guard let tag = parts.first, let weight = parts.count == 1 ? 1000 : QualityValue.parameter(parts[1]),
                weight >= greatest
            else { continue }
            if weight > greatest { tags = [] }
            greatest = weight
            tags.append(tag.lowercased())
        }
        return tags.filter { $0 != "*" }
    }
}
