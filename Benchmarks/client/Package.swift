// swift-tools-version: 6.2
import PackageDescription

// A package of its own, and an independent one: it depends on the product as any program would.
let package = Package(
    name: "client-bench",
    dependencies: [
        .package(name: "sluice", path: "../..", traits: []),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        .executableTarget(
            name: "client-bench",
            dependencies: [
                .product(name: "SluiceClient", package: "sluice"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ])
    ]
)
