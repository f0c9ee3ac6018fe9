import HalcyonTestSupport
import Testing

@testable import HalcyonHTTP

/// Addresses that no photo may come from unless a range is named, with the class by the IANA special-purpose registries.
let blockedAddresses: [(literal: String, class: String)] = [
    ("0.0.0.0", "unspecified"), ("0.1.2.3", "unspecified"), ("0.255.255.255", "unspecified"),
    ("10.0.0.0", "private"), ("10.0.0.1", "private"), ("10.255.255.255", "private"),
    ("100.64.0.0", "cgnat"), ("100.100.100.200", "cgnat"), ("100.127.255.255", "cgnat"),
    ("127.0.0.0", "loopback"), ("127.0.0.1", "loopback"), ("127.1.2.3", "loopback"), ("127.255.255.255", "loopback"),
    ("169.254.0.1", "link-local"), ("169.254.169.254", "link-local"),
    ("172.16.0.0", "private"), ("172.20.1.1", "private"), ("172.31.255.255", "private"),
    ("192.0.0.1", "protocol-assignment"), ("192.0.0.170", "protocol-assignment"),
    ("192.0.2.1", "documentation"), ("198.51.100.7", "documentation"), ("203.0.113.255", "documentation"),
    ("192.88.99.1", "6to4-relay"), ("192.168.0.1", "private"), ("192.168.255.255", "private"),
    ("198.18.0.1", "benchmarking"), ("198.19.255.255", "benchmarking"),
    ("224.0.0.1", "multicast"), ("239.255.255.250", "multicast"),
    ("240.0.0.1", "reserved"), ("255.255.255.254", "reserved"), ("255.255.255.255", "reserved"),
    ("::", "unspecified"), ("::1", "loopback"),
    ("::ffff:0:0", "ipv4-mapped"), ("::ffff:127.0.0.1", "ipv4-mapped"), ("::ffff:10.0.0.1", "ipv4-mapped"),
    ("::ffff:169.254.169.254", "ipv4-mapped"), ("::ffff:7f00:1", "ipv4-mapped"), ("::ffff:8.8.8.8", "ipv4-mapped"),
    ("::127.0.0.1", "ipv4-compatible"), ("::10.1.2.3", "ipv4-compatible"), ("::2", "ipv4-compatible"),
    ("::ffff:0:127.0.0.1", "ipv4-translated"),
    ("64:ff9b::127.0.0.1", "nat64"), ("64:ff9b::a9fe:a9fe", "nat64"), ("64:ff9b::8.8.8.8", "nat64"),
    ("64:ff9b:1::10.0.0.1", "nat64"), ("64:ff9b:1:ffff::1", "nat64"),
    ("100::1", "discard"),
    ("2001::1", "teredo"), ("2001:0:4136:e378:8000:63bf:3fff:fdd2", "teredo"),
    ("2001:2::1", "benchmarking"), ("2001:10::1", "orchid"), ("2001:20::1", "orchid"), ("2001:2f::1", "orchid"),
    ("2001:1::1", "protocol-assignment"), ("2001:db8::1", "documentation"), ("3fff::1", "documentation"),
    ("2002:7f00:1::1", "6to4"), ("2002:a00:1::", "6to4"), ("2002:808:808::1", "6to4"),
    ("5f00::1", "segment-routing"),
    ("fc00::1", "private"), ("fd00:ec2::254", "private"), ("fdff:ffff::1", "private"),
    ("fe80::1", "link-local"), ("fe80::5efe:10.0.0.1", "link-local"), ("febf::1", "link-local"),
    ("fec0::1", "site-local"), ("feff::1", "site-local"),
    ("ff02::1", "multicast"), ("ff0e::1", "multicast"),
    ("2606:4700::5efe:10.0.0.1", "isatap"), ("2a00:1450:4001:81b:200:5efe:7f00:1", "isatap"),
    ("4000::1", "reserved"), ("1::1", "reserved"), ("::1:0:0:0", "reserved"),
]

