package import Foundation

/// A folder of a test's own, removed with everything in it when the object goes.
package final class TemporaryFolder: Sendable {
    package let path: String

    package var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

    package init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("halcyon-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
    }

    package func file(_ name: String) -> String { path + "/" + name }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            // A test may have removed it already; what is left goes with the machine's temporary files.
        }
    }
}
