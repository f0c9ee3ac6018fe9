internal import HalcyonHTTP
internal import HalcyonRecords

/// Finds the route of a request, asks whether it may be used, and turns problems into answers. The first route that fits
/// wins: `/students/search` stands before `/students/{id}`.
struct Router: Sendable {
    let routes: [Route]
    let access: AccessControl

    /// Those of RFC 9110 §9.3, PATCH (RFC 5789) and QUERY: known, allowed or not. Any other is 501 (RFC 9110 §9.1).
    private static let knownMethods: Set = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY",
    ]

    private struct Refusal: Error {
        let answer: HTTPAnswer
    }

    func answer(to request: HTTPRequest) async -> HTTPAnswer {
        if request.target.isAsterisk { return answerForServer(request.method) }
        let (route, parameters): (Route, [String])
        do throws(Refusal) {
            (route, parameters) = try find(request.method, request.target)
        } catch {
            return error.answer
        }
        var request = request
        do throws(Problem) {
            request.user = try access.check(route.access, request.fields)
            if let fault = request.bodyFault { throw Problem(fault) }
            request.acceptedFields = route.note.acceptedFields
            let answer = try await run(route, request, parameters)
            return answer.of(route.kind, answer.source)
        } catch {
            return error.answer(in: route.envelope).of(route.kind)
        }
    }

    /// Whether a body is worth reading: what would be refused whatever it holds is refused before it is sent.
    func admission(method: String, target: RequestTarget, fields: HTTPFields) -> BodyAdmission {
        if target.isAsterisk { return .take(.memory()) }
        let route: Route
        do throws(Refusal) { (route, _) = try find(method, target) } catch { return .refuse(error.answer) }
        do throws(Problem) {
            _ = try access.check(route.access, fields)
            try refuseCoding(fields)
            return .take(route.body, envelope: route.envelope)
        } catch {
            return .refuse(error.answer(in: route.envelope).of(route.kind))
        }
    }

    /// RFC 9110 §15.5.16: no coding but `identity` is undone here, so that nothing is taken for what it is not.
    private func refuseCoding(_ fields: HTTPFields) throws(Problem) {
        let codings = (fields["Content-Encoding"] ?? "").lowercased().split { ", \t".contains($0) }
        guard codings.contains(where: { $0 != "identity" }) else { return }
        throw Problem(
            415, .notAllowed, "Content-Encoding: accepted is identity", fields: [("Accept-Encoding", "identity")])
    }

    /// Whatever the handler changes is done by the one who asks.
    private func run(
        _ route: Route, _ request: HTTPRequest, _ parameters: [String]
    ) async throws(Problem) -> HTTPAnswer {
        let actor: Actor = request.user.map { .user(id: $0.id) } ?? .anyone
        let result: Result<HTTPAnswer, Problem> = await Actor.$current.withValue(actor) {
            do throws(Problem) { return .success(try await route.handler(request, parameters)) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func find(_ method: String, _ target: RequestTarget) throws(Refusal) -> (Route, [String]) {
        guard Self.knownMethods.contains(method) else {
            throw Refusal(answer: Problem(501, .notAllowed, "this method is not known here").answer)
        }
        let fitting = routes.compactMap { route in
            route.parameters(of: target.segments).map { (route: route, parameters: $0) }
        }
        guard let (first, _) = fitting.first else {
            throw Refusal(answer: Problem.notFound("there is nothing at this path").answer)
        }
        // A path that two routes fit belongs to the first: `/students/search` takes no PUT although `/students/{id}` does.
        let here = fitting.filter { $0.route.hasShape(of: first) }
        if let (route, parameters) = here.first(where: { $0.route.methods.contains(method) }) {
            return (route, parameters)
        }
        let methods = here.flatMap(\.route.methods)
        let allowed = Set(methods).sorted().joined(separator: ", ")
        let problem = Problem(405, .notAllowed, "accepted here: \(allowed)", fields: [("Allow", allowed)])
        throw Refusal(answer: problem.answer(in: first.envelope).of(first.kind))
    }

    /// `OPTIONS *` asks about the server as a whole (RFC 9110 §9.3.7); no other method has this target.
    private func answerForServer(_ method: String) -> HTTPAnswer {
        guard Self.knownMethods.contains(method) else {
            return Problem(501, .notAllowed, "this method is not known here").answer
        }
        guard method == "OPTIONS" else { return Problem(400, .wrongType, "*: accepted with OPTIONS").answer }
        let methods = Set(routes.flatMap(\.methods) + ["OPTIONS"]).sorted()
        return HTTPAnswer(status: 204, fields: [("Allow", methods.joined(separator: ", "))])
    }
}
