/// Finds the route of a request, asks whether it may be used, and turns problems into answers. The first route that fits
/// wins: `/students/search` stands before `/students/*`.
struct Router: Sendable {
    let routes: [Route]
    let access: AccessControl

    func answer(to request: HTTPRequest) async -> HTTPAnswer {
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
}
