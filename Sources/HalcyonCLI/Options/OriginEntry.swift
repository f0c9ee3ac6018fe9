internal import Halcyon
internal import HalcyonHTTP

/// One entry of `origins` in the configuration file: what is known of a photo host beyond its name.
struct OriginEntry: Sendable, Hashable {
    /// A secret as it is written: in the file itself, or a reference to where it is.
    enum Secret: Sendable, Hashable {
        case value(String)
        case file(String)
        case environment(String)
    }

    /// `HOST[:PORT]`, as in `--allow-origin`.
    var host: String
    /// CIDR ranges that the host may resolve to although they are not public.
    var addresses: [String] = []
    /// `nil`: `--disk-expiry`.
    var expiry: CacheExpiration?
    var memoryOnly = false
    /// Sent with each request to this host.
    var headers: [String: Secret] = [:]
    /// The value of `Authorization`.
    var credentials: Secret?
    /// Query items left out of the cache key, such as those of a signature that changes with every call.
    var droppedQueryItems: [String] = []

    /// The entry in the words of `--allow-origin`.
    var ruleText: String {
        addresses.isEmpty ? host : "\(host)=\(addresses.joined(separator: ","))"
    }
}

extension OriginEntry {
    private enum Key: String, CaseIterable {
        case host, addresses, expiry, memoryOnly, headers, credentials, droppedQueryItems
    }

    /// - Parameter place: `FILE: origins[2]`, for the message.
    init(_ json: JSONValue, place: String) throws(UsageError) {
        guard case .object(let object) = json else {
            throw UsageError("\(place): expected an object with at least \"host\"")
        }
        for key in object.keys.sorted() where Key(rawValue: key) == nil {
            throw .unknownKey(key, place: place, known: Key.allCases.map(\.rawValue))
        }
        let acceptedHost = "HOST or HOST:PORT, such as photos.school.example"
        guard case .string(let host)? = object[Key.host.rawValue] else {
            throw UsageError("\(place).host: expected \(acceptedHost)")
        }
        try Self.check(host, isHost: true, place: "\(place).host", accepted: acceptedHost)
        self.init(host: host)
        for (name, value) in object {
            let place = "\(place).\(name)"
            switch Key(rawValue: name) {
            case .addresses:
                addresses = try Self.texts(value, place: place, accepted: "CIDR ranges, such as [\"10.2.0.0/24\"]")
                for (index, range) in addresses.enumerated() {
                    try Self.check(
                        range, isHost: false, place: "\(place)[\(index)]", accepted: "a CIDR range, such as 10.2.0.0/24"
                    )
                }
            case .droppedQueryItems:
                droppedQueryItems = try Self.texts(value, place: place, accepted: "names of query items")
            case .memoryOnly:
                guard case .bool(let isMemoryOnly) = value else { throw UsageError("\(place): expected true or false") }
                memoryOnly = isMemoryOnly
            case .expiry:
                guard case .string(let text) = value else {
                    throw UsageError("\(place): expected a text: \(ExpiryText.accepted(allowsOrigin: true))")
                }
                expiry = ExpiryText.parse(text, allowsOrigin: true)
                guard expiry != nil else {
                    throw UsageError(
                        "\(place): \"\(Shown.value(text))\" is not accepted: expected \(ExpiryText.accepted(allowsOrigin: true))"
                    )
                }
            case .headers:
                guard case .object(let fields) = value else {
                    throw UsageError("\(place): expected an object of header names and values")
                }
                for (field, value) in fields.sorted(by: { $0.key < $1.key }) {
                    let place = "\(place).\(Shown.text(field))"
                    if let reason = Self.problem(ofHeader: field) { throw UsageError("\(place): \(reason)") }
                    headers[field] = try Secret(value, place: place)
                }
            case .credentials: credentials = try Secret(value, place: place)
            case .host, nil: break
            }
        }
    }

