package enum HalcyonVersion {
    package static let text = "0.1.0"
}
