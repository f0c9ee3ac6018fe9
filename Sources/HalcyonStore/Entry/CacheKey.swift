package import HalcyonCrypto

/// What makes two photos the same photo: where it comes from, with whose credentials, in which variant.
///
/// The encoding is length-delimited, so that no choice of fields can pass for another; equality is equality of the
/// encoded bytes (two spellings of one Unicode text are two keys). Encoding and hash are made once, in `init`: a key
/// that is looked up often should be kept.
package struct CacheKey: Sendable, Hashable {
    /// The first byte of every encoding. A change of what goes into a key changes it, and every index and object
    /// file of another version is dropped.
    package static let formatVersion: UInt8 = 1

    private let storage: Storage

    /// `url` is a canonical URL; `scope` stands for the origin's credentials; `variant` is empty for the original bytes.
    package init(url: String, scope: String = "", variant: String = "") {
        self.storage = Storage(kind: .url, name: url, scope: scope, variant: variant)
    }

    /// A key that a caller chose. It never equals the key of a URL, whatever its text.
    package static func explicit(_ name: String, variant: String = "") -> CacheKey {
        CacheKey(storage: Storage(kind: .explicit, name: name, scope: "", variant: variant))
    }

    /// The key of what a mount keeps: never that of a photo, though a purge of the URL takes both. `variant` tells apart what
    /// was answered to requests that differ, and is empty for what leads to them.
    package static func response(url: String, mount: String, variant: String = "") -> CacheKey {
        CacheKey(storage: Storage(kind: .response, name: url, scope: mount, variant: variant))
    }

    /// Reads what ``encoded`` wrote; `nil` for another version or bytes that are not exactly one key.
    package init?(encoded: [UInt8]) {
        guard encoded.count >= 2, encoded[0] == Self.formatVersion, let kind = Kind(rawValue: encoded[1]) else {
            return nil
        }
        var reader = ByteReader(encoded[2...])
        guard let name = reader.string(), let scope = reader.string(), let variant = reader.string(), reader.isAtEnd
        else { return nil }
        self.storage = Storage(kind: kind, name: name, scope: scope, variant: variant)
    }

    private init(storage: Storage) { self.storage = storage }

    /// The canonical URL, or the name of an explicit key.
    package var url: String { storage.name }
    package var scope: String { storage.scope }
    package var variant: String { storage.variant }
    package var isExplicit: Bool { storage.kind == .explicit }

    /// Version byte, kind byte, then three fields with their lengths.
    package var encoded: [UInt8] { storage.encoded }

    /// Seeded anew in each process, so that nobody can choose keys that collide.
    @inline(__always)
    package var precomputedHash: UInt64 { storage.hash }

    /// What the disk index looks a key up by. Not kept: a key that only ever meets the memory cache needs none.
    package var digest: Digest { storage.digest }

    /// The key of the unchanged bytes.
    package var original: CacheKey {
        variant.isEmpty
            ? self : CacheKey(storage: Storage(kind: storage.kind, name: storage.name, scope: scope, variant: ""))
    }

    /// The key of a variant of the same photo.
    package func variant(_ variant: String) -> CacheKey {
        CacheKey(storage: Storage(kind: storage.kind, name: storage.name, scope: scope, variant: variant))
    }

    /// Whether both are of one photo, in whatever variants.
    package func isOfSamePhoto(as other: CacheKey) -> Bool {
        storage.kind == other.storage.kind && url == other.url && scope == other.scope
    }

    @inline(__always)
    package static func == (left: CacheKey, right: CacheKey) -> Bool {
        left.storage === right.storage
            || (left.storage.hash == right.storage.hash && left.storage.encoded == right.storage.encoded)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(storage.hash) }

    private enum Kind: UInt8 {
        case url = 0
        case explicit = 1
        case response = 2
    }

    /// One object, so that copying a key costs one reference count.
    private final class Storage: Sendable {
        let kind: Kind
        let name: String
        let scope: String
        let variant: String
        let encoded: [UInt8]
        let hash: UInt64
        let digest: Digest

        init(kind: Kind, name: String, scope: String, variant: String) {
            self.kind = kind
            self.name = name
            self.scope = scope
            self.variant = variant
            var writer = ByteWriter(capacity: 14 + name.utf8.count + scope.utf8.count + variant.utf8.count)
            writer.byte(CacheKey.formatVersion)
            writer.byte(kind.rawValue)
            writer.string(name)
            writer.string(scope)
            writer.string(variant)
            self.encoded = writer.bytes
            self.digest = Digest(of: writer.bytes)
            var hasher = Hasher()
            writer.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
            self.hash = UInt64(bitPattern: Int64(hasher.finalize()))
        }
    }
}

extension CacheKey: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bytes = Hex.decode(try container.decode(String.self)), let key = CacheKey(encoded: bytes) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a cache key of this version")
        }
        self = key
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Hex.encode(encoded))
    }
}
