/// Why a pupil was spoken to. The raw values are what clients send and show.
package enum GuidanceReason: String, Sendable, Codable, CaseIterable {
    case dress = "복장 불량"
    case indoorShoes = "실내화 없음"
    case jaywalking = "무단횡단"
    /// The only one that may have a detail.
    case other = "기타"

    static let accepted = "one of " + allCases.map(\.rawValue).joined(separator: ", ")
}
