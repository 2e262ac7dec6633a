import SluiceClient
import Testing

/// Properties bound to paths: the rows R of docs/HERITAGE.md.
@Suite struct RestTests {
    static let plum = #"{"name":"plum","size":4,"color":"blue"}"#

    /// R1: the forms of the heritage compile as they are written there.
    @Test func r1InitialisersTakeTheHeritagesForms() {
        struct Stand {
            @Rest(path: "fruitoftheday") var fruit: Fruit = Fruit(name: "strawberry", size: 3, color: "red")
            @Rest(path: "fruits", params: ["limit": 10]) var list: Fruits = Fruits()
            @Rest(path: "fruits", parent: Fruits.self, prop: \.values) var fruits: [Fruit] = []
            @Rest(path: "fruits", params: ["limit": 10], parent: Fruits.self, prop: \.values) var some: [Fruit] = []
            @Rest(path: "signin", bearer: false) var account: Account = Account(email: "", password: "")
            @Rest(path: "fruits", params: ["limit": 10, "color": "red"]) var red = Fruits()
        }
        let stand = Stand()
        #expect(stand.fruit.name == "strawberry")
        #expect(stand.$fruit.wrappedValue == stand.fruit)
        #expect(stand.$fruit.projectedValue.wrappedValue == stand.fruit)
        #expect(stand.$fruit.declaration.bearer && !stand.$account.declaration.bearer)
        #expect(stand.$some.declaration.params.text == "limit=10")
        #expect(stand.$red.declaration.params.canonical.text == "color=red&limit=10")
    }

    /// R1, the trap: the host is captured at init. Here each call asks which gateway it is.
    @Test func r1TheGatewayIsToldLaterAndPerInstance() async throws {
        let stand = FruitStand()
        let other = FruitStand()
        let first = ScriptedTransport(json: Self.plum)
        let second = ScriptedTransport(json: Self.plum)
        stand.use(GatewayClient(transport: first))
        other.use(GatewayClient(transport: second))
        try await stand.$today.get()
        stand.use(GatewayClient(transport: second, settings: .init(pathPrefix: "/shop")))
        try await stand.$today.get()
        try await GatewayClient.withClient(GatewayClient(transport: first)) {
            try await FruitStand().$today.get()
        }
        #expect(first.lines == ["GET /fruitoftheday", "GET /fruitoftheday"])
        #expect(second.lines == ["GET /shop/fruitoftheday"])
    }

    /// R2: parameters go with every method; the trap is to drop them on POST. Lists repeat, nothing is left out
    /// silently.
    @Test func r2ParametersGoWithEveryMethod() async throws {
        enum Order: String, CustomStringConvertible {
            case name
            var description: String { rawValue }
        }
        struct Stand: Bindings {
            @Rest(path: "fruits/of the day", params: ["sort": Order.name]) var fruits = Fruits()
            @Rest(path: "tags", params: ["tag": ["a&b", "c"]]) var tags = Fruits()
        }
        let transport = ScriptedTransport(json: #"{"values":[]}"#)
        let stand = Stand().use(GatewayClient(transport: transport))
        try await stand.$fruits.get()
        try await stand.$fruits.post()
        try await stand.$tags.get()
        #expect(
            transport.lines == [
                "GET /fruits/of%20the%20day?sort=name", "POST /fruits/of%20the%20day?sort=name",
                "GET /tags?tag=a%26b&tag=c",
            ])
    }

