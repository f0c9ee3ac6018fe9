/// What is drawn where there is no photo, as SVG on a square of 256.
package enum PlaceholderDrawing: Sendable, Hashable {
    case silhouette
    /// `Initials` on one of eight grounds, the same for the same name; a silhouette if the name has no letter.
    case initials(name: String)

    /// Distinguishes it in a cache's key: says nothing of the name but its letters.
    package var key: String {
        switch self {
        case .silhouette: "silhouette"
        case .initials(let name):
            Initials.of(name).isEmpty ? "silhouette" : "initials:\(Initials.of(name)):\(Self.ground(name))"
        }
    }

    func svg(side: Int) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(side)" height="\(side)" viewBox="0 0 256 256">\(shapes())</svg>
        """
    }

    /// Without the surrounding element, to be placed in another drawing.
    /// - Parameter suffix: keeps names apart where several stand in one drawing.
    func shapes(suffix: String = "") -> String {
        if case .initials(let name) = self {
            let letters = Initials.of(name)
            if !letters.isEmpty { return Self.letters(letters, ground: Self.grounds[Self.ground(name)]) }
        }
        return """
            <defs>
            <radialGradient id="ground\(suffix)" cx="0.5" cy="0.4" r="0.75">
            <stop offset="0" stop-color="#f4f6f9"/><stop offset="1" stop-color="#d5dce5"/>
            </radialGradient>
            <linearGradient id="head\(suffix)" x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" stop-color="#b9c4d0"/><stop offset="1" stop-color="#a6b3c1"/>
            </linearGradient>
            <linearGradient id="shoulders\(suffix)" x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" stop-color="#9dabbb"/><stop offset="1" stop-color="#8695a7"/>
            </linearGradient>
            </defs>
            <rect width="256" height="256" fill="url(#ground\(suffix))"/>
            <path fill="#8f9eaf" d="M104 136 H152 V168 C152 178 166 182 174 186 L128 212 L82 186 C90 182 104 178 104 168 Z"/>
            <path fill="url(#shoulders\(suffix))" d="M94 178 C104 198 152 198 162 178 C200 190 226 204 230 256 L26 256 \
            C30 204 56 190 94 178 Z"/>
            <path fill="url(#head\(suffix))" d="M128 46 C157 46 176 67 175 98 C174 130 152 158 128 158 \
            C104 158 82 130 81 98 C80 67 99 46 128 46 Z"/>
            """
    }

    /// White has a contrast of at least 4.5 on all of them (WCAG 2.2, 1.4.3).
    private static let grounds = [
        "#3d6b9e", "#8a4f7d", "#2f7561", "#a34f3d", "#5b5ea6", "#7a6527", "#3f7277", "#94495b",
    ]

    /// FNV-1a, so that it is the same in every process.
    private static func ground(_ name: String) -> Int {
        let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return Int(hash % UInt64(grounds.count))
    }

    private static func letters(_ letters: String, ground: String) -> String {
        let size = min(124, 188 / max(DrawnText.width(of: letters), 1))
        return """
            <rect width="256" height="256" fill="\(ground)"/>
            <text x="128" y="\(128 + size * 0.36)" text-anchor="middle" font-family="\(DrawnText.fonts)" font-weight="600" \
            font-size="\(size)" fill="#ffffff">\(DrawnText.escaped(letters))</text>
            """
    }
}
