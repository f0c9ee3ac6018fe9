internal import HalcyonCrypto

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The binary form, in trailers and in the index alike. A change of it changes ``ObjectTrailer/formatVersion``.
extension EntryMetadata {
    func encode(into writer: inout ByteWriter) {
        writer.string(contentType)
        writer.integer(UInt32(clamping: pixelWidth))
        writer.integer(UInt32(clamping: pixelHeight))
        writer.string(host)
        writer.integer(UInt32(tags.count))
        for tag in tags { writer.string(tag) }
        writer.optional(originEntityTag) { $0.string($1) }
        writer.optional(originLastModified) { $0.string($1) }
        writer.double(storedAt.timeIntervalSince1970)
        writer.double(ageAtStore)
        writer.optional(expiresAt) { $0.double($1.timeIntervalSince1970) }
        writer.optional(lifetime) { $0.double($1) }
        writer.byte(mayServeStale ? 1 : 0)
        writer.optional(staleIfErrorUntil) { $0.double($1.timeIntervalSince1970) }
        writer.blob(digest.bytes)
        writer.integer(UInt64(byteCount))
        writer.optional(sourceDigest) { $0.blob($1.bytes) }
        writer.optional(responseHead) { $0.blob($1) }
    }

    init?(from reader: inout ByteReader) {
        guard let contentType = reader.string(), let width = reader.integer(UInt32.self),
            let height = reader.integer(UInt32.self), let host = reader.string(),
            let tagCount = reader.integer(UInt32.self)
        else { return nil }
        var tags: [String] = []
        for _ in 0..<tagCount {
            guard let tag = reader.string() else { return nil }
            tags.append(tag)
        }
        guard let entityTag = reader.optional({ $0.string() }), let lastModified = reader.optional({ $0.string() }),
            let storedAt = reader.double(), let ageAtStore = reader.double(),
            let expiresAt = reader.optional({ $0.double() }), let lifetime = reader.optional({ $0.double() }),
            let mayServeStale = reader.byte(), let staleUntil = reader.optional({ $0.double() }),
            let digest = reader.blob().flatMap({ Digest(bytes: Array($0)) }),
            let byteCount = reader.integer(UInt64.self).flatMap(Int.init(exactly:)),
            let source = reader.optional({ $0.blob() }), let head = reader.optional({ $0.blob() })
        else { return nil }
        self.init(
            contentType: contentType, pixelWidth: Int(width), pixelHeight: Int(height), host: host, tags: tags,
            originEntityTag: entityTag, originLastModified: lastModified,
            storedAt: Date(timeIntervalSince1970: storedAt), ageAtStore: ageAtStore,
            expiresAt: expiresAt.map(Date.init(timeIntervalSince1970:)), lifetime: lifetime,
            mayServeStale: mayServeStale == 1,
            staleIfErrorUntil: staleUntil.map(Date.init(timeIntervalSince1970:)), digest: digest,
            byteCount: byteCount, sourceDigest: source.flatMap { Digest(bytes: Array($0)) },
            responseHead: head.map { Array($0) })
    }

    var encoded: [UInt8] {
        var writer = ByteWriter(capacity: 256)
        encode(into: &writer)
        return writer.bytes
    }

    init?(encoded: [UInt8]) {
        var reader = ByteReader(encoded[...])
        self.init(from: &reader)
        guard reader.isAtEnd else { return nil }
    }
}
