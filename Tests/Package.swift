// swift-tools-version: 6.2
import PackageDescription

// The tests of the publishers, as a package of its own: they depend on the library as any program would, by its trait.
// So what is beside them is built without OpenCombine. `scripts/combine` runs them.
let package = Package(
    name: "sluice-combine-tests",
    dependencies: [
        .package(name: "sluice", path: "..", traits: ["Combine"]),
        .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    ],
    targets: [
        .testTarget(
            name: "SluiceCombineTests",
            dependencies: [
                .product(name: "SluiceClient", package: "sluice"),
                .product(name: "SluiceCombine", package: "sluice"),
                .product(name: "OpenCombine", package: "OpenCombine"),
            ],
            // Its folder Fakes is that of SluiceClientTests.
            path: "SluiceCombineTests")
    ]
)
