internal import CVips

/// The faces of a class on one page, number and name under each.
package enum ContactSheet {
    package struct Face: Sendable, Hashable {
        package let number: Int
        package let name: String
        /// The original, or better a variant of `ContactSheet.faceVariant`; `nil` takes the placeholder.
        package let picture: [UInt8]?

        package init(number: Int, name: String, picture: [UInt8]?) {
            self.number = number
            self.name = name
            self.picture = picture
        }
    }

    package enum Format: String, Sendable, CaseIterable {
        case jpeg, png
        /// One page of A4, upright, to be printed.
        case pdf

        package var contentType: String { self == .pdf ? "application/pdf" : "image/" + rawValue }
    }

    package struct Options: Sendable, Hashable {
        package static let columnsRange = 1...12
        package static let widthRange = 400...4096

        /// 1–12; `nil` takes the number that gives the largest faces on A4.
        package var columns: Int?
        /// Pixels, 400–4096. Print asks for 2480, which is A4 at 300 to the inch and what PDF takes unless told otherwise.
        package var width: Int?
        package var format: Format
        /// At the head of the page; none if empty.
        package var title: String
        /// Whether the missing are shown by their initials.
        package var initials: Bool

        package init(
            columns: Int? = nil, width: Int? = nil, format: Format = .jpeg, title: String = "", initials: Bool = false
        ) {
            precondition(columns.map(Self.columnsRange.contains) ?? true, "columns out of range")
            precondition(width.map(Self.widthRange.contains) ?? true, "width out of range")
            self.columns = columns
            self.width = width
            self.format = format
            self.title = title
            self.initials = initials
        }
    }

    package struct Page: Sendable, Hashable {
        package let bytes: [UInt8]
        package let format: Format
        /// Pixels; of a PDF those of the picture on its page.
        package let width: Int
        package let height: Int
        /// Numbers of the faces whose picture could not be decoded, and who have the placeholder now.
        package let unreadable: [Int]
    }

    /// What every face is brought to: what a cache may keep, so that a page is made without the originals.
    package static func faceVariant(count: Int, options: Options) -> Variant {
        let layout = SheetLayout(count: count, options: options)
        return Variant(
            width: layout.facePixels.width, height: layout.facePixels.height, fit: .cover, enlarge: true,
            format: .jpeg, quality: 90)
    }

    /// A page of A4 with a sheet of the format `jpeg`, of `pdfWidth` pixels unless told otherwise, at its head.
    package static func pdf(ofJPEG jpeg: [UInt8], width: Int, height: Int) -> [UInt8] {
        PDFPage.a4(jpeg: jpeg, width: width, height: height)
    }

    /// A4 at 300 to the inch.
    package static let pdfWidth = 2480

    /// In the order of `faces`, row by row. Blocks.
    /// - Throws: what keeps the page from being drawn; a face that cannot be decoded is in `unreadable` instead. Errors that
    ///   say nothing of the picture (`busy`, `library`, `cancelled`) are thrown.
    package static func render(
        _ faces: [Face], options: Options = .init(), limits: ImageLimits = .init(),
        by performer: RenderJob.Performer = RenderJob.here
    ) throws(RenderError) -> Page {
        let layout = SheetLayout(count: faces.count, options: options)
        let variant = ResolvedVariant(
            faceVariant(count: faces.count, options: options), format: .jpeg, isAnimated: false)
        var pictures: [[UInt8]?] = []
        var unreadable: [Int] = []
        for face in faces {
            do throws(RenderError) {
                pictures.append(
                    try face.picture.map { original throws(RenderError) in
                        try performer(.variant(variant), original, limits, VariantRenderer.timeLimit).bytes
                    })
            } catch .image, .tooSlow, .crashed {
                pictures.append(nil)
                unreadable.append(face.number)
            }
        }
        let drawing = SheetDrawing(layout: layout, faces: faces, pictures: pictures, options: options)
        let bytes = try performer(
            .page(options.format), Array(drawing.svg.utf8), ImageLimits(), VariantRenderer.timeLimit
        ).bytes
        let (width, height) = (layout.pagePixels.width, layout.pagePixels.height)
        return Page(
            bytes: options.format == .pdf ? PDFPage.a4(jpeg: bytes, width: width, height: height) : bytes,
            format: options.format, width: width, height: height, unreadable: unreadable)
    }

    /// The pixels of a page; of a PDF those of its picture.
    static func render(_ svg: String, as format: Format) throws(RenderError) -> RenderedImage {
        do throws(DrawingError) {
            let vips = try Vips.shared()
            let drawn = try vips.opaque(vips.image(drawing: svg))
            return RenderedImage(
                bytes: try vips.page(drawn, as: format), format: format == .png ? .png : .jpeg,
                width: Int(vips.table.get_width(drawn.pointer)), height: Int(vips.table.get_height(drawn.pointer)))
        } catch {
            throw .library("\(error)")
        }
    }
}
