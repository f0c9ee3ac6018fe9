internal import Glibc

/// Hair, in the part that hangs behind the neck and the part that lies over the forehead.
struct PortraitHair {
    let traits: PortraitTraits

    private var left: Int { 240 - traits.cheek }
    private var right: Int { 240 + traits.cheek }

    var back: String {
        switch traits.hair {
        case .bob:
            shape(
                "M\(left - 22) 270 C\(left - 26) 96 \(right + 26) 96 \(right + 22) 270 C\(right + 30) 350 \(right + 22) 396 \(right - 8) 412 L\(left + 8) 412 C\(left - 22) 396 \(left - 30) 350 \(left - 22) 270 Z"
            )
        case .long:
            shape(
                "M\(left - 20) 270 C\(left - 26) 92 \(right + 26) 92 \(right + 20) 270 C\(right + 26) 380 \(right + 34) 470 \(right + 16) 540 L\(left - 16) 540 C\(left - 34) 470 \(left - 26) 380 \(left - 20) 270 Z"
            )
        case .wavy:
            shape(
                "M\(left - 20) 262 C\(left - 26) 92 \(right + 26) 92 \(right + 20) 262 C\(right + 50) 310 \(right + 12) 350 \(right + 40) 398 C\(right + 62) 450 \(right + 16) 486 \(right - 10) 492 L\(left + 10) 492 C\(left - 16) 486 \(left - 62) 450 \(left - 40) 398 C\(left - 12) 350 \(left - 50) 310 \(left - 20) 262 Z"
            )
        case .ponytail:
            shape(
                "M\(right - 40) 180 C\(right + 60) 150 \(right + 96) 260 \(right + 58) 400 C\(right + 50) 430 \(right + 24) 436 \(right + 26) 400 C\(right + 40) 320 \(right + 30) 250 \(right - 30) 240 Z"
            )
        case .bun:
            "<circle cx=\"240\" cy=\"128\" r=\"48\" fill=\"url(#hair)\"/>\(strands(["M212 110 Q240 92 268 112", "M204 132 Q240 112 276 134"]))"
        case .curls:
            curls(around: 12, radius: 128, size: 44)
        case .scarf:
            shape(
                "M\(left - 24) 280 C\(left - 30) 84 \(right + 30) 84 \(right + 24) 280 C\(right + 30) 400 \(right + 50) 450 \(right + 44) 500 L\(left - 44) 500 C\(left - 50) 450 \(left - 30) 400 \(left - 24) 280 Z"
            )
        case .crop, .sidePart, .fringe, .braids, .buzz:
            ""
        }
    }

    var front: String {
        switch traits.hair {
        case .crop:
            cap(
                "C\(right - 12) 218 \(right - 34) 200 300 206 C270 196 240 212 214 200 C190 208 \(left + 20) 210 \(left + 8) 268"
            )
                + strands(["M190 160 Q206 182 202 198", "M236 148 Q248 176 240 200", "M286 158 Q290 184 280 200"])
        case .sidePart, .ponytail:
            cap("C\(right - 8) 226 \(right - 44) 206 200 178 C190 206 \(left + 22) 216 \(left + 8) 268")
                + strands(["M204 178 C250 180 300 196 \(right - 12) 234", "M204 168 C262 160 310 180 \(right - 4) 220"])
        case .fringe, .bob:
            cap(
                "L\(right - 10) 244 Q\(right - 24) 228 296 240 Q270 232 240 241 Q210 232 184 240 Q\(left + 24) 228 \(left + 10) 244 L\(left + 6) 270"
            )
                + strands(["M240 150 Q236 200 240 238", "M206 154 Q192 200 186 236", "M276 154 Q288 200 296 236"])
        case .long, .bun:
            cap("C\(right - 10) 232 \(right - 40) 214 240 176 C\(left + 40) 214 \(left + 10) 232 \(left + 6) 272")
                + strands(["M240 176 C270 190 306 214 \(right - 6) 252", "M240 176 C210 190 174 214 \(left + 6) 252"])
        case .wavy:
            cap(
                "C\(right - 6) 240 \(right - 30) 236 \(right - 28) 216 C300 214 286 196 196 182 C190 214 \(left + 26) 214 \(left + 20) 238 C\(left + 12) 250 \(left + 8) 258 \(left + 6) 272"
            )
                + strands(["M198 182 C240 188 290 200 \(right - 24) 222", "M198 172 C250 162 310 180 \(right - 4) 224"])
        case .curls:
            curls(around: 9, radius: 98, size: 36, span: 200...340, centerY: 250)
        case .braids:
            cap("C\(right - 10) 232 \(right - 40) 214 240 176 C\(left + 40) 214 \(left + 10) 232 \(left + 6) 272")
                + braid(x: left - 12) + braid(x: right + 12)
        case .buzz:
            "<path fill=\"\(traits.hairColor)\" opacity=\"0.88\" d=\"M\(left - 1) 256 C\(left - 3) 112 \(right + 3) 112 \(right + 1) 256 C\(right - 8) 214 \(right - 30) 196 240 194 C\(left + 30) 196 \(left + 8) 214 \(left - 1) 256 Z\"/>"
        case .scarf:
            scarf
        }
    }

