import SluiceClient
import SluiceContract
import SluiceServer
import Testing

/// Properties of a program as the configuration of a gateway.
@Suite struct GatewayTests {
    enum Color: String, Codable, CaseIterable { case red, green, yellow }

    struct Fruit: Codable {
        var name: String
        var size: Int
        var color: Color
        var ripe: Bool?
    }

    struct Fruits: ParentCodable {
        var values: [Fruit] = []

        static func wrap(child: [Fruit]) -> Fruits { Fruits(values: child) }
    }

    struct Account: Codable {
        var email: String
        var password: String
    }

    struct FruitStand: Bindings {
        @Rest(path: "fruits", params: ["limit": 10], parent: Fruits.self, prop: \.values) var fruits: [Fruit] = []
        @Rest(path: "fruitoftheday") var today = Fruit(name: "strawberry", size: 3, color: .red)
        @Rest(path: "signin", bearer: false, methods: [.post]) var account = Account(email: "", password: "")
    }

    private static let upstream = "https://fruit.example/v1"

    @Test func propertiesAsAPage() throws {
        let gateway = Gateway(FruitStand(), upstream: Self.upstream, bearer: .environment("FRUIT_TOKEN"))
        // A program that only reads opens its bearer to POST as well.
        #expect(gateway.warnings.count == 1)
        #expect(gateway.warnings.first?.text.contains("for fruits, today of FruitStand") == true)
        #expect(
            try gateway.yaml() == """
                listen: ["127.0.0.1:8080"]
                upstreams:
                  fruit-stand:
                    url: https://fruit.example/v1
                    bearer: {env: FRUIT_TOKEN}
                types:
                  Fruit:
                    name: String
                    size: Int
                    color: red | green | yellow
                    ripe: Bool?
                  Account:
                    email: String
                    password: String
                bindings:
                  GET /fruits:
                    to: fruit-stand /fruits
                    params:
                      limit: Int = 10
                    parent: values
                    value: [Fruit]
                  POST /fruits:
                    to: fruit-stand /fruits
                    params:
                      limit: {type: Int, in: query, default: 10}
                    body: [Fruit]
                    parent: values
                    value: [Fruit]
                  GET /fruitoftheday:
                    to: fruit-stand /fruitoftheday
                    value: Fruit
                  POST /fruitoftheday:
                    to: fruit-stand /fruitoftheday
                    body: Fruit
                    value: Fruit
                  POST /signin:
                    to: fruit-stand /signin
                    body: Account
                    bearer: false
                    keep: {bearer: token}
                    answer: echo

                """)
    }

    // MARK: - Parameters, methods and settings

    struct Parameters: Bindings {
        @Rest(
            path: "/a/{id}/b", params: ["id": 3, "code": "007", "share": 0.5, "all": true, "tags": ["x", "y"]],
            methods: [.get, .put, .patch, .delete])
        var value = 0
    }

    @Test func parametersHaveTheTypesOfTheirValues() throws {
        let bindings = try Gateway(Parameters(), upstream: Self.upstream).configuration().bindings
        #expect(bindings.map(\.name) == ["DELETE", "GET", "PATCH", "PUT"].map { "\($0) /a/{id}/b" })
        let told = bindings[1].parameters.map { "\($0.name) \($0.location) \($0.type) \($0.defaultJSON ?? "-")" }
        #expect(
            told == [
                "id path Int -", "code query String \"007\"", "share query Double 0.5", "all query Bool true",
                "tags query [String] [\"x\",\"y\"]",
            ])
        #expect(bindings[3].body == .json(.scalar(.int)) && bindings[2].body == .json(.scalar(.json)))
        #expect(bindings[0].value == nil && bindings[3].value == .scalar(.int))
    }

    @Test func settingsOfTheWholeAndOfAProperty() throws {
        let gateway = Gateway(FruitStand(), upstream: Self.upstream)
            .configured { $0.limits.bodyBytes = 1000 }
            .configured("fruits") { $0.reportCount = 1 }
        let configuration = try gateway.configuration()
        #expect(configuration.limits.bodyBytes == 1000)
        #expect(configuration.bindings.filter { $0.reportCount == 1 }.map(\.name) == ["GET /fruits", "POST /fruits"])
    }

    struct Weather: Bindings {
        struct Fruit: Codable { var degrees: Double }

        @Rest(path: "weather", methods: [.get]) var weather = Fruit(degrees: 0)
    }

    @Test func severalAPIs() throws {
        let configuration = try Gateway(FruitStand(), upstream: Self.upstream)
            .adding(Weather(), upstream: "unix:/run/weather.sock", coding: JSONCoding(keys: .snakeCase))
            .configuration()
        #expect(configuration.upstreams.map(\.name) == ["fruit-stand", "weather"])
        #expect(configuration.types.map(\.name) == ["Fruit", "Account", "Fruit2"])
        #expect(configuration.bindings.last?.value == .named("Fruit2"))
    }

    // MARK: - Parents

    struct Meta: Codable { var total: Int }

    struct Page: ParentCodable {
        var meta: Meta
        var first: [Fruit]
        var second: [Fruit]
        var inner: Inner

        enum CodingKeys: String, CodingKey {
            case meta
            case first = "items"
            case second = "extra_items"
            case inner
        }

        struct Inner: Codable { var codes: [Int]? }

        static func wrap(child: [Fruit]) -> Page {
            Page(meta: Meta(total: 0), first: [], second: child, inner: Inner(codes: nil))
        }
    }

    struct Deep: ParentCodable {
        var page: Page
        static func wrap(child: [Int]?) -> Deep { Deep(page: .wrap(child: [])) }
    }

    struct Parents: Bindings {
        @Rest(path: "second", methods: [.get], parent: Page.self, prop: \.second) var second: [Fruit] = []
        @Rest(path: "deep", methods: [.get], parent: Deep.self, prop: \.page.inner.codes) var deep: [Int]? = nil
    }

    @Test func keyPathsAreNamesOnTheWire() throws {
        let bindings = try Gateway(Parents(), upstream: Self.upstream).configuration().bindings
        #expect(bindings.map { $0.parent?.description } == ["extra_items", "page.inner.codes"])
    }

    // MARK: - What is wrong

    enum Silent: String, Codable { case on, off }

    struct Computed: ParentCodable {
        var values: [Fruit]
        var names: [String] { values.map(\.name) }
        static func wrap(child: [String]) -> Computed { Computed(values: []) }
    }

    struct Wrong: Bindings {
        @Rest(path: "silent", methods: [.get]) var silent = Silent.on
        @Rest(path: "names", methods: [.get], parent: Computed.self, prop: \.names) var names: [String] = []
        @Rest(path: "a/{b", methods: [.get]) var path = 0
        @Rest(path: "twice", methods: [.get]) var first = 0
        @Rest(path: "twice", methods: [.get]) var second = ""
        @Rest(path: "dot/../dot", methods: [.get]) var dots = 0
    }

    @Test func mistakesNameTheProperty() throws {
        let error = #expect(throws: GatewayError.self) {
            try Gateway(Wrong(), upstream: "fruit.example", keep: "a..b").configuration()
        }
        guard case .mistakes(let mistakes) = error else {
            Issue.record("\(error as Any)")
            return
        }
        let texts = mistakes.map(\.description)
        func told(_ beginning: String, _ words: String...) -> Bool {
            texts.contains { text in text.hasPrefix(beginning) && words.allSatisfy { text.contains($0) } }
        }
        #expect(told("upstream 'fruit.example'", "no scheme", "https://fruit.example"), "\(texts)")
        #expect(told("keep 'a..b'"), "\(texts)")
        #expect(told("Wrong.silent", "Silent", "CaseIterable"), "\(texts)")
        #expect(told("Wrong.names", "Computed", "stored property"), "\(texts)")
        #expect(told("Wrong.path", "placeholder"), "\(texts)")
        #expect(told("Wrong.second", "GET /twice", "Wrong.first", "methods:"), "\(texts)")
        #expect(told("Wrong.dots", "GET /dot/../dot"), "\(texts)")
    }

    /// A URL that cannot be read is one mistake, and none of the properties.
    @Test func aWrongURLIsToldOnce() {
        let error = #expect(throws: GatewayError.self) {
            try Gateway(FruitStand(), upstream: "fruit.example", bearer: .value("s3cret")).configuration()
        }
        guard case .mistakes(let mistakes) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(mistakes.count == 1 && mistakes[0].text.hasPrefix("upstream 'fruit.example'"), "\(mistakes)")
    }

    struct Empty: Bindings {
        struct Nothing: Codable {}
        @Rest(path: "nothing", methods: [.get]) var nothing = Nothing()
    }

    @Test func whatIsEmptyStaysOnThePage() throws {
        let page = try Gateway(Empty(), upstream: Self.upstream, bearer: .value("s3cret"))
            .configured("nothing") { $0.cache = CachePolicy() }.yaml()
        #expect(page.contains("value: JSON\n") && page.contains("cache: {}\n"), "\(page)")
        #expect(page.contains("bearer: {env: EMPTY_TOKEN}\n") && !page.contains("s3cret"))
    }

    @Test func aPropertyThatIsNotThereIsTold() {
        let error = #expect(throws: GatewayError.self) {
            try Gateway(Empty(), upstream: Self.upstream).configured("nothin") { $0.early = true }.configuration()
        }
        #expect(error?.description.contains("'nothin'") == true)
    }

    @Test func oddThingsAreTold() {
        let warnings = Gateway(FruitStand(), upstream: Self.upstream, keep: nil).warnings
        #expect(warnings.map(\.property) == ["FruitStand.account"])
        #expect(warnings.first?.text.contains("has no bearer") == true)
    }

    struct Lists: Bindings {
        @Rest(path: "some", params: ["tags": ["x"]], methods: [.get]) var some: [Int] = []
        @Rest(path: "none", params: ["tags": [String]()], methods: [.get]) var none: [Int] = []
        @Rest(path: "mixed", params: ["sizes": [1, 2], "limit": 3], methods: [.get]) var mixed: [Int] = []
    }

    /// A list of one value, or of none, is a list.
    @Test func listsOfParameters() throws {
        let bindings = try Gateway(Lists(), upstream: Self.upstream).configuration().bindings
        // A dictionary's order is by chance.
        let parameters = bindings.map {
            $0.parameters.map { "\($0.name): \($0.type) = \($0.defaultJSON ?? "none")" }.sorted()
        }
        #expect(
            parameters == [
                [#"tags: [String] = ["x"]"#], ["tags: [String] = []"], ["limit: Int = 3", "sizes: [Int] = [1,2]"],
            ])
    }

    @Test func aSecretThatIsMissingIsTold() async {
        let gateway = Gateway(FruitStand(), upstream: Self.upstream, bearer: .environment("SLUICE_TEST_NOT_SET"))
        let error = await #expect(throws: GatewayError.self) { try await gateway.serve(on: .tcp(port: 0)) }
        #expect(error?.description.contains("SLUICE_TEST_NOT_SET") == true)
    }

    @Test func anAddressThatCannotBeListenedOnIsTold() async {
        let gateway = Gateway(FruitStand(), upstream: Self.upstream)
        let error = await #expect(throws: GatewayError.self) {
            try await gateway.serve(on: .unix(path: "/nonexistent/folder/gateway.sock"))
        }
        guard case .start = error else {
            Issue.record("\(error as Any)")
            return
        }
    }
}
