internal import HalcyonStore

/// A request target that led to a photo: what is needed to answer it again from memory.
final class PhotoTarget: KnownTarget {
    let rawTarget: [UInt8]
    let route: RouteClass
    let access: Access
    let key: CacheKey
    /// Where the key depends on what is accepted; ``key`` is then one of them.
    let acceptedKeys: AcceptedKeys?
    /// The state of the records from which it was resolved; `nil` if it does not depend on them.
    let recordsEpoch: Int?
    /// Unix seconds until which a signed URL holds; `Int.max` for ever and for what is not signed.
    let validUntil: Int
    /// Where it leads if not to a photo.
    let mount: Mount?

    init(
        rawTarget: [UInt8], route: RouteClass, access: Access, key: CacheKey,
        acceptedKeys: AcceptedKeys? = nil, recordsEpoch: Int? = nil, validUntil: Int = .max,
        mount: Mount? = nil
    ) {
        self.rawTarget = rawTarget
        self.route = route
        self.access = access
        self.key = key
        self.acceptedKeys = acceptedKeys
        self.recordsEpoch = recordsEpoch
        self.validUntil = validUntil
        self.mount = mount
    }
}
