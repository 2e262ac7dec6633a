import Testing

@testable import SluiceConfig

@Suite struct PartsSizeTests {
    private static func page(_ count: Int, _ parts: (String) -> String, _ rest: String = "") -> Bench {
        let composed = (1...count).map { "GET /b\($0): {parts: {\(parts("GET /b\($0 - 1)"))}\(rest)}\n" }
        return fruit("GET /b0: {to: fruit /b0, value: Int}\n" + composed.joined())
    }

    private static func fan(_ part: String) -> String { "a: \(part), b: \(part)" }

    @Test func eachTwiceAsLargeAsTheOneBefore() {
        #expect(Self.page(10, Self.fan).mistakes == [])
        // What is made of the one that is refused is not told as well.
        let mistakes = Self.page(20, Self.fan).mistakes
        #expect(mistakes.count == 1)
        #expect(mistakes.allSatisfy { $0.contains("make a type of more than 10000 parts") }, "\(mistakes)")
        #expect(Self.page(20, Self.fan, ", value: {a: JSON}").mistakes == [])
    }

    @Test func eachALevelDeeperThanTheOneBefore() {
        let mistakes = Self.page(300, { "a: \($0)" }).mistakes
        #expect(mistakes.count == 1)
        #expect(mistakes.allSatisfy { $0.contains("more than 256 levels deep") }, "\(mistakes)")
    }
}
