package import Halcyon
internal import HalcyonCrypto
package import HalcyonImage
package import HalcyonRecords
internal import HalcyonStore

/// The contact sheet of a class: made of the same small pictures as any variant, which the caches keep, and kept itself
/// until a name, a number or a face changes.
package struct ClassSheet: Sendable {
    private static let concurrency = 8
    private static let lifetime = CacheExpiration.days(1)

    let pipeline: ImagePipeline
    let records: RecordStore
    let media: MediaStore

    package init(pipeline: ImagePipeline, records: RecordStore, media: MediaStore) {
        self.pipeline = pipeline
        self.records = records
        self.media = media
    }

    package struct Page: Sendable {
        package let bytes: [UInt8]
        package let contentType: String
        /// Students without a photo, or whose photo could not be had.
        package let withoutPhoto: Int
        let loaded: LoadedEntry
    }

    /// Who is on the sheet, in the order of numbers.
    package func students(grade: Int, classNumber: Int) async throws(RecordError) -> [Student] {
        try await records.allStudents(grade: grade, classNumber: classNumber)
    }

    /// - Parameter options: the columns, width, format and title.
    package func page(of students: [Student], options: ContactSheet.Options) async throws(ImagePipeline.Error) -> Page {
        // A PDF is a picture on a page: what is kept is the picture.
        var drawn = options
        if options.format == .pdf {
            drawn.format = .jpeg
            drawn.width = options.width ?? ContactSheet.pdfWidth
        }
        let faces = try await faces(of: students, options: drawn)
        let page = try await pipeline.load(
            ImageRequest(
                provider: provider(faces, drawn), options: .init(diskExpiration: Self.lifetime, tags: tags(students))))
        var bytes = page.entry.bytes.array
        if options.format == .pdf {
            let metadata = page.entry.metadata
            bytes = ContactSheet.pdf(ofJPEG: bytes, width: metadata.pixelWidth, height: metadata.pixelHeight)
        }
        return Page(
            bytes: bytes, contentType: options.format.contentType, withoutPhoto: faces.count { $0.picture == nil },
            loaded: page)
    }

    private func faces(
        of students: [Student], options: ContactSheet.Options
    ) async throws(ImagePipeline.Error) -> [ContactSheet.Face] {
        let variant = ImageVariant(ContactSheet.faceVariant(count: students.count, options: options))
        let pictures = await withTaskGroup(
            of: (Int, Result<[UInt8]?, ImagePipeline.Error>).self
        ) { group -> [Int: Result<[UInt8]?, ImagePipeline.Error>] in
            var next = students.indices.makeIterator()
            var pictures: [Int: Result<[UInt8]?, ImagePipeline.Error>] = [:]
            func add() {
                guard let index = next.next() else { return }
                group.addTask { (index, await self.picture(of: students[index], as: variant)) }
            }
            for _ in 0..<Self.concurrency { add() }
            for await (index, picture) in group {
                pictures[index] = picture
                add()
            }
            return pictures
        }
        var faces: [ContactSheet.Face] = []
        for (index, student) in students.enumerated() {
            let picture = try pictures[index]?.get() ?? nil
            faces.append(.init(number: student.number, name: student.name, picture: picture))
        }
        return faces
    }

    /// `nil` for a photo that cannot be had; a failure where this service is what failed.
    private func picture(of student: Student, as variant: ImageVariant) async -> Result<[UInt8]?, ImagePipeline.Error> {
        guard var request = student.photoRequest(media: media) else { return .success(nil) }
        request.variant = variant
        do throws(ImagePipeline.Error) {
            return .success(try await pipeline.load(request).entry.bytes.array)
        } catch {
            switch error.kind {
            case .overloaded, .cancelled: return .failure(error)
            case .missing, .unavailable, .timeout, .refused, .invalid, .notCached: return .success(nil)
            }
        }
    }

    /// Kept under everything that is seen, so that one key is one picture.
    private func provider(_ faces: [ContactSheet.Face], _ options: ContactSheet.Options) -> ImageDataProvider {
        var parts = faces.flatMap { face in
            [
                Array("\(face.number)".utf8), Array(face.name.utf8),
                face.picture.map { Digest(of: $0).bytes } ?? [],
            ]
        }
        parts.append(Array("\(options)".utf8))
        let key = "sheet:\(Variant.recipeVersion):" + Digest(of: LengthDelimited.encode(parts)).hex
        return ImageDataProvider(cacheKey: key, isKeptOnDisk: true) { [pipeline] in
            try await pipeline.draw { (performer) throws(RenderError) in
                try ContactSheet.render(faces, options: options, by: performer).bytes
            }
        }
    }

    private func tags(_ students: [Student]) -> [String] {
        Array(Set(students.flatMap(\.cacheTags))).sorted()
    }
}
