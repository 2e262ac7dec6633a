import Testing

@testable import SluiceConfig

/// Types and bindings of a page in Swift.
@Suite struct SwiftPropertiesTests {
    private static func source(_ bench: Bench) -> String {
        SwiftExport.source(bench.configuration(), from: "sluice.yaml")
    }

    /// Keys are listed only where a property has another name than its key.
    @Test(arguments: [("{name: String}", false), ("{name: String, full-name: String}", true)])
    func keysThatAreNamesAreNotListed(_ type: String, _ isListed: Bool) {
        let source = Self.source(fruit("GET /a: {to: fruit /a, value: Fruit}", types: "Fruit: \(type)"))
        #expect(source.contains("enum CodingKeys") == isListed, "\(source)")
    }

    /// Bindings of one path are one property where they have one type.
    @Test(arguments: [("Fruit", ["[.get, .put]"]), ("Seed", ["[.get]", "[.put]"])])
    func aPropertyHasOneType(_ put: String, _ methods: [String]) {
        let source = Self.source(
            fruit(
                "GET /a: {to: fruit /a, value: Fruit}\nPUT /a: {to: fruit /a, body: \(put), value: \(put)}",
                types: "Fruit: {name: String}\nSeed: {size: Int}"))
        for methods in methods {
            #expect(source.contains("@Rest(path: \"a\", methods: \(methods))"), "\(source)")
        }
    }
}
