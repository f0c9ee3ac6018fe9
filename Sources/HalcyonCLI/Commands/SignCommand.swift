internal import Foundation
internal import Halcyon
internal import HalcyonCrypto
internal import HalcyonHTTP
internal import HalcyonServer

extension Command {
    static let sign = Command(
        path: ["sign"], summary: "print the path of a signed image URL", operands: "URL", operandCount: 1...1,
        options: [Options.signKeys.spec, Options.variant.spec, Options.validFor.spec],
        details: [
            "The first key of --sign-keys signs. A server with the same keys answers under the printed path, if the URL's "
                + "host is an allowed origin there."
        ]
    ) { invocation in
        let url = invocation.operands[0]
        do throws(URLProblem) {
            _ = try CanonicalURL(url)
        } catch {
            throw UsageError("sign: \(error)")
        }
        guard let keyring = try invocation.settings.signingKeys() else {
            throw UsageError("sign: needs --sign-keys FILE (or HALCYON_SIGN_KEYS); there is no default key")
        }
        for warning in keyring.warnings { invocation.console.say(warning) }
        let expiresAt = invocation.settings[Options.validFor].map { Date().addingTimeInterval($0.inSeconds) }
        let variant = invocation.settings[Options.variant]?.text ?? ""
        invocation.console.print(
            ImageURLSigner(keyring: keyring).path(forURL: url, variant: variant, expiresAt: expiresAt))
        return .done
    }
}
