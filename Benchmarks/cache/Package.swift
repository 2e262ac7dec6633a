// swift-tools-version: 6.2
import PackageDescription

// A package of its own: the store's targets are the gateway's own folders, linked, and nothing else of it is built.
let package = Package(
    name: "cache-bench",
    targets: [
        .target(name: "CSIMD"),
        .target(name: "SluiceContract", swiftSettings: house),
        .target(name: "SluiceHTTP", dependencies: ["CSIMD", "SluiceContract"], swiftSettings: house),
        .target(name: "SluiceCache", dependencies: ["SluiceContract", "SluiceHTTP"], swiftSettings: house),
        .executableTarget(name: "cache-bench", dependencies: ["SluiceCache", "SluiceContract", "SluiceHTTP"]),
    ]
)

var house: [SwiftSetting] {
    [
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
