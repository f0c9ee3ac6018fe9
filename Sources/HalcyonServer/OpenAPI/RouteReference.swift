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
            What lies below a `--mount` is another server's: [mounts.md](mounts.md).
            Written by `HALCYON_UPDATE_DOCS=1 scripts/test --filter RouteTableTests`; the same test keeps it equal to the code.

            What is no HTTP at all never reaches a route: libmicrohttpd answers it with a page of HTML instead of the envelope and
            closes, and has no hook for it. That is 414 for a request line and 431 for a header beyond what a connection may
            hold (16 KiB; a header of more than 8 KiB is 431 in the envelope), 400 for a broken chunk or `Content-Length`, and
            505 for another version of HTTP.

            | route | for | what it does |
            |---|---|---|

            """ + rows.joined(separator: "\n") + "\n"
    }
}
