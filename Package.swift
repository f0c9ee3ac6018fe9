// swift-tools-version: 6.0
import PackageDescription

/// One set of settings for every Swift target: each `public import` is a decision one can see.
let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

func shim(_ name: String, pkgConfig: String?, package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(
        name: name + "Tests",
        dependencies: [.byName(name: name), "HalcyonTestSupport"] + dependencies,
        resources: resources,
        swiftSettings: swiftSettings
    )
}

let package = Package(
    name: "Halcyon",
    products: [
        .library(name: "Halcyon", targets: ["Halcyon"]),
        .library(name: "HalcyonClient", targets: ["HalcyonClient"]),
        .executable(name: "halcyon", targets: ["HalcyonCLI"]),
        .executable(name: "halcyon-bench", targets: ["HalcyonBench"]),
    ],
    targets: [
        // The order is the direction of the dependencies: a target imports only what stands above it.
        shim("CCurl", pkgConfig: "libcurl", package: "libcurl4-openssl-dev"),
        shim("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
        shim("CMicroHTTPD", pkgConfig: "libmicrohttpd", package: "libmicrohttpd-dev"),
        // Opened at run time, not linked: see its shim.h.
        shim("CVips", pkgConfig: nil, package: "libvips42"),
        shim("CSodium", pkgConfig: "libsodium", package: "libsodium-dev"),

        module("HalcyonHTTP", ["CCurl"]),
        module("HalcyonClient", ["HalcyonHTTP"]),
        module("HalcyonSQLite", ["CSQLite"]),
        module("HalcyonCrypto", ["CSodium"]),
        module("HalcyonStore", ["HalcyonSQLite", "HalcyonCrypto"]),
        module("HalcyonImage", ["CVips"]),
        module("Halcyon", ["HalcyonHTTP", "HalcyonCrypto", "HalcyonStore", "HalcyonImage"]),
        module("HalcyonRecords", ["HalcyonSQLite", "HalcyonCrypto"]),
        module(
            "HalcyonServer",
            [
                "CMicroHTTPD", "HalcyonHTTP", "HalcyonCrypto", "HalcyonStore", "HalcyonImage", "Halcyon",
                "HalcyonRecords",
            ]
        ),
        .executableTarget(
            name: "HalcyonCLI",
            dependencies: [
                "HalcyonHTTP", "HalcyonCrypto", "HalcyonStore", "HalcyonImage", "Halcyon", "HalcyonRecords",
                "HalcyonServer", "HalcyonClient",
            ],
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "HalcyonBench",
            dependencies: ["HalcyonHTTP", "HalcyonCrypto", "HalcyonStore", "HalcyonImage"],
            swiftSettings: swiftSettings
        ),

        .target(name: "HalcyonTestSupport", path: "Tests/HalcyonTestSupport", swiftSettings: swiftSettings),
        tests("HalcyonHTTP", []),
        tests(
            "HalcyonClient",
            ["HalcyonHTTP", "HalcyonCrypto", "HalcyonStore", "Halcyon", "HalcyonRecords", "HalcyonServer"]),
        tests("HalcyonSQLite", []),
        tests("HalcyonCrypto", []),
        tests("HalcyonStore", ["HalcyonSQLite"]),
        tests("HalcyonImage", ["CVips", "HalcyonCrypto"], resources: [.copy("Resources")]),
        tests("Halcyon", ["HalcyonHTTP", "HalcyonStore", "HalcyonImage"]),
        tests("HalcyonRecords", ["HalcyonSQLite"]),
        tests("HalcyonServer", ["HalcyonHTTP", "HalcyonCrypto", "HalcyonStore", "Halcyon", "HalcyonRecords"]),
        tests(
            "HalcyonCLI",
            ["HalcyonHTTP", "HalcyonCrypto", "HalcyonStore", "Halcyon", "HalcyonRecords", "HalcyonServer"]),
    ]
)
