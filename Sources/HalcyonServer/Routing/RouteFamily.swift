/// Routes that belong together, with the named schemas of what they answer.
protocol RouteFamily: Sendable {
    static var schemas: [String: JSONSchema] { get }

    var routes: [Route] { get }
}

extension RouteFamily {
    static var schemas: [String: JSONSchema] { [:] }
}
