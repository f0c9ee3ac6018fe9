/// Neck, shoulders and what is worn on them.
struct PortraitClothes {
    let traits: PortraitTraits

    private static let shoulders =
        "M18 600 C22 508 70 478 168 456 C190 500 290 500 312 456 C410 478 458 508 462 600 Z"

    var svg: String {
        """
        <path fill="url(#neck)" d="M196 380 L284 380 L286 446 C292 460 312 466 330 472 L240 540 L150 472 C168 466 188 460 194 446 Z"/>
        <path fill="url(#cloth)" d="\(Self.shoulders)"/>
        <g fill="none" stroke="\(traits.clothShade)" stroke-width="5" stroke-linecap="round" opacity="0.6">
        <path d="M96 600 C98 566 104 548 112 532"/><path d="M384 600 C382 566 376 548 368 532"/>
        </g>
        \(details)
        """
    }

    private var details: String {
        switch traits.clothes {
        case .shirt:
            return """
                <path fill="\(traits.clothColor)" stroke="\(traits.clothShade)" stroke-width="3" \
                d="M184 448 L240 522 L204 552 L160 462 Z M296 448 L240 522 L276 552 L320 462 Z"/>
                <path d="M240 524 V600" stroke="\(traits.clothShade)" stroke-width="3"/>
                <circle cx="248" cy="556" r="4.5" fill="\(traits.clothShade)"/>
                """
        case .sweater:
            return """
                <path fill="none" stroke="\(traits.clothShade)" stroke-width="15" d="M170 462 C192 506 288 506 310 462"/>
                <path fill="none" stroke="\(traits.accent)" stroke-width="9" d="M28 566 C140 596 340 596 452 566"/>
                """
        case .blazer:
            return """
                <path fill="#f5f3ee" d="M182 450 L240 600 L298 450 C286 492 194 492 182 450 Z"/>
                <path fill="#f9f8f4" stroke="#d5d2ca" stroke-width="2" \
                d="M186 446 L240 516 L212 534 L172 462 Z M294 446 L240 516 L268 534 L308 462 Z"/>
                <path fill="\(traits.accent)" d="M228 514 L252 514 L256 530 L248 534 L258 600 L222 600 L232 534 L224 530 Z"/>
                <path fill="\(traits.clothColor)" stroke="\(traits.clothShade)" stroke-width="4" \
                d="M168 456 L226 600 L150 600 L122 520 L146 512 L132 472 Z M312 456 L254 600 L330 600 L358 520 L334 512 L348 472 Z"/>
                """
        case .hoodie:
            return """
                <path fill="\(traits.clothShade)" d="M158 462 C150 424 196 428 196 428 C196 470 284 470 284 428 \
                C284 428 330 424 322 462 C316 520 164 520 158 462 Z" opacity="0.95"/>
                <path fill="\(traits.skin.shade)" d="M196 436 C204 486 276 486 284 436 Z"/>
                <g stroke="#f1efe9" stroke-width="5" stroke-linecap="round">
                <path d="M212 506 L208 562"/><path d="M268 506 L272 562"/></g>
                """
        case .stripes:
            let bands = [524, 556, 588].map {
                "<path d=\"M20 \($0 + 16) C140 \($0 - 10) 340 \($0 - 10) 460 \($0 + 16)\"/>"
            }
            return """
                <clipPath id="body"><path d="\(Self.shoulders)"/></clipPath>
                <g clip-path="url(#body)" fill="none" stroke="\(traits.accent)" stroke-width="13" opacity="0.85">\(bands.joined())</g>
                <path fill="none" stroke="\(traits.clothShade)" stroke-width="10" d="M168 458 C190 502 290 502 312 458"/>
                """
        }
    }
}
