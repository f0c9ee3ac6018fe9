internal import Foundation

/// The page as SVG: pictures of ours inside, every text escaped.
struct SheetDrawing {
    let layout: SheetLayout
    let faces: [ContactSheet.Face]
    /// JPEGs that were rendered by us, in the order of the faces.
    let pictures: [[UInt8]?]
    let options: ContactSheet.Options

    var svg: String {
        let (width, height) = layout.pagePixels
        let view = SheetLayout.pageWidth
        return """
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="\(width)" \
            height="\(height)" viewBox="0 0 \(view) \(view * Double(height) / Double(width))">
            <rect width="100%" height="100%" fill="#ffffff"/>
            \(title)\(zip(faces.indices, pictures).map(face).joined())
            </svg>
            """
    }

    private var title: String {
        guard !options.title.isEmpty else { return "" }
        let size = fitting(options.title, width: SheetLayout.pageWidth - 2 * SheetLayout.margin, size: 64).size
        return text(options.title, x: SheetLayout.pageWidth / 2, y: SheetLayout.margin + 64, size: size, weight: 600)
    }

    private func face(_ index: Int, _ picture: [UInt8]?) -> String {
        let face = faces[index]
        let (x, y) = layout.place(index)
        let (width, height) = (layout.faceWidth, layout.faceHeight)
        let middle = x + width / 2
        let inside: String
        if let picture {
            inside = """
                <image x="\(x)" y="\(y)" width="\(width)" height="\(height)" preserveAspectRatio="none" \
                xlink:href="data:image/jpeg;base64,\(Data(picture).base64EncodedString())"/>
                """
        } else {
            let drawing: PlaceholderDrawing = options.initials ? .initials(name: face.name) : .silhouette
            // The square is scaled to the height and cut at both sides, as `cover` does.
            inside = """
                <svg x="\(x)" y="\(y)" width="\(width)" height="\(height)" viewBox="0 0 256 256" \
                preserveAspectRatio="xMidYMid slice">\(drawing.shapes(suffix: "\(index)"))</svg>
                """
        }
        let scale = layout.captionScale
        let name = fitting(face.name, width: layout.cellWidth, size: 38 * scale)
        return """
            \(inside)
            <rect x="\(x)" y="\(y)" width="\(width)" height="\(height)" fill="none" stroke="#c5ccd5" stroke-width="2"/>
            \(text("\(face.number)", x: middle, y: y + height + 37 * scale, size: 28 * scale, weight: 400, colour: "#5a6572"))
            \(text(name.text, x: middle, y: y + height + 80 * scale, size: name.size, weight: 600))
            """
    }

    private func text(
        _ text: String, x: Double, y: Double, size: Double, weight: Int, colour: String = "#1d2530"
    ) -> String {
        """
        <text x="\(x)" y="\(y)" text-anchor="middle" font-family="\(DrawnText.fonts)" font-size="\(size)" \
        font-weight="\(weight)" fill="\(colour)">\(DrawnText.escaped(text))</text>
        """
    }

    /// Smaller down to three fifths, then cut with an ellipsis.
    private func fitting(_ text: String, width: Double, size: Double) -> (text: String, size: Double) {
        let em = DrawnText.width(of: text)
        if em * size <= width { return (text, size) }
        let smallest = size * 0.6
        if em * smallest <= width { return (text, width / em) }
        var cut = text
        while !cut.isEmpty, (DrawnText.width(of: cut) + 0.8) * smallest > width { cut.removeLast() }
        return (cut + "…", smallest)
    }
}
