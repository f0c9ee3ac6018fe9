internal import CVips
internal import Glibc
internal import Synchronization

/// libvips, opened and initialised when the first picture is drawn. One thread an operation and no operation cache: what
/// is drawn here is drawn once.
///
/// Of its loaders only those of `ImageProbe`'s formats stay, and SVG for drawings of ours: no bytes reach ImageMagick, PDF
/// or the readers of scientific formats.
struct Vips: Sendable {
    // Guard: written once by `open`, only read after; libvips itself may be called from any thread.
    nonisolated(unsafe) let table: halcyon_vips

    private static let isOpen = Atomic(false)
    static let opened = Result { () throws(DrawingError) in try Vips() }

    /// - Throws: `library`, the same at every call, if libvips is not installed or too old.
    static func shared() throws(DrawingError) -> Vips { try opened.get() }

    private init() throws(DrawingError) {
        // ORC, with which libvips writes code for vectors while it runs, aborts where the system forbids that
        // (MemoryDenyWriteExecute= of systemd). libvips then has code of its own for the same.
        if !Self.mayWriteCode { setenv("VIPS_NOVECTOR", "1", 1) }
        var table = halcyon_vips()
        if let reason = halcyon_vips_open(&table) {
            throw .library(String(cString: reason) + "; the package libvips42 provides it")
        }
        guard table.`init`("halcyon") == 0 else { throw Self.failure(table) }
        table.concurrency_set(1)
        table.cache_set_max(0)
        halcyon_vips_silence(&table)
        table.operation_block_set("VipsForeignLoad", 1)
        for loader in ["Jpeg", "Png", "Nsgif", "Webp", "Heif", "Tiff", "Svg"] {
            table.operation_block_set("VipsForeignLoad" + loader, 0)
        }
        self.table = table
        Self.isOpen.store(true, ordering: .releasing)
    }

    private static var mayWriteCode: Bool {
        let page = 4096
        let address = mmap(nil, page, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let address, address != MAP_FAILED else { return false }
        munmap(address, page)
        return true
    }

    /// To be called at the end of a thread that drew: frees what libvips keeps for it.
    static func leaveThread() {
        if isOpen.load(ordering: .acquiring), case .success(let vips) = opened { vips.table.thread_shutdown() }
    }

    /// Draws an SVG of ours in its own size; never text from outside.
    func png(drawing svg: String) throws(DrawingError) -> [UInt8] {
        let image = try image(drawing: svg)
        return try bytes { halcyon_vips_pngsave($0, image.pointer, 9, $1, $2) }
    }

    /// Draws an opaque SVG of ours, lays `grain` over it and encodes it.
    func jpeg(drawing svg: String, grain: Image, quality: Int) throws(DrawingError) -> [UInt8] {
        let drawn = try image(drawing: svg)
        let opaque = try opaque(drawn)
        let grainy = try image { halcyon_vips_add($0, opaque.pointer, grain.pointer, $1) }
        return try bytes { halcyon_vips_jpegsave($0, grainy.pointer, Int32(quality), $1, $2) }
    }

    /// A drawing that covers its ground, without its alpha.
    func opaque(_ drawn: Image) throws(DrawingError) -> Image {
        try image { halcyon_vips_extract_bands($0, drawn.pointer, 0, 3, $1) }
    }

    /// Noise as of a camera, the same at every call.
    /// - Parameter sigma: standard deviation in steps of 8-bit brightness.
    func grain(width: Int, height: Int, sigma: Double) throws(DrawingError) -> Image {
        let noise = try image { halcyon_vips_gaussnoise($0, Int32(width), Int32(height), sigma, $1) }
        let whole = try image { halcyon_vips_cast_short($0, noise.pointer, $1) }
        return try image { vips, out in
            out.pointee = vips.pointee.copy_memory(whole.pointer)
            return out.pointee == nil ? -1 : 0
        }
    }

    func image(drawing svg: String) throws(DrawingError) -> Image {
        // libvips reads the text when it draws, after this call: the image keeps it alive.
        let text = Array(svg.utf8)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
        memory.copyBytes(from: text)
        do throws(DrawingError) {
            return try image(keeping: memory) { halcyon_vips_svgload($0, memory.baseAddress, memory.count, $1) }
        } catch {
            memory.deallocate()
            throw error
        }
    }

    /// Owns one reference to an image, and the memory that it was loaded from.
    final class Image: @unchecked Sendable {
        // Guard: never changed after `init`; libvips images may be read from several threads at once.
        let pointer: OpaquePointer
        private let memory: UnsafeMutableRawBufferPointer?
        private let unref: @convention(c) (UnsafeMutableRawPointer?) -> Void

        fileprivate init(
            _ pointer: OpaquePointer, memory: UnsafeMutableRawBufferPointer?,
            unref: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
        ) {
            self.pointer = pointer
            self.memory = memory
            self.unref = unref
        }

        deinit {
            unref(UnsafeMutableRawPointer(pointer))
            memory?.deallocate()
        }
    }

    func image(
        keeping memory: UnsafeMutableRawBufferPointer? = nil,
        _ operation: (UnsafePointer<halcyon_vips>, UnsafeMutablePointer<OpaquePointer?>) -> Int32
    ) throws(DrawingError) -> Image {
        var pointer: OpaquePointer?
        let status = withUnsafePointer(to: table) { operation($0, &pointer) }
        guard status == 0, let pointer else { throw Self.failure(table) }
        return Image(pointer, memory: memory, unref: table.unref)
    }

    func bytes(
        _ save: (
            UnsafePointer<halcyon_vips>, UnsafeMutablePointer<UnsafeMutableRawPointer?>, UnsafeMutablePointer<Int>
        ) -> Int32
    ) throws(DrawingError) -> [UInt8] {
        var memory: UnsafeMutableRawPointer?
        var count = 0
        let status = withUnsafePointer(to: table) { save($0, &memory, &count) }
        guard status == 0, let memory else { throw Self.failure(table) }
        defer { table.free(memory) }
        return Array(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// What libvips left; its buffer is one for all threads, so the text may be that of a neighbour too.
    static func failure(_ table: halcyon_vips) -> DrawingError {
        guard let text = table.error_buffer_copy() else { return .library("no reason given") }
        defer { table.free(text) }
        return .library(String(cString: text))
    }
}
