package import Halcyon
package import HalcyonRecords

extension Student {
    /// The labels under which a photo is kept, by which a purge finds it again.
    package var cacheTags: [String] { ["student:\(id)", "class:\(grade)-\(classNumber)"] }

    /// How the photo is had; `nil` without one.
    package func photoRequest(media: MediaStore, options: ImageRequest.Options = .init()) -> ImageRequest? {
        var options = options
        options.tags += cacheTags
        switch PhotoSource(self).place {
        case .local(let id): return ImageRequest(provider: media.provider(of: id), options: options)
        case .url(let url): return ImageRequest(url: url, options: options)
        case nil: return nil
        }
    }

    /// - Parameter id: what a summary calls it.
    package func prefetchItem(id: String, media: MediaStore) -> ImagePrefetcher.Item {
        if case .local(let photo)? = PhotoSource(self).place {
            return ImagePrefetcher.Item(id: id, provider: media.provider(of: photo), tags: cacheTags)
        }
        return ImagePrefetcher.Item(id: id, url: profileImageURL, tags: cacheTags)
    }
}

extension MediaStore {
    /// The image as the pipeline takes it in.
    package func provider(of id: MediaID) -> ImageDataProvider {
        ImageDataProvider(cacheKey: "media:\(id)") { try readBlocking(id) }
    }
}
