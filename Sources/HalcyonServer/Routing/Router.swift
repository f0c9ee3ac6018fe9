/// Finds the route of a request, asks whether it may be used, and turns problems into answers. The first route that fits
/// wins: `/students/search` stands before `/students/*`.
struct Router: Sendable {
    let routes: [Route]
    let access: AccessControl

    /// Those of RFC 9110 §9.3 and PATCH (RFC 5789): known, allowed or not. Any other is 501 (RFC 9110 §9.1).
    private static let knownMethods: Set = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH",
    ]

    func answer(to request: HTTPRequest) async -> HTTPAnswer {
        guard Self.knownMethods.contains(request.method) else {
            return Problem(501, .notAllowed, "this method is not known here").answer
        }
        if request.target.isAsterisk { return answerForServer(request.method) }
        let fitting = routes.compactMap { route in
            route.parameters(of: request.target.segments).map { (route: route, parameters: $0) }
        }
        guard let (first, _) = fitting.first else {
            return Problem.notFound("there is nothing at this path").answer
        }
        guard let (route, parameters) = fitting.first(where: { $0.route.methods.contains(request.method) }) else {
            // A path that two routes fit belongs to the first: `/students/search` takes no PUT because `/students/*` does.
            let methods = fitting.filter { $0.route.parts == first.parts }.flatMap(\.route.methods)
            let allowed = Set(methods).sorted().joined(separator: ", ")
            return Problem(405, .notAllowed, "accepted here: \(allowed)", fields: [("Allow", allowed)]).answer(
                for: first.kind)
        }
        do throws(Problem) {
            try access.check(route.access, request)
            if request.isBodyTooLarge { throw Problem(413, .tooLarge, "the body is too large") }
            let answer = try await route.handler(request, parameters)
            return answer.of(route.kind, answer.source)
        } catch {
            return error.answer(for: route.kind)
        }
    }

    /// `OPTIONS *` asks about the server as a whole (RFC 9110 §9.3.7); no other method has this target.
    private func answerForServer(_ method: String) -> HTTPAnswer {
        guard method == "OPTIONS" else { return Problem(400, .wrongType, "*: accepted with OPTIONS").answer }
        let methods = Set(routes.flatMap(\.methods) + ["OPTIONS"]).sorted()
        return HTTPAnswer(status: 204, fields: [("Allow", methods.joined(separator: ", "))])
    }
}
