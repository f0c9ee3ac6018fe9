internal import Foundation
internal import HalcyonImage

/// `halcyon-bench`: measurements inside a process, called by `scripts/bench`.
@main
struct Bench {
    static func main() async throws {
        let arguments = CommandLine.arguments
        DecoderWorker.runIfAsked(arguments.dropFirst())
        switch arguments.dropFirst().first {
        case "objects" where arguments.count == 4:
            try await ObjectsBenchmark(binary: arguments[2], folder: arguments[3]).run()
        case "eviction" where arguments.count == 2:
            EvictionStudy().run()
        case "portraits" where arguments.count == 4:
            try VariantsBenchmark(folder: arguments[2]).draw(Int(arguments[3]) ?? 1)
        case "variants" where arguments.count == 6:
            try await VariantsBenchmark(folder: arguments[2])
                .run(width: Int(arguments[3]) ?? 1, inProcesses: arguments[4] == "processes", output: arguments[5])
        case "decoder" where arguments.count == 3:
            try VariantsBenchmark(folder: arguments[2]).price()
        default:
            print("usage: halcyon-bench objects HALCYON_BINARY FOLDER | eviction | portraits FOLDER COUNT")
            print("       | variants FOLDER WIDTH here|processes OUTPUT | decoder FOLDER")
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
