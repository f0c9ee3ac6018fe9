/// The kind of a route: a label of the metrics, so the list is closed. No label comes from a URL.
enum RouteClass: Int, Sendable, CaseIterable {
    case photo, image, records, users, operating, mount, other

    var label: String {
        switch self {
        case .photo: "photo"
        case .image: "image"
        case .records: "records"
        case .users: "users"
        case .operating: "operating"
        case .mount: "mount"
        case .other: "other"
        }
    }
}

/// Where an answer came from: the other label.
enum AnswerSource: Int, Sendable, CaseIterable {
    case none, memory, disk, origin, revalidated, coalesced, stale, placeholder

    var label: String {
        switch self {
        case .none: "none"
        case .memory: "memory"
        case .disk: "disk"
        case .origin: "origin"
        case .revalidated: "revalidated"
        case .coalesced: "coalesced"
        case .stale: "stale"
        case .placeholder: "placeholder"
        }
    }
}
