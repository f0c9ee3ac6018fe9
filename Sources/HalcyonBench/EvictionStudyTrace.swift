internal import Foundation

/// Requests for photos, in order.
struct EvictionTrace {
    struct Access {
        let photo: Int
        /// Whether a person asked; a prefetch does not count.
        let isCounted: Bool
    }

    let title: String
    let accesses: [Access]

    private static let school = 3_000
    private static let requests = 200_000

    /// People look at some photos much more than at others.
    static var zipf: EvictionTrace {
        var generator = SplitMix(seed: 20_211)
        let distribution = Zipf(count: school, exponent: 0.9, generator: &generator)
        return EvictionTrace(
            title: "Zipf, exponent 0.9, 3,000 photos, 200,000 requests",
            accesses: (0..<requests).map { _ in
                Access(photo: distribution.next(&generator), isCounted: true)
            })
    }

    /// The same requests, with a prefetch of every photo of the school beside them four times.
    static var zipfWithPrefetch: EvictionTrace {
        let people = zipf.accesses
        var accesses: [Access] = []
        for (number, access) in people.enumerated() {
            accesses.append(access)
            // A prefetch brings three photos for each that somebody looks at, until it is through.
            let phase = number % (requests / 4)
            guard phase >= 10_000, phase < 10_000 + school / 3 else { continue }
            for step in 0..<3 { accesses.append(Access(photo: (phase - 10_000) * 3 + step, isCounted: false)) }
        }
        return EvictionTrace(
            title: "The same, with a prefetch of the whole school run through it four times", accesses: accesses)
    }

    /// A class of 30 on a screen, over and over, while the rest of the school is looked at as before.
    static var loopingClass: EvictionTrace {
        var accesses: [Access] = []
        for (number, access) in zipf.accesses.enumerated() {
            accesses.append(access)
            accesses.append(Access(photo: school + number % 30, isCounted: true))
        }
        return EvictionTrace(title: "A class of 30 in a loop, beside the Zipf requests", accesses: accesses)
    }

    /// More photos than fit, one after another: nothing is ever asked for again in time.
    static var loopingSchool: EvictionTrace {
        EvictionTrace(
            title: "1,200 photos in a loop",
            accesses: (0..<requests).map { Access(photo: $0 % 1_200, isCounted: true) })
    }
}

/// Photos by rank, shuffled so that rank says nothing of the order in which a prefetch brings them.
private struct Zipf {
    private let cumulative: [Double]
    private let photos: [Int]

    init(count: Int, exponent: Double, generator: inout SplitMix) {
        var sum = 0.0
        cumulative = (1...count).map { rank in
            sum += pow(Double(rank), -exponent)
            return sum
        }
        photos = Array(0..<count).shuffled(using: &generator)
    }

    func next(_ generator: inout SplitMix) -> Int {
        let target = Double.random(in: 0..<(cumulative.last ?? 1), using: &generator)
        var (low, high) = (0, cumulative.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if cumulative[middle] <= target { low = middle + 1 } else { high = middle }
        }
        return photos[low]
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
private struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
