#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Times are stored as whole milliseconds since 1970.
extension Date {
    var milliseconds: Int { Int((timeIntervalSince1970 * 1000).rounded()) }

    init(milliseconds: Int) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