    /// By the rule's own reader, so that what is accepted here is what holds later.
    private static func check(
        _ text: String, isHost: Bool, place: String, accepted: String
    ) throws(UsageError) {
        let reason: String
        do throws(OriginRuleProblem) {
            if isHost {
                if !text.contains("="), try OriginRule(text).ranges.isEmpty { return }
                throw .invalidHost
            }
            _ = try AddressRange(text)
            return
        } catch {
            reason = error.description
        }
        throw UsageError("\(place): \"\(Shown.value(text))\" is not accepted (\(reason)): expected \(accepted)")
    }

    /// Those that belong to the connection, the message or the caches and are set by what they belong to.
    private static let reserved: Set<String> = [
        "host", "content-length", "content-type", "connection", "keep-alive", "proxy-connection", "proxy-authorization",
        "te", "trailer", "transfer-encoding", "upgrade", "expect", "accept-encoding", "range", "if-range", "if-match",
        "if-none-match", "if-modified-since", "if-unmodified-since",
    ]

    private static func problem(ofHeader name: String) -> String? {
        let isToken =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        // RFC 9110 §5.6.2.
        guard isToken else { return "not a header name: expected letters, digits and !#$%&'*+-.^_`|~" }
        return reserved.contains(name.lowercased())
            ? "this header is set by Halcyon itself: expected another, such as X-Api-Key" : nil
    }

    private static func texts(_ json: JSONValue, place: String, accepted: String) throws(UsageError) -> [String] {
        guard case .array(let elements) = json else { throw UsageError("\(place): expected an array of \(accepted)") }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element, !text.isEmpty else {
                throw UsageError("\(place): expected an array of \(accepted)")
            }
            texts.append(text)
        }
        return texts
    }

    /// For `--print-config`: header values and credentials are never shown, references to them are.
    var redacted: JSONValue {
        var object: [String: JSONValue] = ["host": .string(host)]
        if !addresses.isEmpty { object["addresses"] = .array(addresses.map(JSONValue.string)) }
        if let expiry { object["expiry"] = .string(ExpiryText.exact(expiry)) }
        if memoryOnly { object["memoryOnly"] = true }
        if !headers.isEmpty { object["headers"] = .object(headers.mapValues(\.redacted)) }
        if let credentials { object["credentials"] = credentials.redacted }
        if !droppedQueryItems.isEmpty {
            object["droppedQueryItems"] = .array(droppedQueryItems.map(JSONValue.string))
        }
        return .object(object)
    }
}

extension OriginEntry.Secret {
    init(_ json: JSONValue, place: String) throws(UsageError) {
        switch json {
        case .string(let text) where !text.isEmpty: self = .value(text)
        case .object(let object) where object.count == 1:
            if case .string(let path)? = object["file"] {
                self = .file(path)
            } else if case .string(let name)? = object["environment"] {
                self = .environment(name)
            } else {
                fallthrough
            }
        default:
            throw UsageError(
                "\(place): expected a text, {\"file\": \"PATH\"} or {\"environment\": \"NAME\"}"
            )
        }
    }

    var redacted: JSONValue {
        switch self {
        case .value: "(hidden)"
        case .file(let path): ["file": .string(path)]
        case .environment(let name): ["environment": .string(name)]
        }
    }

    /// The secret itself, without the line break that editors leave at the end of a file.
    func resolved(environment: [String: String], place: String) throws(UsageError) -> String {
        let text: String
        switch self {
        case .value(let value): text = value
        case .environment(let name):
            guard let value = environment[name] else {
                throw UsageError("\(place): the environment has no \(name)")
            }
            text = value
        case .file(let path): text = try TextFile.read(path, what: place)
        }
        let trimmed = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        guard !trimmed.isEmpty, !trimmed.contains(where: \.isNewline) else {
            throw UsageError("\(place): expected one line that is not empty")
        }
        return trimmed
    }
}
