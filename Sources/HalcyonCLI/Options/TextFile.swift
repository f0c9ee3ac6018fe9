#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Small files named by options.
enum TextFile {
    /// - Parameter what: the option or key that names the file, for the message.
    static func read(_ path: String, what: String) throws(UsageError) -> String {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw UsageError("\(what): cannot read the file \(path)")
        }
        guard let text = String(bytes: data, encoding: .utf8) else {
            throw UsageError("\(what): the file \(path) is not UTF-8 text")
        }
        return text
    }
}
