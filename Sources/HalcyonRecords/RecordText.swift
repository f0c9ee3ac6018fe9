/// Texts that people write into records.
package enum RecordText {
    /// `text` without surrounding white space, which may hold line breaks if `isMultiline`.
    package static func check(
        _ text: String, field: String, length: ClosedRange<Int>, isMultiline: Bool = false
    ) throws(RecordError) -> String {
        let trimmed = StudentRules.trimmed(text)
        let isClean = trimmed.unicodeScalars.allSatisfy { scalar in
            !StudentRules.isControl(scalar) || isMultiline && (scalar == "\n" || scalar == "\r" || scalar == "\t")
        }
        guard isClean, length.contains(trimmed.unicodeScalars.count) else {
            let kind = isMultiline ? "characters, line breaks among them" : "characters on one line"
            throw .invalid(field: field, accepted: "\(length.lowerBound) to \(length.upperBound) \(kind)")
        }
        return trimmed
    }
}
