import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct CrossOriginSectionTests {
    private static func policy(_ text: String) -> CrossOriginPolicy? {
        fruit("GET /a: {to: fruit /a, cors: \(text)}").configuration().bindings.first?.crossOrigin
    }

    @Test func readsEachForm() {
        #expect(Self.policy("any")?.origins == .any)
        #expect(Self.policy("false") == nil)
        #expect(
            Self.policy("['https://a.example', \"HTTP://Localhost:3000\", 'null']")?.origins
                == .list(["https://a.example", "http://localhost:3000", "null"]))
        #expect(Self.policy("{origins: 'https://a.example:443'}")?.origins == .list(["https://a.example"]))
        #expect(Self.policy("{origins: 'http://[::1]:80'}")?.origins == .list(["http://[::1]"]))
        let policy = Self.policy(
            "{origins: any, headers: [A, B], expose: C, credentials: true, max-age: 5s, private-network: false}")
        #expect(policy?.headers == ["A", "B"])
        #expect(policy?.expose == ["C"])
        #expect(policy?.credentials == true)
        #expect(policy?.maxAge == .seconds(5))
        #expect(policy?.privateNetwork == false)
    }

    /// A binding's own word counts more than that of its upstream.
    @Test func isInherited() {
        let bench = fruit("GET /a: {to: fruit /a}\nGET /b: {to: fruit /b, cors: false}", upstream: "cors: any")
        #expect(bench.configuration().bindings.map { $0.crossOrigin != nil } == [true, false])
    }

    @Test(arguments: [
        ("a.example", "'a.example' is no origin → https://a.example"),
        ("'https://a.example/'", "'https://a.example/' is no origin → https://a.example"),
        ("'https://me:pw@a.example/'", ": this is no origin"),
        ("'https://*.a.example'", "'https://*.a.example' is no origin"), ("'://a'", "'://a' is no origin"),
        ("{headers: [A]}", "key 'origins' is missing"), ("{origins: any, expose: ['a b']}", "'a b' is no field name"),
    ])
    func refuses(text: String, mistake: String) {
        let mistakes = fruit("GET /a: {to: fruit /a, cors: \(text)}").mistakes
        #expect(mistakes.count == 1 && mistakes.allSatisfy { $0.hasSuffix(mistake) }, "\(mistakes)")
    }

    @Test func warnsOfOpenDoors() {
        #expect(fruit("GET /a: {to: fruit /a, cors: {origins: any, credentials: true}}").warnings.count == 1)
    }
}
