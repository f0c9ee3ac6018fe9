internal import Dispatch
internal import HalcyonCrypto

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The images that belong to records and come from nowhere else: immutable files, named by the digest of their bytes, in
/// a folder beside the database that no cache purge touches.
///
/// A file is written under another name, flushed, renamed, and its folder flushed: whatever has its name is whole, after
/// a crash too. Several processes may keep and read at once. The file comes first, then the row of ``Media``, then the
/// record that names it; ``RecordStore/sweepMedia(in:olderThan:now:)`` removes what a crash left between.
package struct MediaStore: Sendable {
    package let path: String
    private let folder: MediaFolder
    /// Files are flushed one after another, off the cooperative pool.
    private static let queue = DispatchQueue(label: "halcyon.media")

    /// The folder is made when something is first kept: 0700, its files 0600.
    package init(path: String) {
        self.path = path
        folder = MediaFolder(path: path)
    }

    /// For files on their way in, which can be moved from here. Blocks; what is left here is swept after an hour.
    package func makeIncomingFolder() throws(MediaError) { try folder.createIncoming() }

    package var incomingFolder: String { folder.incoming }

    package func path(of id: MediaID) -> String { folder.path(of: id) }

    /// Takes the file in: it is moved if it lies on the same file system, and gone from where it was in any case. The same
    /// bytes twice are one file.
    ///
    /// - Parameter fileExtension: of the format that the bytes are in, such as `jpg`.
    /// - Parameter bytes: what the file holds, if that is known.
    package func keep(
        fileAt path: String, holding bytes: [UInt8]? = nil, fileExtension: String
    ) async throws(MediaError) -> MediaID {
        try await Self.run { () throws(MediaError) in
            let bytes = if let bytes { bytes } else { try MediaFolder.read(path) }
            let id = try Self.id(of: bytes, fileExtension)
            try folder.keep(bytes, as: id, from: path)
            return id
        }
    }

    package func keep(_ bytes: [UInt8], fileExtension: String) async throws(MediaError) -> MediaID {
        try await Self.run { () throws(MediaError) in
            let id = try Self.id(of: bytes, fileExtension)
            try folder.keep(bytes, as: id)
            return id
        }
    }

    /// The bytes of a file that is to be kept.
    ///
    /// - Throws: ``MediaError/wrongLength`` for more than `limit` bytes.
    package static func contents(ofFile path: String, limit: Int) async throws(MediaError) -> [UInt8] {
        try await run { () throws(MediaError) in try MediaFolder.read(path, limit: limit) }
    }

    /// The default: the folder `media` beside the database.
    package static func folder(besideDatabase path: String) -> String {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        return folder + "media"
    }

    /// The bytes, unverified. Blocks.
    package func readBlocking(_ id: MediaID) throws(MediaError) -> [UInt8] { try MediaFolder.read(path(of: id)) }

    /// Reads the file and compares it with its name: for backups and checks.
    ///
    /// - Throws: ``MediaError/missing``, ``MediaError/wrongLength`` or ``MediaError/damaged``.
    package func verify(_ media: Media) async throws(MediaError) {
        try await Self.run { () throws(MediaError) in
            let bytes = try readBlocking(media.id)
            guard bytes.count == media.byteCount else { throw .wrongLength }
            guard Digest(of: bytes).hex == media.id.digestText else { throw .damaged }
        }
    }

    /// Removes files that are not `named` and leftovers of crashes. Only what is older than `oldest`: a file that was just
    /// kept has no record yet.
    func removeFiles(
        exceptNamed named: Set<MediaID>, olderThan oldest: Date
    ) async throws(MediaError) -> (files: Int, bytes: Int) {
        try await Self.run { () throws(MediaError) in try folder.sweep(keeping: named, olderThan: oldest) }
    }

    private static func id(of bytes: [UInt8], _ fileExtension: String) throws(MediaError) -> MediaID {
        guard let id = MediaID(digest: Digest(of: bytes), fileExtension: fileExtension) else { throw .invalidName }
        return id
    }

    private static func run<T: Sendable>(_ body: @escaping @Sendable () throws(MediaError) -> T)
        async throws(MediaError) -> T
    {
        let result: Result<T, MediaError> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { () throws(MediaError) in try body() }) }
        }
        return try result.get()
    }
}
