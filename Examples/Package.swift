// swift-tools-version: 6.2
import PackageDescription

// A package of its own: its programs depend on the library as anybody's would, and link nothing but it.
let package = Package(
    name: "examples",
    dependencies: [
        .package(name: "sluice", path: "..")
    ],
    targets: [
        .executableTarget(name: "fruit-cli", dependencies: [.product(name: "SluiceClient", package: "sluice")]),
        .executableTarget(name: "fruit-watch", dependencies: [.product(name: "SluiceClient", package: "sluice")]),
    ]
)
