// swift-tools-version: 6.2
import PackageDescription

// A package of its own: the client library and its tests, and nothing else, so that they are quickly built with
// ThreadSanitizer. The targets are the project's folders, linked.
let package = Package(
    name: "sanitizing",
    targets: [
        .target(name: "CLinux"),
        .target(name: "CSIMD"),
        .target(name: "SluiceContract", dependencies: ["CLinux"], swiftSettings: house),
        .target(name: "SluiceFiles", dependencies: ["CLinux", "SluiceContract"], swiftSettings: house),
        .target(name: "SluiceHTTP", dependencies: ["CSIMD", "SluiceContract"], swiftSettings: house),
        .target(name: "SluiceSockets", dependencies: ["CLinux", "SluiceContract"], swiftSettings: house),
        .target(
            name: "SluiceClient",
            dependencies: ["CLinux", "SluiceContract", "SluiceFiles", "SluiceHTTP", "SluiceSockets"],
            swiftSettings: house),
        .target(name: "TestBytes", path: "Tests/TestBytes"),
        .target(name: "TestFiles", path: "Tests/TestFiles"),
        .testTarget(
            name: "SluiceClientTests",
            dependencies: ["SluiceClient", "SluiceFiles", "SluiceHTTP", "SluiceSockets", "TestBytes", "TestFiles"]),
    ]
)

var house: [SwiftSetting] {
    [.enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility")]
}
