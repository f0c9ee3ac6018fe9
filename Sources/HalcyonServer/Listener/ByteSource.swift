internal import HalcyonHTTP

/// A body that is on its way to a client while it still comes in.
protocol ByteSource: AnyObject, Sendable {
    /// What is there, without waiting. If nothing is, `whenEmpty` is run before anything can come, and what it returns is
    /// called once when something has.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, whenEmpty: () -> @Sendable () -> Void
    ) -> BytePipe.Piece

    /// The client is gone, or has all it wanted.
    func abandon()
}

extension BytePipe: ByteSource {}
