/// Where things stand on the page, in tenths of a millimetre of an A4 page of 210 × 297 mm.
struct SheetLayout {
    static let pageWidth = 2100.0
    static let pageHeight = 2970.0
    static let margin = 100.0
    private static let gap = 30.0
    /// Two lines under a face of `fullWidth` or more; under a smaller one they are as much smaller.
    private static let caption = 92.0
    private static let fullWidth = 250.0
    private static let titleHeight = 130.0
    /// Height by width of a face.
    private static let faceRatio = 1.25

    let columns: Int
    let rows: Int
    let faceWidth: Double
    private let top: Double
    /// Pixels a tenth of a millimetre.
    private let scale: Double
    private let isWholePage: Bool

    var faceHeight: Double { faceWidth * Self.faceRatio }
    /// What the sizes of captions are multiplied with.
    var captionScale: Double { min(1, faceWidth / Self.fullWidth) }
    private var rowHeight: Double { faceHeight + (Self.caption + Self.gap) * captionScale }

    /// Of the page, and of one face; whole numbers of pixels.
    var pagePixels: (width: Int, height: Int) {
        let height = isWholePage ? Self.pageHeight : usedHeight
        return (Int((Self.pageWidth * scale).rounded()), Int((height * scale).rounded(.up)))
    }
    var facePixels: (width: Int, height: Int) {
        (max(1, Int((faceWidth * scale).rounded())), max(1, Int((faceHeight * scale).rounded())))
    }

    init(count: Int, options: ContactSheet.Options) {
        let top = Self.margin + (options.title.isEmpty ? 0 : Self.titleHeight)
        /// The width of a face with so many columns, all rows on one page.
        func width(_ columns: Int) -> Double {
            let rows = Double(max(1, (count + columns - 1) / columns))
            let across = (Self.pageWidth - 2 * Self.margin + Self.gap) / Double(columns) - Self.gap
            let row = (Self.pageHeight - top - Self.margin) / rows
            let full = (row - Self.caption - Self.gap) / Self.faceRatio
            let down =
                full >= Self.fullWidth ? full : row / (Self.faceRatio + (Self.caption + Self.gap) / Self.fullWidth)
            return min(across, down, 420)
        }
        let range = ContactSheet.Options.columnsRange
        columns = options.columns ?? range.max { (width($0), -$0) < (width($1), -$1) } ?? 6
        rows = max(1, (count + columns - 1) / columns)
        faceWidth = width(columns)
        self.top = top
        scale = Double(options.width ?? (options.format == .pdf ? 2480 : 1240)) / Self.pageWidth
        isWholePage = options.format == .pdf
    }

    private var usedHeight: Double {
        top + Double(rows) * rowHeight + Self.margin
    }

    /// The width that a face and its caption may take.
    var cellWidth: Double { (Self.pageWidth - 2 * Self.margin + Self.gap) / Double(columns) - Self.gap }

    /// The upper left corner of a face, in the middle of its cell.
    func place(_ index: Int) -> (x: Double, y: Double) {
        let (row, column) = (Double(index / columns), Double(index % columns))
        return (
            Self.margin + column * (cellWidth + Self.gap) + (cellWidth - faceWidth) / 2,
            top + row * rowHeight
        )
    }
}
