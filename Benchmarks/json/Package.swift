// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who builds the gateway needs the peers. The engine's targets are the gateway's
// own folders, linked: nothing else of it is built.
let package = Package(
    name: "json-bench",
    targets: [
        .target(name: "CSIMD"),
        .target(name: "CSIMDReplay", dependencies: ["CSIMD"], exclude: ["Driver"]),
        .target(name: "SluiceContract", swiftSettings: house),
        .target(name: "SluiceJSON", dependencies: ["CSIMD", "SluiceContract"], swiftSettings: house),
        // simdjson at its best: On-Demand chooses its instructions when it is compiled.
        .target(
            name: "CPeers", cxxSettings: [.unsafeFlags(["-march=native", "-O3"])],
            linkerSettings: [.linkedLibrary("simdjson")]),
        .executableTarget(
            name: "json-bench",
            dependencies: ["CPeers", "CSIMD", "CSIMDReplay", "SluiceContract", "SluiceJSON"]),
    ],
    cxxLanguageStandard: .cxx17
)

var house: [SwiftSetting] {
    [
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
