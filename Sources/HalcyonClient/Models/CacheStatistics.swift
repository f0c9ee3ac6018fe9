/// What the caches hold.
public struct CacheStatistics: Sendable, Hashable, Decodable {
    public struct Layer: Sendable, Hashable, Decodable {
        public let entries: Int
        public let bytes: Int
        public let limitBytes: Int
        public let hits: Int
        /// Why the layer is not in use.
        public let fault: String?
    }

    public let memory: Layer
    public let disk: Layer
    public let fetched: Int
    public let revalidated: Int
    public let stale: Int
    public let coalesced: Int
    public let hitRatio: Double?
    public let failures: [String: Int]
}

/// What a purge took away, or would take.
public struct PurgeReport: Sendable, Hashable, Decodable {
    public let count: Int
    public let bytes: Int
    public let dryRun: Bool
}

/// What to purge.
public enum PurgeSelection: Sendable, Hashable {
    case expired
    case all
    case grade(Int, classNumber: Int? = nil)
    case students([Int])
    case urls([String])
    case host(String)
    /// Labels such as `class:1-1` and `mount:/photos`.
    case tags([String])
    /// Such as `30d`.
    case olderThan(String)
    /// Such as `500MiB`.
    case toSize(String)
}

struct PurgeOrder: Encodable, Sendable {
    let selection: PurgeSelection
    let isDryRun: Bool

    private enum CodingKeys: String, CodingKey {
        case expired, all, grade, `class`, student, url, host, tag, olderThan, toSize, dryRun
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if isDryRun { try container.encode(true, forKey: .dryRun) }
        switch selection {
        case .expired: try container.encode(true, forKey: .expired)
        case .all: try container.encode(true, forKey: .all)
        case .grade(let grade, let classNumber):
            try container.encode(grade, forKey: .grade)
            try container.encodeIfPresent(classNumber, forKey: .class)
        case .students(let ids): try container.encode(ids, forKey: .student)
        case .urls(let urls): try container.encode(urls, forKey: .url)
        case .host(let host): try container.encode(host, forKey: .host)
        case .tags(let tags): try container.encode(tags, forKey: .tag)
        case .olderThan(let age): try container.encode(age, forKey: .olderThan)
        case .toSize(let size): try container.encode(size, forKey: .toSize)
        }
    }
}
