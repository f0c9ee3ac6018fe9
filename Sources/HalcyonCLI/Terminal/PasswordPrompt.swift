internal import Glibc

/// Asks for a password on the terminal, without showing it.
enum PasswordPrompt {
    /// Asked twice; never read from a pipe by accident: for that there is `--password-file -`.
    static func read() throws(UsageError) -> String {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else {
            throw UsageError("there is no terminal to ask for the password on: give --password-file")
        }
        defer { close(terminal) }
        let first = ask("Password: ", on: terminal)
        guard first == ask("Once more: ", on: terminal) else { throw UsageError("these are two different passwords") }
        return first
    }

    private static func ask(_ question: String, on terminal: Int32) -> String {
        var shown = termios()
        tcgetattr(terminal, &shown)
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(terminal, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(terminal, TCSAFLUSH, &shown)
            _ = write(terminal, "\n", 1)
        }
        _ = question.withCString { write(terminal, $0, strlen($0)) }
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while Glibc.read(terminal, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
