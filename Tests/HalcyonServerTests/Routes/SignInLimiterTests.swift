import Foundation
import Synchronization
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct SignInLimiterTests {
    private let clock = Clock()
    private let limiter: SignInLimiter

    private final class Clock: Sendable {
        let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        var now: Date { time.withLock { $0 } }
        func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
    }

    init() {
        let clock = clock
        limiter = SignInLimiter(now: { clock.now })
    }

    private func isRefused(_ address: String, _ account: String) -> Bool {
        do {
            _ = try limiter.beginSignIn(address: address, account: account)
            return false
        } catch {
            return error.status == 429 && error.fields.map(\.0) == ["Retry-After"]
        }
    }

    @Test func anAccountTakesTenWrongPasswordsFromWhateverAddresses() throws {
        for number in 0..<10 { #expect(!isRefused("10.0.0.\(number)", "a@h")) }
        #expect(isRefused("10.0.0.99", "A@h "))
        #expect(!isRefused("10.0.0.99", "b@h"))
    }

    @Test(arguments: [
        ("10.0.1.1", "10.0.1.1", true), ("10.0.1.1", "::ffff:10.0.1.1", true), ("10.0.1.1", "10.0.1.2", false),
        ("2001:db8::1", "2001:db8::ffff:1", true), ("2001:db8::1", "2001:db8:0:1::1", false),
    ])
    func anAddressTakesThirtyForWhateverAccounts(first: String, second: String, isTheSame: Bool) throws {
        for number in 0..<30 { #expect(!isRefused(first, "\(number)@h")) }
        #expect(isRefused(second, "new@h") == isTheSame)
    }

    @Test func aRightPasswordIsNotCountedAndClearsItsAccount() throws {
        for _ in 0..<100 { try limiter.beginSignIn(address: "10.0.0.1", account: "a@h").succeed() }
        for _ in 0..<9 { #expect(!isRefused("10.0.0.2", "a@h")) }
        try limiter.beginSignIn(address: "10.0.0.1", account: "a@h").succeed()
        for _ in 0..<10 { #expect(!isRefused("10.0.0.2", "a@h")) }
        #expect(isRefused("10.0.0.2", "a@h"))
    }

    @Test func whatReachedNoPasswordCheckIsNotCounted() throws {
        for _ in 0..<100 { try limiter.beginSignIn(address: "10.0.0.1", account: "a@h").withdraw() }
        #expect(!isRefused("10.0.0.1", "a@h"))
    }

    @Test func strangersDoNotShutOutTheOwner() throws {
        try limiter.beginSignIn(address: "10.0.0.1", account: "a@h").succeed()
        for number in 0..<10 { #expect(!isRefused("10.9.9.\(number)", "a@h")) }
        #expect(isRefused("10.9.9.99", "a@h"))
        for _ in 0..<10 { #expect(!isRefused("10.0.0.1", "a@h")) }
        #expect(isRefused("10.0.0.1", "a@h"))
    }

    @Test func aRefusalEndsWithItsWindowHoweverOftenOneTries() throws {
        for _ in 0..<10 { #expect(!isRefused("10.0.0.1", "a@h")) }
        clock.advance(by: 59)
        for _ in 0..<100 { #expect(isRefused("10.0.0.1", "a@h")) }
        clock.advance(by: 1)
        #expect(!isRefused("10.0.0.1", "a@h"))
    }

    @Test func signUpsAreCountedByAddressApartFromSignIns() throws {
        for _ in 0..<30 { _ = try limiter.beginSignUp(address: "10.0.0.1") }
        #expect(throws: Problem.self) { try limiter.beginSignUp(address: "10.0.0.1") }
        #expect(!isRefused("10.0.0.1", "a@h"))
        _ = try limiter.beginSignUp(address: "10.0.0.2")
    }

    @Test func whatIsRememberedIsBounded() throws {
        for number in 0..<(2 * SignInLimiter.maximumKeys) {
            clock.advance(by: 0.001)
            try limiter.beginSignIn(
                address: "10.\(number >> 16).\(number >> 8 & 255).\(number & 255)", account: "\(number)@h"
            ).succeed()
        }
        #expect(limiter.rememberedCount <= 2 * SignInLimiter.maximumKeys)
    }
}
