internal import Foundation
internal import HalcyonHTTP

/// Makes a target into a request of the fetcher.
struct RequestBuilder {
    let base: CanonicalURL
    let configuration: HalcyonClientConfiguration

    func request(_ target: some TargetType) throws(NetworkFailure) -> FetchRequest {
        var fields = HTTPFields(target.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        var query = ""
        var body: [UInt8]?
        switch target.task {
        case .plain: break
        case .query(let items): query = PathText.query(items)
        case .json(let value):
            do { body = [UInt8](try JSONEncoder().encode(value)) } catch {
                throw NetworkFailure(.unsendable, "the body has a value that JSON has no form for")
            }
            fields["Content-Type"] = "application/json"
        case .multipart(let parts):
            let multipart = MultipartBody(parts)
            body = multipart.bytes
            fields["Content-Type"] = multipart.contentType
        case .body(let bytes, let type):
            body = [UInt8](bytes)
            fields["Content-Type"] = type
        }
        var request = FetchRequest(url: try url(target.path, query: query), fields: fields)
        request.method = target.method.fetchMethod
        request.body = body
        return request
    }

    /// The path has to arrive as it was meant: a segment `..` would ask for something else.
    private func url(_ path: String, query: String) throws(NetworkFailure) -> CanonicalURL {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard path.first == "/", !segments.contains(where: { ["", ".", ".."].contains($0) }) else {
            throw NetworkFailure(
                .unsendable, "a name in the path is empty, or it is . or .., which cannot be asked for")
        }
        var text = base.text
        while text.last == "/" { text.removeLast() }
        do {
            return try CanonicalURL(text + path + query)
        } catch {
            throw NetworkFailure(.unsendable, "the address cannot be asked for: \(error)")
        }
    }
}

extension RawAnswer {
    init(_ response: FetchResponse) {
        self.init(
            status: response.status, contentType: response.fields["Content-Type"], entityTag: response.fields["ETag"],
            placeholder: response.fields["X-Halcyon-Placeholder"], body: Data(response.body))
    }
}
