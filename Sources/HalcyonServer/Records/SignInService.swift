internal import Foundation
internal import HalcyonRecords

/// Everything that asks for a password, within the limits of how often one may be tried.
struct SignInService: Sendable {
    let records: RecordStore
    let limiter: SignInLimiter
    let now: @Sendable () -> Date

    func signUp(
        email: String, password: String, userName: String, from address: String
    ) async throws(Problem) -> SignedIn {
        let attempt = try limiter.beginSignUp(address: address)
        do throws(RecordError) {
            return try await records.signUp(email: email, password: password, userName: userName, now: now())
        } catch {
            if case .conflict = error {} else { attempt.withdraw() }
            throw Problem(error)
        }
    }

    func signIn(email: String, password: String, from address: String) async throws(Problem) -> SignedIn {
        let attempt = try limiter.beginSignIn(address: address, account: email)
        do throws(RecordError) {
            let signedIn = try await records.signIn(email: email, password: password, now: now())
            attempt.succeed()
            return signedIn
        } catch {
            if error != .notSignedIn { attempt.withdraw() }
            throw Problem(error)
        }
    }

    /// A stolen token is no way to try passwords without limit.
    func changePassword(
        of user: User, password: String, newPassword: String, from address: String
    ) async throws(Problem) -> SignedIn {
        let attempt = try limiter.beginSignIn(address: address, account: user.email)
        do throws(RecordError) {
            let signedIn = try await records.changePassword(
                userID: user.id, password: password, newPassword: newPassword, now: now())
            attempt.succeed()
            return signedIn
        } catch {
            if error != .wrongPassword { attempt.withdraw() }
            throw Problem(error)
        }
    }
}
