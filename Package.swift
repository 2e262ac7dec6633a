// swift-tools-version: 6.2
import PackageDescription

// Imports point upward in this list only; Tests/HouseTests checks it.
let package = Package(
    name: "sluice",
    products: [
        .executable(name: "sluice", targets: ["sluice"]),
        // Links the standard library alone: no TLS, no HTTP/2, no YAML, no store.
        .library(name: "SluiceClient", targets: ["SluiceClient"]),
        // Its publishers, for programs that have switched on the trait `Combine`.
        .library(name: "SluiceCombine", targets: ["SluiceCombine"]),
        // A gateway inside a program, made of its bindings.
        .library(name: "SluiceServer", targets: ["SluiceServer", "SluiceClient", "SluiceContract"]),
    ],
    // What belongs to a trait is not even looked up without it.
    traits: [
        .trait(name: "Combine", description: "Publishers of the client library, over OpenCombine (SluiceCombine)"),
        .trait(name: "Gateway", description: "The gateway: the command, and the library SluiceServer"),
        .default(enabledTraits: ["Gateway"]),
    ],
    // Exactly these: what is built twice from one commit is the same twice. Whoever uses SluiceClient alone, without
    // the traits, is bound to none of them.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    ],
    targets: [
        // C: system libraries and header-only shims.
        .target(name: "CLinux"),
        .target(name: "CSIMD"),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CNGHTTP2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CBrotli", pkgConfig: "libbrotlidec", providers: [.apt(["libbrotli-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .target(name: "CDigest", dependencies: ["COpenSSL"]),
        .target(name: "CWALIndex", dependencies: ["CSQLite"]),
        .target(
            name: "CRelease",
            dependencies: ["CBrotli", "CNGHTTP2", "COpenSSL", "CSQLite", "CYAML", "CZlib", "CZstd"]),
        // The console's page, embedded as it stands.
        .target(name: "CConsolePage", exclude: ["Page"]),

        // The corridor, from vocabulary to command.
        .target(name: "SluiceContract", swiftSettings: house + small),
        .target(name: "SluiceFiles", dependencies: ["CLinux", "SluiceContract"], swiftSettings: house + small),
        .target(name: "SluiceJSON", dependencies: ["CSIMD", "SluiceContract"], swiftSettings: house),
        .target(name: "SluiceHTTP", dependencies: ["CSIMD", "SluiceContract"], swiftSettings: house),
        .target(
            name: "SluiceHTTP2", dependencies: ["CNGHTTP2", "CSIMD", "SluiceContract", "SluiceHTTP"],
            swiftSettings: house),
        .target(name: "SluiceSockets", dependencies: ["CLinux", "SluiceContract"], swiftSettings: house),
        .target(name: "SluiceCache", dependencies: ["SluiceContract", "SluiceHTTP"], swiftSettings: house),
        .target(
            name: "SluiceCoding", dependencies: ["CZlib", "CBrotli", "CZstd", "SluiceContract"], swiftSettings: house),
        .target(name: "SluiceSigning", dependencies: ["COpenSSL", "SluiceContract"], swiftSettings: house + small),
        .target(
            name: "SluiceGateway",
            dependencies: [
                "CDigest", "SluiceContract", "SluiceJSON", "SluiceHTTP", "SluiceHTTP2", "SluiceCache", "SluiceCoding",
                "SluiceSigning",
            ],
            swiftSettings: house),
        .target(
            name: "SluiceRules", dependencies: ["SluiceContract", "SluiceJSON", "SluiceSigning"],
            swiftSettings: house + small),
        .target(
            name: "SluiceConfig",
            dependencies: ["CYAML", "SluiceContract", "SluiceFiles", "SluiceJSON", "SluiceRules"],
            swiftSettings: house + small),
        .target(
            name: "SluiceCredentials",
            dependencies: ["SluiceContract", "SluiceFiles", "SluiceJSON", "SluiceSigning"],
            swiftSettings: house + small),
        .target(
            name: "SluiceIO",
            dependencies: [
                "CLinux", "COpenSSL", "SluiceContract", "SluiceFiles", "SluiceSigning", "SluiceHTTP", "SluiceSockets",
                "SluiceCache", "SluiceGateway", "SluiceCredentials",
                .product(name: "Logging", package: "swift-log", condition: gateway),
            ],
            swiftSettings: house),
        .target(
            name: "SluiceStores",
            dependencies: [
                "CDigest", "CSQLite", "CWALIndex", "SluiceContract", "SluiceFiles", "SluiceSockets", "SluiceCache",
                "SluiceIO",
            ],
            swiftSettings: house + small),
        .target(
            name: "SluiceConsole", dependencies: ["SluiceContract", "SluiceJSON", "SluiceHTTP"],
            swiftSettings: house + small),
        .target(
            name: "SluiceClient",
            dependencies: ["CLinux", "SluiceContract", "SluiceFiles", "SluiceHTTP", "SluiceSockets"],
            swiftSettings: house),
        // Empty without the trait.
        .target(
            name: "SluiceCombine",
            dependencies: [
                "SluiceClient",
                .product(name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["Combine"])),
            ],
            swiftSettings: house),
        .target(
            name: "SluiceServer",
            dependencies: [
                "SluiceContract", "SluiceCache", "SluiceGateway", "SluiceRules", "SluiceConfig", "SluiceIO",
                "SluiceStores", "SluiceClient",
                .product(name: "Logging", package: "swift-log", condition: gateway),
            ],
            swiftSettings: house),
        .executableTarget(
            name: "sluice",
            dependencies: [
                "CLinux", "CRelease", "SluiceContract", "SluiceFiles", "SluiceJSON", "SluiceHTTP", "SluiceSockets",
                "SluiceCache", "SluiceGateway", "SluiceRules", "SluiceConfig", "SluiceSigning", "SluiceCredentials",
                "SluiceIO", "SluiceStores", "SluiceConsole", "CConsolePage",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: gateway),
                .product(name: "Logging", package: "swift-log", condition: gateway),
            ],
            swiftSettings: house + small),

        // Tests are named for what they test: `XTests.swift` for a type `X` or a part of it, in the target of its module.
        // What many types do together stands in a folder `Behaviour`. Tests/HouseTests checks it.
        .testTarget(name: "SluiceContractTests", dependencies: ["SluiceContract"]),
        .target(name: "TestFiles", path: "Tests/TestFiles"),
        .testTarget(name: "SluiceFilesTests", dependencies: ["SluiceContract", "SluiceFiles", "TestFiles"]),
        .target(name: "CAllocations", path: "Tests/CAllocations"),
        .target(name: "CSIMDEmulated", dependencies: ["CSIMD"], path: "Tests/CSIMDEmulated"),
        // Its driver is compiled for arm64 by the tests.
        .target(name: "CSIMDReplay", dependencies: ["CSIMD"], path: "Tests/CSIMDReplay", exclude: ["Driver"]),
        .testTarget(
            name: "SluiceJSONTests",
            dependencies: ["CAllocations", "CSIMD", "CSIMDEmulated", "CSIMDReplay", "SluiceJSON"],
            resources: [.copy("Fixtures")]),
        .target(name: "HTTP2Wire", dependencies: ["CNGHTTP2"], path: "Tests/HTTP2Wire"),
        .target(name: "TestBytes", path: "Tests/TestBytes"),
        .testTarget(name: "SluiceHTTPTests", dependencies: ["SluiceHTTP", "TestBytes"]),
        .testTarget(
            name: "SluiceHTTP2Tests",
            dependencies: ["HTTP2Wire", "SluiceContract", "SluiceHTTP", "SluiceHTTP2", "TestBytes"]),
        .testTarget(name: "SluiceSocketsTests", dependencies: ["SluiceContract", "SluiceSockets"]),
        .testTarget(
            name: "SluiceClientTests",
            dependencies: ["SluiceClient", "SluiceHTTP", "SluiceSockets", "TestBytes", "TestFiles"]),
        .testTarget(
            name: "SluiceCodingTests",
            dependencies: ["CAllocations", "CZlib", "CBrotli", "CZstd", "SluiceContract", "SluiceCoding"]),
        .testTarget(name: "SluiceSigningTests", dependencies: ["COpenSSL", "SluiceContract", "SluiceSigning"]),
        .testTarget(
            name: "SluiceGatewayTests",
            dependencies: [
                "HTTP2Wire", "SluiceContract", "SluiceJSON", "SluiceHTTP", "SluiceHTTP2", "SluiceCache",
                "SluiceCoding", "SluiceSigning", "SluiceGateway",
            ]),
        .testTarget(name: "SluiceCacheTests", dependencies: ["SluiceContract", "SluiceHTTP", "SluiceCache"]),
        .testTarget(name: "SluiceRulesTests", dependencies: ["SluiceContract", "SluiceRules", "SluiceSigning"]),
        .testTarget(
            name: "SluiceCredentialsTests",
            dependencies: ["SluiceContract", "SluiceCredentials", "SluiceGateway", "SluiceSigning", "TestFiles"]),
        .testTarget(name: "SluiceConfigTests", dependencies: ["SluiceConfig", "SluiceJSON", "SluiceRules"]),
        .testTarget(
            name: "SluiceIOTests",
            dependencies: [
                "SluiceContract", "SluiceFiles", "SluiceSigning", "SluiceSockets", "SluiceGateway",
                "SluiceCredentials", "SluiceIO", "TestFiles",
            ]),
        .testTarget(
            name: "SluiceStoresTests",
            dependencies: ["CSQLite", "SluiceContract", "SluiceCache", "SluiceStores"]),
        .testTarget(
            name: "SluiceServerTests",
            dependencies: ["SluiceClient", "SluiceContract", "SluiceConfig", "SluiceServer", "TestBytes"]),
        .testTarget(name: "SluiceConsoleTests", dependencies: ["SluiceContract", "SluiceConsole"]),
        .testTarget(name: "HouseTests"),
        .testTarget(
            name: "PeerTests", dependencies: ["SluiceClient", "SluiceContract", "SluiceServer", "SluiceSigning"],
            exclude: ["Fixtures"]),
    ]
)

/// What the gateway alone needs.
var gateway: TargetDependencyCondition? { .when(traits: ["Gateway"]) }

/// What every Swift target of the house is built with.
var house: [SwiftSetting] {
    [
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

/// What is off the request path, and is to be small rather than fast. Set for the binary that ships alone: a package with
/// such flags could not be another one's dependency.
var small: [SwiftSetting] {
    Context.environment["SLUICE_SHIPS"] == nil ? [] : [.unsafeFlags(["-Osize"])]
}
