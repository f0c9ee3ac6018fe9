internal import Foundation
internal import Glibc

/// Where the sample school lives: a new folder under the system's temporary one.
struct DemoFolder: Sendable {
    let path: String

    init() throws(CommandFailure) {
        let wanted = FileManager.default.temporaryDirectory.appending(path: "halcyon-demo.XXXXXX")
        var template = Array(wanted.path.utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandFailure("cannot make a temporary folder: \(String(cString: strerror(errno)))")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func remove() {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            // What is left in a temporary folder is the system's to clean.
        }
    }
}
