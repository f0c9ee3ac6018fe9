internal import Foundation
internal import HalcyonRecords

/// Uploaded images of notices as clients know them: by the URL of this service.
enum NoticeImageURL {
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~")

    /// What stands before the name of each uploaded image of a club.
    static func prefix(clubID: String, base: String) -> String {
        let club = clubID.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
        return "\(base)/noticeBoards/\(club)/images/"
    }
}

extension Notice {
    func shown(_ photoURLs: PhotoURLs) -> Notice {
        var notice = self
        let prefix = NoticeImageURL.prefix(clubID: clubID, base: photoURLs.base)
        notice.imageList = imageList.map { image in Notice.media(of: image).map { "\(prefix)\($0)" } ?? image }
        return notice
    }
}

extension NoticeDraft {
    /// A client sends the whole list back, uploaded images by the URLs that it was given.
    func recorded(clubID: String, _ photoURLs: PhotoURLs) -> NoticeDraft {
        var draft = self
        let prefix = NoticeImageURL.prefix(clubID: clubID, base: photoURLs.base)
        draft.imageList = imageList?.map { image in
            guard image.hasPrefix(prefix), let media = MediaID(String(image.dropFirst(prefix.count))) else {
                return image
            }
            return Notice.image(media)
        }
        return draft
    }
}
