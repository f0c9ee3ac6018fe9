/// The numbers before a request; the text of the job follows, the original lies in the shared memory.
struct DecoderRequest {
    static let count = 6

    let jobCount: Int
    let byteCount: Int
    let limits: ImageLimits
    let timeLimit: Duration

    init(jobCount: Int, byteCount: Int, limits: ImageLimits, timeLimit: Duration) {
        self.jobCount = jobCount
        self.byteCount = byteCount
        self.limits = limits
        self.timeLimit = timeLimit
    }

    /// - Parameter numbers: `count` of them.
    init(_ numbers: [Int64]) {
        self.init(
            jobCount: Int(numbers[0]), byteCount: Int(numbers[1]),
            limits: ImageLimits(
                maximumPixels: Int(numbers[2]), maximumFrames: Int(numbers[3]), allowsSVG: numbers[4] != 0),
            timeLimit: .nanoseconds(numbers[5]))
    }

    var numbers: [Int64] {
        let (seconds, attoseconds) = timeLimit.components
        return [
            Int64(jobCount), Int64(byteCount), Int64(limits.maximumPixels), Int64(limits.maximumFrames),
            limits.allowsSVG ? 1 : 0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000,
        ]
    }
}
