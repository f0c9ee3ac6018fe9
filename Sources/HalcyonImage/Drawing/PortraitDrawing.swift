/// Draws a face as SVG, back to front, on a canvas of 480 × 600 with the head in the middle of its upper half.
struct PortraitDrawing {
    let traits: PortraitTraits

    private static let center = 240

    var svg: String {
        let mirror = traits.isMirrored ? "translate(480 0) scale(-1 1)" : ""
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="480" height="600" viewBox="0 0 480 600">
            <defs>\(gradients)</defs>
            <rect width="480" height="600" fill="url(#ground)"/>
            <g transform="\(mirror)">
            <g transform="rotate(\(traits.tilt) 240 430)">\(PortraitHair(traits: traits).back)</g>
            \(PortraitClothes(traits: traits).svg)
            <g transform="rotate(\(traits.tilt) 240 430)">\(head)\(PortraitHair(traits: traits).front)\(glasses)</g>
            </g>
            </svg>
            """
    }

    private var gradients: String {
        let (skin, ground) = (traits.skin, traits.ground)
        return """
            <radialGradient id="ground" cx="0.4" cy="0.36" r="0.8">
            <stop offset="0" stop-color="\(ground.light)"/><stop offset="1" stop-color="\(ground.dark)"/></radialGradient>
            <radialGradient id="skin" cx="0.42" cy="0.38" r="0.72">
            <stop offset="0" stop-color="\(skin.light)"/><stop offset="0.55" stop-color="\(skin.base)"/>
            <stop offset="1" stop-color="\(skin.shade)"/></radialGradient>
            <linearGradient id="neck" x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" stop-color="\(skin.shade)"/><stop offset="1" stop-color="\(skin.base)"/></linearGradient>
            <radialGradient id="blush"><stop offset="0" stop-color="\(skin.lips)" stop-opacity="0.34"/>
            <stop offset="1" stop-color="\(skin.lips)" stop-opacity="0"/></radialGradient>
            <linearGradient id="hair" x1="0.2" y1="0" x2="0.6" y2="1">
            <stop offset="0" stop-color="\(traits.hairLight)"/><stop offset="0.55" stop-color="\(traits.hairColor)"/>
            </linearGradient>
            <linearGradient id="cloth" x1="0" y1="0" x2="0.7" y2="1">
            <stop offset="0" stop-color="\(traits.clothColor)"/><stop offset="1" stop-color="\(traits.clothShade)"/>
            </linearGradient>
            """
    }

    private var head: String {
        let (left, right) = (Self.center - traits.cheek, Self.center + traits.cheek)
        let (jawLeft, jawRight) = (Self.center - traits.jaw, Self.center + traits.jaw)
        let ears =
            traits.hair == .scarf
            ? ""
            : [left + 2, right - 2].map { x in
                """
                <ellipse cx="\(x)" cy="292" rx="17" ry="29" fill="\(traits.skin.base)"/>
                <ellipse cx="\(x)" cy="294" rx="8" ry="17" fill="\(traits.skin.shade)" opacity="0.55"/>
                """
            }.joined()
        return """
            \(ears)
            <path fill="url(#skin)" d="M\(left) 262 C\(left) 118 \(right) 118 \(right) 262 \
            C\(right) 340 \(jawRight) 416 240 416 C\(jawLeft) 416 \(left) 340 \(left) 262 Z"/>
            <circle cx="186" cy="334" r="32" fill="url(#blush)"/><circle cx="294" cy="334" r="32" fill="url(#blush)"/>
            \(freckles)\(eyes)
            <path d="M236 300 C231 318 226 328 231 333 C236 338 246 338 250 333" fill="none" stroke="\(traits.skin.shade)" \
            stroke-width="4.5" stroke-linecap="round"/>
            \(mouth)
            """
    }

    private var eyes: String {
        [-1, 1].map { side in
            let x = Self.center + side * traits.eyeGap
            let (size, browY) = (traits.eyeSize, 250 - traits.browLift)
            let (outer, inner) = (x + side * (size + 8), x - side * (size + 4))
            return """
                <path d="M\(x - size) 288 Q\(x) \(288 - size) \(x + size) 288 Q\(x) \(288 + size * 3 / 4) \(x - size) 288 Z" \
                fill="#fbf9f7"/>
                <circle cx="\(x)" cy="287" r="9" fill="\(traits.iris)"/><circle cx="\(x)" cy="287" r="4.5" fill="#120d0b"/>
                <circle cx="\(x - 3)" cy="283" r="2.6" fill="#fff"/>
                <path d="M\(x - size - 1) 289 Q\(x) \(287 - size) \(x + size + 1) 289" fill="none" stroke="#2a1c17" \
                stroke-width="4" stroke-linecap="round"/>
                <path d="M\(inner) \(browY + 3) Q\(x) \(browY - 10) \(outer) \(browY + 4)" fill="none" stroke="\(browColor)" \
                stroke-width="7" stroke-linecap="round" opacity="0.9"/>
                """
        }.joined()
    }

    private var browColor: String { traits.hair == .scarf ? "#3a2a22" : traits.hairColor }

    private var mouth: String {
        if traits.smilesOpenly {
            return """
                <path d="M208 360 Q240 370 272 360 Q266 392 240 392 Q214 392 208 360 Z" fill="#7c3036"/>
                <path d="M213 363 Q240 372 267 363 Q264 374 240 375 Q216 374 213 363 Z" fill="#fdfbf8"/>
                <path d="M206 359 Q240 371 274 359" fill="none" stroke="\(traits.skin.lips)" stroke-width="5" \
                stroke-linecap="round"/>
                """
        }
        return """
            <path d="M211 363 Q226 360 240 363 Q254 360 269 363 Q258 380 240 380 Q222 380 211 363 Z" \
            fill="\(traits.skin.lips)"/>
            <path d="M206 361 Q224 370 240 369 Q256 370 274 361" fill="none" stroke="#7a3b38" stroke-width="3" \
            stroke-linecap="round" opacity="0.75"/>
            """
    }

    private var freckles: String {
        guard traits.hasFreckles else { return "" }
        return [
            (176, 318), (190, 326), (168, 330), (204, 318), (184, 338), (276, 318), (290, 327), (304, 320), (312, 332),
            (296, 340),
        ]
        .map { "<circle cx=\"\($0.0)\" cy=\"\($0.1)\" r=\"2.2\" fill=\"\(traits.skin.shade)\"/>" }.joined()
    }

    private var glasses: String {
        guard traits.hasGlasses else { return "" }
        let (left, right) = (Self.center - traits.eyeGap - 2, Self.center + traits.eyeGap + 2)
        return """
            <g fill="#ffffff" fill-opacity="0.13" stroke="#2b2b30" stroke-width="4.5">
            <rect x="\(left - 33)" y="264" width="64" height="50" rx="20"/>
            <rect x="\(right - 31)" y="264" width="64" height="50" rx="20"/>
            <path fill="none" d="M\(left + 31) 284 Q240 274 \(right - 31) 284"/>
            <path fill="none" d="M\(left - 33) 282 L\(Self.center - traits.cheek + 2) 278 M\(right + 33) 282 \
            L\(Self.center + traits.cheek - 2) 278"/>
            </g>
            """
    }
}
