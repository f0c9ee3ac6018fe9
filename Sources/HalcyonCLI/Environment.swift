#if canImport(Glibc)
    import Glibc
#endif

/// The environment of the process.
enum Environment {
    /// Read once, at start, while there is one thread.
    static func ofProcess() -> [String: String] {
        var variables: [String: String] = [:]
        var cursor = environ
        while let entry = cursor.pointee {
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            cursor = cursor.successor()
        }
        return variables
    }
}
