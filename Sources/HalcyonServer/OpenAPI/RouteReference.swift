/// The table of `docs/routes.md`: who may use which route. Made from the routes, so that it cannot differ from them.
enum RouteReference {
    static func markdown(_ routes: [Route]) -> String {
        let rows = routes.map { route in
            let methods = route.methods.filter { $0 != "HEAD" || !route.methods.contains("GET") }
            return
                "| `\(methods.joined(separator: ", ")) \(route.path)` | \(route.access.label) | \(route.note.summary) |"
        }
        return """
            # Routes

            Who may use what. Each role may do what the ones before it may: viewer, staff, admin. "Anyone" needs no token at
            all; "signed in" needs one even where nobody has to sign in. The same routes with what they take and answer are
            at `/openapi.json` of a running server. GET stands for HEAD too.
            Written by `HALCYON_UPDATE_DOCS=1 scripts/test --filter RouteTableTests`; the same test keeps it equal to the code.

            | route | for | what it does |
            |---|---|---|

            """ + rows.joined(separator: "\n") + "\n"
    }
}
