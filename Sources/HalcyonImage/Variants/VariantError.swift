/// What is wrong with the parameters of a variant. Descriptions name the parameter and what is accepted, never what came.
package enum VariantError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Not of the kind at all: a word where a number is wanted.
    case wrongType(parameter: String, accepted: String)
    /// Of the kind, and outside the range or the closed list.
    case outOfRange(parameter: String, accepted: String)
    case repeated(parameter: String)
    /// No parameter of a variant; only from `init(text:)`, as other parameters of a request are the caller's.
    case unknown

    package var description: String {
        switch self {
        case .wrongType(let parameter, let accepted), .outOfRange(let parameter, let accepted):
            "\(parameter) must be \(accepted)"
        case .repeated(let parameter):
            "\(parameter) is given more than once"
        case .unknown:
            "a variant knows the parameters \(Variant.parameterNames.joined(separator: ", ")), as in w=128&h=96&fit=cover"
        }
    }
}