@Suite(.timeLimit(.minutes(1)))
struct IPAddressTests {
    @Test("S-06, S-22 every special-purpose address is blocked, by its class", arguments: blockedAddresses)
    func blocked(literal: String, name: String) throws {
        let address = try #require(IPAddress(literal))
        #expect(address.blockedClass == name)
        #expect(!address.isGloballyReachable)
    }

    @Test("S-06 there are at least 60 of them") func enough() {
        #expect(Set(blockedAddresses.map(\.literal)).count >= 60)
    }

    @Test(
        "S-06, S-07 zones, brackets and the forms of inet_aton change nothing",
        arguments: [
            ("0", "unspecified"), ("0x0", "unspecified"), ("127.1", "loopback"), ("0x7f000001", "loopback"),
            ("2130706433", "loopback"), ("0177.0.0.1", "loopback"), ("0x7f.1", "loopback"), ("10.1", "private"),
            ("fe80::1%eth0", "link-local"), ("fe80::1%25eth0", "link-local"), ("[::]", "unspecified"),
            ("[::ffff:0:0]", "ipv4-mapped"), ("[::1]", "loopback"), ("ff02::1%1", "multicast"),
        ])
    func otherForms(literal: String, name: String) throws {
        #expect(try #require(IPAddress(literal)).blockedClass == name)
    }

    @Test(
        "addresses next to the blocked ranges are public",
        arguments: [
            "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
            "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0",
            "192.167.255.255",
            "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255", "203.0.114.0", "223.255.255.255", "8.8.8.8",
            "2000::1", "2001:200::1", "2001:4860:4860::8888", "2003::1", "2606:4700::6810:1", "2a00:1450::1", "3ffe::1",
        ])
    func publicAddresses(literal: String) throws {
        #expect(try #require(IPAddress(literal)).blockedClass == nil)
    }

    @Test(arguments: ["", "photos.example", "1.2.3.4.5", "127.0.0.1 x", "1.2.3.256", "::g", ":", "1.2.3.4:80"])
    func whatIsNoAddressIsRefused(literal: String) {
        #expect(IPAddress(literal) == nil)
    }

    @Test func whatTransitionAddressesCarryMustBeAllowedToo() throws {
        let ranges = try [AddressRange("64:ff9b::/96"), AddressRange("2002::/16"), AddressRange("2001::/32")]
        #expect(try #require(IPAddress("64:ff9b::8.8.8.8")).refusedClass(allowing: ranges) == nil)
        #expect(try #require(IPAddress("64:ff9b::10.0.0.1")).refusedClass(allowing: ranges) == "private")
        #expect(try #require(IPAddress("2002:7f00:1::1")).refusedClass(allowing: ranges) == "loopback")
        // RFC 4380 §4: the client address is inverted; this one is 192.0.2.45.
        let teredo = try #require(IPAddress("2001:0:4136:e378:8000:63bf:3fff:fdd2"))
        #expect(teredo.refusedClass(allowing: ranges) == "documentation")
    }

    @Test(
        arguments: [
            ("10.2.0.0/24", "10.2.0.255", true), ("10.2.0.0/24", "10.2.1.0", false), ("0.0.0.0/0", "255.1.2.3", true),
            ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false),
            ("fd00:1::/32", "fd00:1:ffff::1", true),
            ("fd00:1::/32", "fd00:2::1", false), ("fd00::/72", "fd00::ff:0:0:1", true),
            ("fd00::/72", "fd00::100:0:0:1", false),
            ("::/0", "10.2.0.1", false), ("10.0.0.0/8", "::ffff:10.0.0.1", false),
        ])
    func rangesHoldWhatTheirPrefixSays(range: String, literal: String, holds: Bool) throws {
        #expect(try AddressRange(range).contains(try #require(IPAddress(literal))) == holds)
    }

    @Test(arguments: ["10", "10/8", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "host/8", ""])
    func rangesThatCannotBeReadAreRefused(text: String) {
        #expect(throws: OriginRuleProblem.invalidRange) { try AddressRange(text) }
    }

    @Test func aRangeWithHostBitsIsRefused() {
        #expect(throws: OriginRuleProblem.hostBitsInRange) { try AddressRange("10.2.0.7/24") }
    }
}
