/// What an account may hold.
package enum UserRules {
    static let passwordLength = 10...256

    /// The address in lower case. Loose: whether mail arrives there is not checked.
    package static func email(_ text: String) throws(RecordError) -> String {
        let email = StudentRules.trimmed(text).lowercased()
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        guard email.utf8.count <= 254, parts.count == 2, parts.allSatisfy({ !$0.isEmpty }),
            !email.unicodeScalars.contains(where: { StudentRules.isControl($0) || $0.properties.isWhitespace })
        else {
            throw .invalid(field: "email", accepted: "an address such as name@school.example of at most 254 bytes")
        }
        return email
    }

    static func userName(_ text: String) throws(RecordError) -> String {
        try RecordText.check(text, field: "userName", length: 1...100)
    }

    /// The password as it is: white space counts.
    package static func password(_ text: String, field: String = "password") throws(RecordError) -> String {
        guard passwordLength.contains(text.unicodeScalars.count) else {
            throw .invalid(
                field: field,
                accepted: "\(passwordLength.lowerBound) to \(passwordLength.upperBound) characters")
        }
        return text
    }
}
