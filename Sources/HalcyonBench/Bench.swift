internal import Foundation

/// `halcyon-bench`: measurements inside a process, called by `scripts/bench`.
@main
struct Bench {
    static func main() async throws {
        let arguments = CommandLine.arguments
        switch arguments.dropFirst().first {
        case "objects" where arguments.count == 4:
            try await ObjectsBenchmark(binary: arguments[2], folder: arguments[3]).run()
        case "eviction" where arguments.count == 2:
            EvictionStudy().run()
        default:
            print("usage: halcyon-bench objects HALCYON_BINARY FOLDER | eviction")
            exit(2)
        }
    }
}

enum BenchmarkError: Error {
    /// An answer was wrong: nothing that was measured counts.
    case check(String)
}

func seconds(_ duration: Duration) -> String { decimal(duration / .seconds(1), digits: 3) }

func perItem(_ duration: Duration, _ count: Int) -> String { decimal(duration / .microseconds(1) / Double(count)) }

func decimal(_ value: Double, digits: Int = 2) -> String { String(format: "%.\(digits)f", value) }
