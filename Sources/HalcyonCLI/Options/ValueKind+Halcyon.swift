extension ValueKind<String> {
    static var expiry: Self {
        Self(
            "EXPIRY", accepted: ExpiryText.accepted, parse: { ExpiryText.isValid($0) ? $0 : nil }, write: { $0 })
    }

    static var originRule: Self { text("HOST[:PORT][=CIDR,…]") }

    static var redirectHost: Self { text("HOST") }

    static var fileOrStandard: Self {
        Self(
            "FILE|-", accepted: "the path of a file, or -", completion: .files, parse: { $0.isEmpty ? nil : $0 },
            write: { $0 })
    }

    static var cron: Self { text("CRON", accepted: "five cron fields, such as \"0 3 * * *\"") }
}
