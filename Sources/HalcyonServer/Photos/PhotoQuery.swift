internal import Halcyon
internal import HalcyonImage

/// What the query of an image route asks. What is not known is ignored, what is known must be right.
struct PhotoQuery: Sendable {
    let variant: ImageVariant
    /// `false` for `?placeholder=none`.
    let isPlaceholderWanted: Bool

    init(_ target: RequestTarget) throws(Problem) {
        var items: [(name: String, value: String)] = []
        for name in Variant.parameterNames {
            if let value = try target.single(name) { items.append((name, value)) }
        }
        do throws(VariantError) {
            variant = ImageVariant(try Variant(items: items))
        } catch {
            throw Problem(error)
        }
        isPlaceholderWanted = try target.choice("placeholder", of: ["none"]) == nil
    }

    private init(variant: ImageVariant, isPlaceholderWanted: Bool) {
        self.variant = variant
        self.isPlaceholderWanted = isPlaceholderWanted
    }

    var withoutPlaceholder: PhotoQuery { PhotoQuery(variant: variant, isPlaceholderWanted: false) }

    static let variantParameters: [RouteNote.Parameter] = [
        .init("w", .integer(1...Variant.maximumSide)), .init("h", .integer(1...Variant.maximumSide)),
        .init("fit", .choice(Variant.Fit.allCases.map(\.rawValue))),
        .init("enlarge", .either([.flag, .choice(["0", "1"])])),
        .init("dpr", .either([.integer(1...4), .text(pattern: #"^([1-3](\.[0-9]+)?|4(\.0+)?)$"#)])),
        .init("format", .choice(Variant.Format.allCases.map(\.rawValue))),
        .init("q", .integer(1...100)), .init("round", .anything),
    ]
    static let parameters = variantParameters + [RouteNote.Parameter("placeholder", .choice(["none"]))]
}

extension Problem {
    fileprivate init(_ error: VariantError) {
        switch error {
        case .wrongType(let parameter, let accepted): self = .wrongType(parameter, accepted: accepted)
        case .outOfRange(let parameter, let accepted): self = .outOfRange(parameter, accepted: accepted)
        case .repeated(let parameter): self = .notAllowed(parameter, "accepted once")
        case .unknown: self.init(400, .notAllowed, "\(error)")
        }
    }
}
