internal import CMicroHTTPD
internal import HalcyonHTTP

/// The token of a request: `Authorization: Bearer` (RFC 6750 §2.1), or the field `token` as one of the older apps sends it.
enum RequestToken {
    static func read(_ fields: HTTPFields) -> String? {
        if let credentials = fields["Authorization"] { return bearer(credentials) }
        return fields["token"]
    }

    /// Called on the I/O thread.
    static func read(_ handle: OpaquePointer) -> SessionTable.Key? {
        let text =
            if let credentials = MHD_lookup_connection_value(handle, .HEADER_KIND, "Authorization") {
                bearer(String(cString: credentials))
            } else {
                MHD_lookup_connection_value(handle, .HEADER_KIND, "token").map { String(cString: $0) }
            }
        return text.map(SessionTable.Key.init)
    }

    /// Of credentials of another scheme, what no token is: they do not sign in, and are not taken for none.
    private static func bearer(_ credentials: String) -> String {
        guard let space = credentials.firstIndex(of: " "), credentials[..<space].lowercased() == "bearer" else {
            return ""
        }
        return String(credentials[space...].drop { $0 == " " })
    }
}