    /// R3: GET, POST of the current value, POST of a new one, as calls and as operators; all on a `let`.
    @Test func r3CallsAndOperators() async throws {
        let transport = ScriptedTransport(json: Self.plum)
        let stand = FruitStand.asking(transport)
        let plum = Fruit(name: "plum", size: 4, color: "blue")
        #expect(try await stand.$today.get() == plum)
        #expect(stand.today == plum)
        #expect(try await stand.$today>? == plum)
        stand.account = Account(email: "a@b.example", password: "x")
        try await stand.$account<!
        #expect(transport.latestBody == #"{"email":"a@b.example","password":"x"}"#)
        try await stand.$account <- Account(email: "c@d.example", password: "y")
        #expect(transport.latestBody == #"{"email":"c@d.example","password":"y"}"#)
        #expect(stand.account.email == "c@d.example")
        try await stand.$today.post(plum)
        try await stand.$today.put()
        try await stand.$today.put(plum)
        try await stand.$today.patch(["size": 5])
        try await stand.$today.delete()
        #expect(try await stand.$today.head().status == 200)
        #expect(
            transport.lines.suffix(6) == [
                "POST /fruitoftheday", "PUT /fruitoftheday", "PUT /fruitoftheday", "PATCH /fruitoftheday",
                "DELETE /fruitoftheday", "HEAD /fruitoftheday",
            ])
    }

    /// R3, the trap: futures start eagerly, so "a then b" runs both at once. Operations are cold and keep their order.
    @Test func r3OperationsAreColdAndOrdered() async throws {
        let transport = ScriptedTransport { request in
            request.method == "GET" ? .json(Self.plum) : .json("{}", status: 500)
        }
        let stand = FruitStand.asking(transport)
        let get: RestOperation<Fruit> = stand.$today>?
        let post: RestOperation<Account> = stand.$account<!
        let both = get ->> post
        #expect(transport.lines == [])
        await #expect(throws: CallError.self) { try await both.value() }
        #expect(transport.lines == ["GET /fruitoftheday", "POST /signin"])
        await #expect(throws: CallError.self) { try await (post ->> get).value() }
        #expect(transport.lines.count == 3, "what depends on a failure is not sent")
    }

    /// R3: the forms with closures, as they are written in views.
    @Test func r3FormsWithClosures() async {
        let stand = FruitStand.asking(ScriptedTransport(json: Self.plum))
        await confirmation(expectedCount: 2) { confirm in
            await stand.$today>?.sink { _ in confirm() }.value
            await stand.$account<!.success { confirm() }.value
        }
        let broken = FruitStand.asking(ScriptedTransport(status: 500, json: "{}"))
        await confirmation { confirm in
            await (broken.$account <- Account(email: "", password: "")).failure { confirm() }.value
        }
    }

    /// R4: a GET decodes the parent and reads the key path, a POST sends what `wrap` makes.
    @Test func r4ParentBothWays() async throws {
        let transport = ScriptedTransport(json: #"{"values":[\#(Self.plum)]}"#)
        let stand = FruitStand.asking(transport)
        #expect(try await stand.$fruits.get().map(\.name) == ["plum"])
        #expect(transport.lines == ["GET /fruits?limit=10"])
        try await stand.$fruits.post()
        #expect(transport.latestBody == #"{"values":[{"color":"blue","name":"plum","size":4}]}"#)
    }

    /// R4, the trap: a missing path is an error of its own, and keeps the answer.
    @Test(arguments: [
        (#"{"count":0}"#, true), (#"{"values":null}"#, true), (#"{"values":[{"name":"plum"}]}"#, false),
        (#"{"values":1}"#, false),
    ])
    func r4MissingPathIsItsOwnError(answer: String, isMissing: Bool) async throws {
        let stand = FruitStand.asking(ScriptedTransport(json: answer))
        let error = await #expect(throws: CallError.self) { try await stand.$fruits.get() }
        if case .missingPath(let fault) = error {
            #expect(isMissing && fault.path == "$.values")
        } else {
            #expect(!isMissing)
        }
        #expect(error?.body == Array(answer.utf8))
    }

    /// R4: where the gateway's own binding has the `parent:`, the value is bare both ways, told or found out.
    @Test func r4ParentsInTheGateway() async throws {
        let bare = ScriptedTransport(json: "[\(Self.plum)]")
        let stand = FruitStand.asking(bare)
        try await stand.$fruits.post([])
        #expect(bare.latestBody == #"{"values":[]}"#)
        #expect(stand.fruits.map(\.name) == ["plum"])
        try await stand.$fruits.post([])
        #expect(bare.latestBody == "[]")
        let told = ScriptedTransport(json: "[\(Self.plum)]")
        let other = FruitStand().use(GatewayClient(transport: told, settings: .init(parents: .gateway)))
        try await other.$fruits.post([])
        #expect(told.latestBody == "[]" && other.fruits.count == 1)
        other.use(GatewayClient(transport: told, settings: .init(parents: .program)))
        await #expect(throws: CallError.self) { try await other.$fruits.get() }
    }

    /// Before there is an answer, a gateway that refuses the one form gets the other, and later calls begin with it.
    @Test func r4TheFormThatAGatewayTakes() async throws {
        let bare = ScriptedTransport { request in
            guard case .bytes(let bytes) = request.body, bytes.first == UInt8(ascii: "[") else {
                return .problem(#"{"type":"urn:sluice:problem:bad-body","status":400}"#, status: 400)
            }
            return .json("", status: 204)
        }
        let stand = FruitStand.asking(bare)
        try await stand.$fruits.post([])
        try await stand.$fruits.put([])
        #expect(bare.lines == ["POST /fruits?limit=10", "POST /fruits?limit=10", "PUT /fruits?limit=10"])
        let neither = ScriptedTransport { request in
            .problem(#"{"type":"urn:sluice:problem:bad-body","status":400,"detail":"x"}"#, status: 400)
        }
        let error = await #expect(throws: CallError.self) { try await FruitStand.asking(neither).$fruits.post([]) }
        #expect(error?.status == 400 && neither.lines.count == 2)
        // A refusal by anybody else is no word about the form.
        let other = ScriptedTransport(status: 400, json: "{}")
        await #expect(throws: CallError.self) { try await FruitStand.asking(other).$fruits.post([]) }
        #expect(other.lines.count == 1)
    }

    struct Optionals: Bindings {
        @Rest(path: "plum") var plum: Fruit?
        @Rest(path: "plum", params: ["id": 1, "lang": "en"], bearer: false, methods: [.get]) var told: Fruit?
    }

    /// R1: without an initial value, where nil is one.
    @Test func r1APropertyThatMayBeNil() async throws {
        let transport = ScriptedTransport(json: Self.plum)
        let none = Optionals().use(GatewayClient(transport: transport))
        #expect(none.plum == nil && none.told == nil)
        try await none.$told.get()
        #expect(none.told?.name == "plum" && transport.lines == ["GET /plum?id=1&lang=en"])
    }

    @Test func r4AWrongElementOfABareValueIsToldAtItsPlace() async {
        let stand = FruitStand.asking(ScriptedTransport(json: #"[{"name":1}]"#))
        let error = await #expect(throws: CallError.self) { try await stand.$fruits.get() }
        #expect(error?.detail.contains("$[0].name") == true)
    }

    /// R5: no token passes through a program: neither `bearer: true` nor `false` sends one, and a GET without works.
    @Test(arguments: [true, false])
    func r5ProgramsHaveNoToken(bearer: Bool) async throws {
        let transport = ScriptedTransport(json: Self.plum)
        let rest = Rest(wrappedValue: Fruit(name: "", size: 0, color: ""), path: "fruit", bearer: bearer)
        let fruit = try await GatewayClient.withClient(GatewayClient(transport: transport)) {
            try await rest.projectedValue.get()
        }
        #expect(fruit.name == "plum")
        #expect(transport.requests[0].fields["Authorization"] == nil)
    }

    /// R5: what a gateway without a credential says is told as such.
    @Test func r5AMissingCredentialIsTold() async {
        let stand = FruitStand.asking(
            ScriptedTransport { _ in
                .problem(
                    #"{"type":"urn:sluice:problem:sign-in-needed","status":503,"detail":"sluice login fruit"}"#,
                    status: 503)
            })
        let error = await #expect(throws: CallError.self) { try await stand.$today.get() }
        #expect(error?.kind?.isAboutCredential == true)
        #expect(error?.detail == "sluice login fruit")
    }

    /// R5, the trap: credentials in what is printed. A client's own key for the gateway is in no description.
    @Test func r5KeysAreNotPrinted() {
        let client = GatewayClient(
            transport: ScriptedTransport(json: ""), settings: .init(fields: [CallField("X-API-Key", "s3cret")]))
        #expect(!"\(client)".contains("s3cret") && !String(reflecting: client).contains("s3cret"))
    }

    /// R6: `$fruit.name` reads through to the value, and writes.
    @Test func r6MembersThroughTheQuery() {
        let stand = FruitStand()
        #expect(stand.$today.name == "strawberry")
        stand.$account.email = "a@b.example"
        #expect(stand.account.email == "a@b.example")
        let email = stand.$account.projectedValue.email
        email.wrappedValue = "c@d.example"
        #expect(stand.$account.email == "c@d.example")
    }

    /// R7, the trap: a 500 that decodes counts as success, and its body is lost.
    @Test func r7StatusComesFirst() async {
        let stand = FruitStand.asking(ScriptedTransport(status: 500, json: Self.plum))
        let error = await #expect(throws: CallError.self) { try await stand.$today.get() }
        #expect(error?.status == 500 && error?.body == Array(Self.plum.utf8))
        #expect(stand.today.name == "strawberry")
    }

    /// R8: what is held after a POST is the API's answer, or what was sent where that is said or there is no answer.
    @Test(arguments: [
        (RestAnswer?.none, true, plum, "plum"), (.echo, true, plum, "fig"), (.response, false, plum, "plum"),
        (nil, false, #"{"token":"t"}"#, "fig"), (nil, true, "", "fig"),
    ])
    func r8WhatIsHeldAfterAPost(answer: RestAnswer?, bearer: Bool, json: String, name: String) async throws {
        let rest = Rest(
            wrappedValue: Fruit(name: "", size: 0, color: ""), path: "fruit", bearer: bearer, answer: answer)
        try await GatewayClient.withClient(GatewayClient(transport: ScriptedTransport(json: json))) {
            try await rest.projectedValue.post(Fruit(name: "fig", size: 1, color: "green"))
        }
        #expect(rest.wrappedValue.name == name)
    }

    /// R10: parameters of two queries, the right side's values; the property is one.
    @Test func r10MergingParameters() async throws {
        let transport = ScriptedTransport(json: #"{"values":[\#(Self.plum)]}"#)
        let stand = FruitStand.asking(transport)
        try await (stand.$fruits ++ ["limit": 5] ++ ["color": "red"]).get()
        try await stand.$fruits.with(["limit": 1]).get()
        try await (stand.$fruits ++ stand.$fruits.with(["page": 2])).get()
        #expect(
            transport.lines == ["GET /fruits?limit=5&color=red", "GET /fruits?limit=1", "GET /fruits?limit=10&page=2"])
        #expect(stand.fruits.count == 1, "a query with other parameters changes the same property")
    }
}
