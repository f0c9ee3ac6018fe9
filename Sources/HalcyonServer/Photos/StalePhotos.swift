package import Halcyon
package import HalcyonRecords

/// What the caches may still hold of students who have left or have another photo: what carries their labels, and what
/// was fetched from URLs that are nobody's photo any more.
package struct StalePhotos: Sendable {
    private let purges: [ImagePipeline.Purge]

    package var isEmpty: Bool { purges.isEmpty }

    /// - Parameter students: as they were recorded before.
    package init(of students: [Student], records: RecordStore) async throws(RecordError) {
        let urls = try await records.photoURLs(nobodyHas: Set(students.compactMap(\.profileImageURL)))
        let tags = students.map { "student:\($0.id)" }
        purges = (tags.isEmpty ? [] : [.tags(tags)]) + urls.sorted().map { .url($0) }
    }

    /// From both caches, here and in every process that shares the folder.
    /// - Returns: how many photos were kept.
    @discardableResult
    package func drop(from pipeline: ImagePipeline) async throws(ImagePipeline.Error) -> Int {
        var count = 0
        for purge in purges { count += try await pipeline.purge(purge).count }
        return count
    }
}
