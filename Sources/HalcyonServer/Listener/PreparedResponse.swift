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

    deinit {
        MHD_destroy_response(pointer)
    }

    private func add(_ fields: [(String, String)]) -> Bool {
        for (name, value) in fields where MHD_add_response_header(pointer, name, value) != .YES { return false }
        return true
    }
}
