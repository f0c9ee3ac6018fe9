/// The way of an error to another process and back.
extension RenderError {
    var text: String {
        switch self {
        case .image(.empty): "image empty"
        case .image(.notAnImage): "image not"
        case .image(.truncated): "image truncated"
        case .image(.tooManyPixels(let limit)): "image pixels \(limit)"
        case .image(.tooManyFrames(let limit)): "image frames \(limit)"
        case .image(.unsupported(let format)): "image unsupported \(format.rawValue)"
        case .image(.malformed(let format)): "image malformed \(format.rawValue)"
        case .tooSlow: "slow"
        case .tooLarge(let format, let side): "large \(format.rawValue) \(side)"
        case .noEncoder(let format): "encoder \(format.rawValue)"
        case .library(let message): "library \(message)"
        case .busy(let seconds): "busy \(seconds)"
        case .cancelled: "cancelled"
        case .crashed: "crashed"
        }
    }

    /// `nil` for what `text` does not write.
    init?(text: String) {
        let words = text.split(separator: " ", maxSplits: 3).map(String.init)
        let format = words.dropFirst().lazy.compactMap(ImageFormat.init).first
        let number = words.last.flatMap { Int($0) }
        switch (words.first, words.dropFirst().first) {
        case ("image", "empty"): self = .image(.empty)
        case ("image", "not"): self = .image(.notAnImage)
        case ("image", "truncated"): self = .image(.truncated)
        case ("image", "pixels"): self = .image(.tooManyPixels(limit: number ?? 0))
        case ("image", "frames"): self = .image(.tooManyFrames(limit: number ?? 0))
        case ("image", "unsupported"):
            guard let format else { return nil }
            self = .image(.unsupported(format))
        case ("image", "malformed"):
            guard let format else { return nil }
            self = .image(.malformed(format))
        case ("slow", _): self = .tooSlow
        case ("large", _):
            guard let format, let number else { return nil }
            self = .tooLarge(format, maximumSide: number)
        case ("encoder", _):
            guard let format else { return nil }
            self = .noEncoder(format)
        case ("library", _): self = .library(String(text.dropFirst("library ".count)))
        case ("busy", _): self = .busy(retryAfterSeconds: number ?? 1)
        case ("cancelled", _): self = .cancelled
        case ("crashed", _): self = .crashed
        default: return nil
        }
    }
}
