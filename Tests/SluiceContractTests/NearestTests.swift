import Testing

@testable import SluiceContract

@Suite struct NearestTests {
    @Test(arguments: [
        ("abc", "abc", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abd", 1), ("abc", "acb", 1), ("abc", "ab", 1),
        ("kitten", "sitting", 3), ("ca", "abc", 3),
    ])
    func countsEdits(_ left: String, _ right: String, _ distance: Int) {
        #expect(Nearest.distance(Array(left.unicodeScalars), Array(right.unicodeScalars)) == distance)
    }

    @Test(arguments: [
        ("lmit", "limit"), ("LIMIT", "limit"), ("frist-byte", "first-byte"), ("colour", "color"), ("x", nil),
        ("temperature", nil), ("a", nil),
    ])
    func findsTheNearest(_ written: String, _ expected: String?) {
        #expect(Nearest.name(to: written, among: ["limit", "first-byte", "color", "_"]) == expected)
    }

    @Test func prefersTheNearer() {
        #expect(Nearest.name(to: "stale", among: ["state", "scale", "stale"]) == "stale")
    }
}
