/// When a failed attempt is repeated.
struct RetryPolicy {
    let base: Duration
    let cap: Duration

    static func isWorthRetrying(status: Int) -> Bool {
        switch status {
        case 408, 429, 500, 502, 503, 504: true
        default: false
        }
    }

    /// The pause before retry `number` (from 1): "full jitter", a random part of the exponential step, and at least what
    /// the origin asked for. `random` is in 0..<1.
    func delay(retry number: Int, retryAfter: Duration?, random: Double) -> Duration {
        let step = min(cap, base * (1 << min(number - 1, 20)))
        return max(step * random, retryAfter ?? .zero)
    }
}