    private var scarf: String {
        """
        <path fill="url(#hair)" fill-rule="evenodd" d="M\(left - 24) 280 C\(left - 30) 84 \(right + 30) 84 \(right + 24) 280 \
        C\(right + 28) 380 \(right + 20) 462 240 492 C\(left - 20) 462 \(left - 28) 380 \(left - 24) 280 Z \
        M\(left + 10) 276 C\(left + 6) 352 \(240 - traits.jaw) 410 240 410 C\(240 + traits.jaw) 410 \(right - 6) 352 \(right - 10) 276 \
        C\(right - 14) 176 \(left + 14) 176 \(left + 10) 276 Z"/>
        \(strands(["M\(left - 8) 300 C\(left) 390 200 440 250 452", "M\(right + 10) 300 C\(right + 4) 400 290 440 236 462", "M\(left) 200 C200 130 290 130 \(right) 206"]))
        """
    }

    private func shape(_ path: String) -> String { "<path fill=\"url(#hair)\" d=\"\(path)\"/>" }

    /// The top of the head, closed by a hairline that runs from the right temple to the left one.
    private func cap(_ hairline: String) -> String {
        shape("M\(left - 9) 276 C\(left - 20) 92 \(right + 20) 92 \(right + 9) 276 L\(right - 6) 270 \(hairline) Z")
    }

    private func strands(_ paths: [String]) -> String {
        let drawn = paths.map { "<path d=\"\($0)\"/>" }.joined()
        return
            "<g fill=\"none\" stroke=\"\(traits.hairLight)\" stroke-width=\"4\" stroke-linecap=\"round\" opacity=\"0.55\">\(drawn)</g>"
    }

    /// Circles on an arc round the head; degrees run clockwise from the right.
    private func curls(
        around count: Int, radius: Int, size: Int, span: ClosedRange<Int> = 150...390, centerY: Int = 262
    ) -> String {
        (0..<count).map { index in
            let degrees = span.lowerBound + (span.upperBound - span.lowerBound) * index / (count - 1)
            let angle = Double(degrees) * .pi / 180
            let (x, y) = (240 + Double(radius) * cos(angle), Double(centerY) + Double(radius) * sin(angle))
            let wobble = Double(size) * (index % 2 == 0 ? 1 : 0.86)
            return "<circle cx=\"\(Int(x))\" cy=\"\(Int(y))\" r=\"\(Int(wobble))\" fill=\"url(#hair)\"/>"
        }.joined()
    }

    private func braid(x: Int) -> String {
        (0..<8).map { index in
            let shift = index % 2 == 0 ? -4 : 4
            return
                "<ellipse cx=\"\(x + shift)\" cy=\"\(280 + index * 30)\" rx=\"\(21 - index)\" ry=\"20\" fill=\"url(#hair)\"/>"
        }.joined()
            + "<rect x=\"\(x - 12)\" y=\"500\" width=\"24\" height=\"12\" rx=\"5\" fill=\"\(traits.accent)\"/>"
    }
}
