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

    /// What stands inside of a parent hides no type that is meant there: none of the page, the library or around it.
    @Test(arguments: [
        ("user.fruits", "struct UserValue: Codable, Sendable {", "AParent(user: UserValue(fruits: child))"),
        ("string.fruits", "struct StringValue: Codable, Sendable {", "AParent(string: StringValue(fruits: child))"),
        ("type.fruits", "struct TypeValue: Codable, Sendable {", "AParent(type: TypeValue(fruits: child))"),
        ("aParent.x", "struct AParentValue: Codable, Sendable {", "AParent(aParent: AParentValue(x: child))"),
        ("a.a.x", "struct AValue: Codable, Sendable {", "AParent(a: A(a: A.AValue(x: child)))"),
        ("fruitBindings.x", "struct FruitBindingsValue: Codable", "(fruitBindings: FruitBindingsValue(x: child))"),
    ])
    func parentsHideNoType(_ parent: String, _ inner: String, _ wrapped: String) {
        let source = Self.source(
            fruit("GET /a: {to: fruit /a, value: \"[User]\", parent: \(parent)}", types: "User: {login: String}"))
        #expect(source.contains(inner) && source.contains(wrapped), "\(source)")
    }

    @Test func anUpstreamWithoutBindingsIsLeftOut() {
        let source = Self.source(
            Bench(
                """
                upstreams: {fruit: {url: "http://127.0.0.1:1"}, class: {url: "http://127.0.0.1:2"}}
                bindings: {GET /a: {to: fruit /a, value: String}}
                """))
        #expect(source.contains("struct FruitBindings") && !source.contains("ClassBindings"), "\(source)")
    }

    /// To Swift, nothing and null are the same.
    @Test(arguments: [
        ("Date | null", "var x: Date?"), ("String | null", "var x: String?"), ("'[Int] | null'", "var x: [Int]?"),
        ("Int | String", "var x: JSONValue = .null"), ("Int | String | null", "var x: JSONValue = .null"),
        ("Maybe", "var x: Maybe = nil"), ("Loop | null", "var x: Loop?"),
    ])
    func whatMayBeNullIsOptional(_ type: String, _ property: String) {
        let source = Self.source(
            fruit(
                "GET /a: {to: fruit /a, value: A}",
                types: "A: {x: \(type), y: Maybe, z: Loop}\nMaybe: Date | null\nLoop: {next: Loop | null}"))
        #expect(source.contains(property), "\(source)")
        #expect(source.contains("typealias Maybe = Date?") && source.contains("final class Loop"), "\(source)")
    }
}
