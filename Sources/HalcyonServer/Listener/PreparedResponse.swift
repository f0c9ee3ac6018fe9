internal import CMicroHTTPD

/// An answer in the form libmicrohttpd queues: header fields laid out, body by reference. It can be queued any number
/// of times, from any I/O thread, at once.
///
/// Guard: the C object is reference-counted under a lock of its own and is not changed after `init`.
final class PreparedResponse: @unchecked Sendable {
    let pointer: OpaquePointer

    /// The response keeps `owner`, to whom `bytes` belong, until its last use on the wire.
    /// `nil` if there is no memory for it or a field holds a line break.
    init?(fields: [(String, String)], bytes: UnsafeRawBufferPointer, owner: AnyObject) {
        let kept = Unmanaged.passRetained(owner)
        guard
            let response = MHD_create_response_from_buffer_with_free_callback_cls(
                bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                { context in if let context { Unmanaged<AnyObject>.fromOpaque(context).release() } },
                kept.toOpaque())
        else {
            kept.release()
            return nil
        }
        pointer = response
        guard add(fields) else { return nil }
    }

    /// The response copies `bytes`.
    init?(fields: [(String, String)], copying bytes: [UInt8]) {
        let made = bytes.withUnsafeBytes { buffer in
            MHD_create_response_from_buffer(
                buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress), .RESPMEM_MUST_COPY)
        }
        guard let made else { return nil }
        pointer = made
        guard add(fields) else { return nil }
    }

    /// A body of unknown length, sent in chunks. The response keeps `reader` until it is over.
    ///
    /// - Parameter isHead: it is for HEAD: libmicrohttpd 0.9.75 sends the last chunk then too, unless there are none.
    init?(fields: [(String, String)], reader: StreamReader, isHead: Bool) {
        let kept = Unmanaged.passRetained(reader)
        let made = MHD_create_response_from_callback(
            .max, Self.blockBytes,
            { context, _, buffer, limit in
                guard let context, let buffer else { return 0 }
                let reader = Unmanaged<StreamReader>.fromOpaque(context).takeUnretainedValue()
                return reader.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: limit))
            }, kept.toOpaque(), { context in if let context { Unmanaged<StreamReader>.fromOpaque(context).release() } })
        guard let made else {
            kept.release()
            return nil
        }
        pointer = made
        if isHead, halcyon_mhd_end_by_closing(made) != .YES { return nil }
        guard add(fields) else { return nil }
    }

    /// A body that still comes in: of `length` bytes, or in chunks if it is not known. The response keeps `reader` until it is
    /// over.
    init?(fields: [(String, String)], reader: SourceReader, length: Int?) {
        let kept = Unmanaged.passRetained(reader)
        let made = MHD_create_response_from_callback(
            length.map(UInt64.init) ?? .max, length == nil ? Self.blockBytes : Self.sourceBlockBytes,
            { context, _, buffer, limit in
                guard let context, let buffer else { return 0 }
                let reader = Unmanaged<SourceReader>.fromOpaque(context).takeUnretainedValue()
                return reader.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: limit))
            }, kept.toOpaque(), { context in if let context { Unmanaged<SourceReader>.fromOpaque(context).release() } })
        guard let made else {
            kept.release()
            return nil
        }
        pointer = made
        if length == nil { reader.response = made }
        guard add(fields) else { return nil }
    }

    /// The header alone, for HEAD: with the length that the body would have, if it is known.
    init?(fields: [(String, String)], bodylessOf length: Int?) {
        let made = MHD_create_response_from_callback(
            length.map(UInt64.init) ?? .max, Self.blockBytes, { _, _, _, _ in -1 }, nil, nil)
        guard let made else { return nil }
        pointer = made
        if length == nil, halcyon_mhd_end_by_closing(made) != .YES { return nil }
        guard add(fields) else { return nil }
    }

    private static let sourceBlockBytes = 32 << 10

    /// Used for clients of HTTP/1.0 alone; chunks are made in the connection's own memory.
    private static let blockBytes = 1 << 10

    deinit {
        MHD_destroy_response(pointer)
    }

    private func add(_ fields: [(String, String)]) -> Bool {
        for (name, value) in fields {
            // An empty value is none for libmicrohttpd; a space is one, and says the same (RFC 9110 §5.5).
            guard MHD_add_response_header(pointer, name, value.isEmpty ? " " : value) == .YES else { return false }
        }
        return true
    }
}
