// swift-tools-version: 6.2
import PackageDescription

// A package of its own: the JSON engine and its tests, and nothing else, so that they are quickly built with sanitizers.
// The targets are the gateway's folders, linked. AddressSanitizer is asked for on the command line, for Swift and C;
// UndefinedBehaviorSanitizer is for C alone.
let package = Package(
    name: "sanitizing",
    targets: [
        .target(name: "CLinux"),
        .target(name: "CSIMD", cSettings: undefined),
        .target(name: "SluiceContract", dependencies: ["CLinux"], swiftSettings: house),
        .target(name: "SluiceJSON", dependencies: ["CSIMD", "SluiceContract"], swiftSettings: house),
        .target(name: "CAllocations", path: "Tests/CAllocations"),
        .target(name: "CSIMDEmulated", dependencies: ["CSIMD"], path: "Tests/CSIMDEmulated", cSettings: undefined),
        .target(
            name: "CSIMDReplay", dependencies: ["CSIMD"], path: "Tests/CSIMDReplay", exclude: ["Driver"],
            cSettings: undefined),
        .testTarget(
            name: "SluiceJSONTests",
            dependencies: ["CAllocations", "CSIMD", "CSIMDEmulated", "CSIMDReplay", "SluiceJSON"],
            resources: [.copy("Fixtures")]),
    ]
)

var house: [SwiftSetting] {
    [.enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility")]
}

// Not alignment: words are loaded through memcpy, and what is not is Swift's.
var undefined: [CSetting] {
    [.unsafeFlags(["-fsanitize=undefined", "-fno-sanitize-recover=undefined"])]
}
