#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Small files named by options.
enum TextFile {
    /// Without the byte order mark that some editors begin UTF-8 files with.
    static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    /// - Parameter what: the option or key that names the file, for the message.
    static func read(_ path: String, what: String) throws(UsageError) -> String {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw UsageError("\(what): cannot read the file \(path)")
        }
        guard let text = String(validating: withoutMark([UInt8](data)), as: UTF8.self) else {
            throw UsageError("\(what): the file \(path) is not UTF-8 text")
        }
        return text
    }
}
