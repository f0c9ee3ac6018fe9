/// Lines in the text format of Prometheus, version 0.0.4.
struct MetricsText {
    private(set) var text = ""
    private var name = ""

    mutating func family(_ name: String, _ type: String, _ help: String) {
        self.name = name
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    /// A series of the family. Label values are words of ours, so nothing needs escaping.
    mutating func sample(_ labels: [(String, String)], _ value: Double) {
        let inner = labels.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ",")
        text += "\(name)\(inner.isEmpty ? "" : "{\(inner)}") \(Self.number(value))\n"
    }

    mutating func single(_ name: String, _ type: String, _ help: String, _ value: Double) {
        family(name, type, help)
        sample([], value)
    }

    private static func number(_ value: Double) -> String {
        Int(exactly: value).map { "\($0)" } ?? "\(value)"
    }
}
