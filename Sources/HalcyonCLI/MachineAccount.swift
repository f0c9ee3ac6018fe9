internal import Glibc

/// Who runs this process, as the machine knows them.
enum MachineAccount {
    /// The login name, or the number of an account without one.
    static var name: String {
        let id = geteuid()
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 4096)
        guard getpwuid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.pw_name else {
            return "\(id)"
        }
        return String(cString: name)
    }
}
