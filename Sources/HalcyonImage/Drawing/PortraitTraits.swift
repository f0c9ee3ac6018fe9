/// What makes one drawn face different from the next.
struct PortraitTraits {
    struct Skin { let base, light, shade, lips: String }

    enum Hair: CaseIterable { case crop, sidePart, fringe, bob, long, wavy, ponytail, bun, curls, braids, buzz, scarf }

    enum Clothes: CaseIterable { case shirt, sweater, blazer, hoodie, stripes }

    let skin: Skin
    let hair: Hair
    let hairColor: String
    let hairLight: String
    let clothes: Clothes
    let clothColor: String
    let clothShade: String
    let accent: String
    let ground: (light: String, dark: String)
    let iris: String
    let hasGlasses: Bool
    let hasFreckles: Bool
    let smilesOpenly: Bool
    /// Half the width of the head and of the chin.
    let cheek: Int
    let jaw: Int
    let eyeGap: Int
    let eyeSize: Int
    let browLift: Int
    /// Degrees.
    let tilt: Int
    let isMirrored: Bool

    init(using random: inout SplitMix64) {
        let tone = random.number(0...Self.skins.count - 1)
        skin = Self.skins[tone]
        hair = random.pick(Hair.allCases)
        (hairColor, hairLight) = random.pick(
            hair == .scarf ? Self.scarfs : tone < 4 ? Self.hairColors + Self.fairHairColors : Self.hairColors)
        clothes = random.pick(Clothes.allCases)
        (clothColor, clothShade) = random.pick(Self.cloths)
        accent = random.pick(["#c8553d", "#e0a43a", "#3f7d6e", "#5b6fb5", "#8d5a97", "#d98ba0"])
        ground = random.pick(Self.grounds)
        iris = random.pick(tone < 4 ? Self.irises + ["#4d6a58", "#4f6f8f"] : Self.irises)
        hasGlasses = random.chance(24)
        hasFreckles = random.chance(14)
        smilesOpenly = random.chance(42)
        cheek = random.number(91...102)
        jaw = random.number(50...70)
        eyeGap = random.number(39...45)
        eyeSize = random.number(17...20)
        browLift = random.number(-4...5)
        tilt = random.number(-3...3)
        isMirrored = random.chance(50)
    }

    private static let skins = [
        Skin(base: "#f6d3bd", light: "#fde6d8", shade: "#e3ad92", lips: "#cf7a72"),
        Skin(base: "#f1c8a8", light: "#fadfc8", shade: "#d9a27c", lips: "#c76f64"),
        Skin(base: "#eabb93", light: "#f5d3b3", shade: "#cd9467", lips: "#b9645a"),
        Skin(base: "#dba67b", light: "#e9bf99", shade: "#b97f54", lips: "#a9564c"),
        Skin(base: "#c48a5c", light: "#d7a57b", shade: "#9f683f", lips: "#96483f"),
        Skin(base: "#a26a43", light: "#b98460", shade: "#7e4d2c", lips: "#7f3a34"),
        Skin(base: "#7d4e32", light: "#966549", shade: "#5c3620", lips: "#6b322e"),
        Skin(base: "#5f3b28", light: "#784f39", shade: "#432718", lips: "#5c2b2a"),
    ]

    private static let hairColors = [
        ("#1d1a1b", "#3c3638"), ("#241b17", "#46362d"), ("#3a271c", "#5f432f"), ("#5a3a24", "#82583a"),
        ("#17181d", "#34373f"), ("#2b2320", "#50423b"), ("#46302a", "#6d4f45"),
    ]

    private static let fairHairColors = [("#7a4a26", "#a56c3d"), ("#8f3f23", "#b8623c"), ("#c39a57", "#e2c385")]

    private static let irises = ["#3b2417", "#4a2f1d", "#5b3a21", "#2e2a28"]

    private static let scarfs = [
        ("#4d6a8a", "#7391b1"), ("#8a4f63", "#b07588"), ("#5d7a66", "#86a38f"), ("#c2b29a", "#dfd2be"),
        ("#3f4256", "#666a83"),
    ]

    private static let cloths = [
        ("#34507a", "#233959"), ("#7c2f3b", "#5a1f29"), ("#3d6b57", "#2a4d3d"), ("#e9e6df", "#c9c4b8"),
        ("#5a5f6b", "#3f434d"), ("#c98a3a", "#9d6826"), ("#7a6a9c", "#594c78"), ("#b9cbd9", "#93a9ba"),
        ("#2c3038", "#1b1e24"), ("#d9a3a0", "#b57f7d"),
    ]

    private static let grounds = [
        ("#dfe8ef", "#9fb3c4"), ("#efe6da", "#c3ad93"), ("#dcebe2", "#98b8a7"), ("#e8e2ee", "#aea1c0"),
        ("#f1e2e2", "#c5a0a0"), ("#e6e8e6", "#a3aaa7"), ("#d7e6ee", "#7fa3bb"), ("#f4ecd2", "#cdb981"),
    ]
}
