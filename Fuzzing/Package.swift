// swift-tools-version: 6.2
import PackageDescription

// A package of its own: all of it is built for libFuzzer. The targets under test are the gateway's folders, linked.
let package = Package(
    name: "fuzzing",
    targets: [
        .target(name: "CSIMD", cSettings: [.unsafeFlags(["-fsanitize=fuzzer-no-link,address"])]),
        .target(
            name: "CSIMDEmulated", dependencies: ["CSIMD"],
            cSettings: [.unsafeFlags(["-fsanitize=fuzzer-no-link,address"])]),
        .target(name: "SluiceContract", swiftSettings: house),
        .target(name: "SluiceJSON", dependencies: ["CSIMD", "SluiceContract"], swiftSettings: house),
        .target(name: "SluiceHTTP", dependencies: ["CSIMD", "SluiceContract"], swiftSettings: house),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
        .systemLibrary(name: "CBrotli", pkgConfig: "libbrotlidec"),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd"),
        .target(
            name: "SluiceCoding", dependencies: ["CZlib", "CBrotli", "CZstd", "SluiceContract"], swiftSettings: house),
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "coding-fuzz", dependencies: ["CFuzzer", "SluiceCoding", "SluiceContract"],
            swiftSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]),
        .executableTarget(
            name: "json-fuzz",
            dependencies: ["CFuzzer", "CSIMD", "CSIMDEmulated", "SluiceContract", "SluiceJSON"],
            swiftSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]),
        .executableTarget(
            name: "rows-fuzz", dependencies: ["CFuzzer", "SluiceContract", "SluiceJSON"],
            swiftSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]),
        .executableTarget(
            name: "http-fuzz", dependencies: ["CFuzzer", "SluiceContract", "SluiceHTTP"],
            swiftSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]),
    ]
)

var house: [SwiftSetting] {
    [
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .unsafeFlags(["-sanitize=fuzzer,address", "-parse-as-library"]),
    ]
}
