internal import HalcyonRecords

/// What is to become of places below a notice, by their paths: `title`, `rootUser/nickName`, `imageList/0`. `null` takes away
/// what is there. What the tree has no place for is refused, so that nothing is lost unnoticed.
struct NoticeTreeUpdate: Sendable {
    typealias Value = RequestBody.Value

    /// The children that a client writes.
    static let written = ["rootUser", "title", "content", "createDate", "imageList"]
    /// Those that are made here: the apps send them along with the others, and what they say is left aside.
    private static let derived = ["id", "clubID", "commentCount"]
    /// What a notice may be without.
    private static let removable = ["content", "imageList"]

    private let places: [(path: [String], value: Value)]

    /// - Throws: 400 naming a path that there is none of, that is beside one above it, or whose value a notice needs.
    init(_ values: [String: Value]) throws(Problem) {
        var places: [(path: [String], value: Value)] = []
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            let path = Self.path(name)
            try Self.check(path, value, name)
            guard path.count == 1 || values[path[0]] == nil else {
                throw .notAllowed(RequestBody.shown(name), "not beside \(path[0])")
            }
            if !Self.derived.contains(path[0]) { places.append((path, value)) }
        }
        self.places = places
    }

    /// A whole notice, as it is put in place of another.
    ///
    /// - Throws: 400 naming a child that a notice does not have.
    static func check(whole children: [String: Value]) throws(Problem) {
        for (name, value) in children.sorted(by: { $0.key < $1.key }) where value != .null {
            try check([name], value, name)
        }
    }

    /// Whether some of it can be told only where the rest is known.
    var needsNotice: Bool { places.contains { $0.path.count > 1 } }

    /// The children that it changes, as they then are.
    ///
    /// - Parameter notice: the children that are there.
    func children(of notice: [String: Value]) throws(Problem) -> [String: Value] {
        var children: [String: Value] = [:]
        // Of a list the last elements first, so that what is taken away moves nothing that is still to come.
        for (path, value) in places.reversed() {
            guard path.count > 1 else {
                children[path[0]] = value
                continue
            }
            let child = children[path[0]] ?? notice[path[0]] ?? .null
            children[path[0]] = try Self.changed(child, path, value)
        }
        return children
    }

    static func path(_ name: String) -> [String] {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return parts.count > 1 && parts[0].isEmpty ? Array(parts.dropFirst()) : parts
    }

    private static func check(_ path: [String], _ value: Value, _ name: String) throws(Problem) {
        let isPlace =
            switch path.count {
            case 1: (written + derived).contains(path[0])
            case 2: path[0] == "rootUser" || path[0] == "imageList" && Int(path[1]) != nil
            default: false
            }
        guard isPlace else {
            throw .notAllowed(
                RequestBody.shown(name),
                "accepted are \((written + derived).joined(separator: ", ")), rootUser/… and imageList/0 and so on")
        }
        if path[0] == "rootUser" {
            try NoticeBody.checkAuthor(path.count > 1 ? .object([path[1]: value]) : value, in: "rootUser/")
        }
        if path.count == 1, value == .null, written.contains(path[0]), !removable.contains(path[0]) {
            throw .missing(path[0], accepted: "a value: a notice is not without it")
        }
    }

    private static func changed(_ child: Value, _ path: [String], _ value: Value) throws(Problem) -> Value {
        guard path[0] == "imageList", let index = Int(path[1]) else {
            var members = child.members
            // One image under two names.
            if path[1].hasPrefix("profileImage") {
                members["profileImage"] = nil
                members["profileImageURL"] = nil
            }
            members[path[1]] = value
            return .object(members)
        }
        var images: [Value] = if case .list(let images) = child { images } else { [] }
        guard (0...images.count).contains(index) else {
            throw .outOfRange("imageList/\(index)", accepted: "0 to \(images.count)")
        }
        if index < images.count { images.remove(at: index) }
        if value != .null { images.insert(value, at: index) }
        return .list(images)
    }
}
