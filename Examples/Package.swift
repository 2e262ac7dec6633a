// swift-tools-version: 6.2
import PackageDescription

// A package of its own: its programs depend on the libraries as anybody's would.
let package = Package(
    name: "examples",
    dependencies: [
        .package(name: "sluice", path: "..")
    ],
    targets: [
        .executableTarget(name: "fruit-cli", dependencies: [.product(name: "SluiceClient", package: "sluice")]),
        .executableTarget(name: "fruit-watch", dependencies: [.product(name: "SluiceClient", package: "sluice")]),
        // The gateway itself, which links what the daemon links.
        .executableTarget(
            name: "fruit-gateway",
            dependencies: [
                .product(name: "SluiceClient", package: "sluice"), .product(name: "SluiceServer", package: "sluice"),
            ]),
    ]
)
