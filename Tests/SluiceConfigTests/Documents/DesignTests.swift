import SluiceContract
import Testing

@testable import SluiceConfig

/// The configuration that DESIGN §7 shows, word for word: it must load and say what it says there.
@Suite struct DesignTests {
    static let yaml = """
        listen: [127.0.0.1:8080, unix:/run/sluice/sluice.sock]

        upstreams:
          fruit:
            url: https://fruit.example/v1
            bearer: {file: fruit-token}            # relative: looked up in $CREDENTIALS_DIRECTORY
            timeout: {connect: 1s, first-byte: 10s, total: 30s}
            error: {message: error.message, code: error.code}   # where this API keeps its errors

        types:
          Fruit:
            name: String
            size: Int
            color: red | green | yellow
            ripe: Bool = true
            picked: Date?

        bindings:
          GET /fruits:
            to: fruit /fruits                      # upstream, path
            params: {limit: Int = 10, colors: [String]}
            parent: values                         # key path out of the upstream's JSON
            value: [Fruit]
            cache: {fresh: 60s, stale-while-revalidate: 10m, stale-if-error: 1d}

          GET /fruits/{id}:
            to: fruit /fruits/{id}
            params: {id: Int}
            value: Fruit

          POST /fruits:
            to: fruit /fruits
            body: Fruit
            parent: fruit                          # the body goes out as {"fruit": …}; .fruit of the answer comes back
            value: Fruit

          ANY /raw/**:
            to: fruit /**                          # everything below passes through untouched, query included

          POST /signin:
            to: fruit /signin
            bearer: false
            body: {email: String, password: String}
            keep: {bearer: token}                  # .token of the answer becomes this upstream's bearer
        """

    static let configuration: Configuration = {
        var bench = Bench(yaml, files: ["/run/credentials/fruit-token": .init(text: "secret\n", permissions: 0o400)])
        bench.credentialsDirectory = "/run/credentials"
        return bench.configuration()
    }()

    private func binding(_ name: String) throws -> Binding {
        try #require(Self.configuration.bindings.first { $0.name == name })
    }

    @Test func listensWhereItSays() {
        #expect(
            Self.configuration.listen.map(\.address.description) == ["127.0.0.1:8080", "unix:/run/sluice/sluice.sock"])
    }

    @Test func readsTheUpstream() throws {
        let upstream = try #require(Self.configuration.upstreams.first)
        #expect(upstream.name == "fruit")
        #expect(upstream.origin == .tcp(host: "fruit.example", port: 443, tls: true))
        #expect(upstream.basePath == "/v1")
        #expect(upstream.bearer == .file("/run/credentials/fruit-token"))
        #expect(upstream.timeout.connect == .seconds(1))
        #expect(upstream.timeout.firstByte == .seconds(10))
        #expect(upstream.timeout.total == .seconds(30))
        #expect(upstream.error == ErrorPaths(message: FieldPath("error.message"), code: FieldPath("error.code")))
    }

    @Test func readsTheType() throws {
        let type = try #require(Self.configuration.types.first)
        #expect(type.name == "Fruit")
        #expect(
            type.type
                == .object(
                    ObjectType(fields: [
                        .init(name: "name", type: .scalar(.string)),
                        .init(name: "size", type: .scalar(.int)),
                        .init(name: "color", type: .literals(["red", "green", "yellow"])),
                        .init(name: "ripe", type: .scalar(.bool), defaultJSON: "true"),
                        .init(name: "picked", type: .optional(.scalar(.date(.iso8601)))),
                    ])))
    }

    @Test func readsTheList() throws {
        let list = try binding("GET /fruits")
        #expect(
            list.parameters == [
                Parameter(name: "limit", location: .query, type: .scalar(.int), defaultJSON: "10"),
                Parameter(name: "colors", location: .query, type: .array(.scalar(.string))),
            ])
        #expect(list.parent == FieldPath("values"))
        #expect(list.value == .array(.named("Fruit")))
        #expect(list.wrap.isEmpty)
        #expect(list.cache?.fresh == .seconds(60))
        #expect(list.cache?.staleWhileRevalidate == .seconds(600))
        #expect(list.cache?.staleIfError == .seconds(86_400))
        #expect(list.sendsBearer)
        #expect(list.unknownParameters == .reject)
    }

    @Test func readsThePath() throws {
        let one = try binding("GET /fruits/{id}")
        #expect(one.parameters == [Parameter(name: "id", location: .path, type: .scalar(.int))])
        #expect(one.upstreamPath.placeholders == ["id"])
        #expect(one.value == .named("Fruit"))
    }

    @Test func wrapsTheBody() throws {
        let create = try binding("POST /fruits")
        #expect(create.body == .json(.named("Fruit")))
        #expect(create.wrap == ["fruit"])
        #expect(create.parent == FieldPath("fruit"))
    }

    @Test func passesTheRest() throws {
        let raw = try binding("ANY /raw/**")
        #expect(raw.methods.isEmpty)
        #expect(raw.path.hasRest && raw.upstreamPath.hasRest)
        #expect(raw.unknownParameters == .pass)
        #expect(raw.value == nil)
        #expect(raw.body == .passThrough)
        #expect(raw.cache == nil)
        #expect(raw.unknownParameters == .pass)
    }

    @Test func keepsTheToken() throws {
        let signin = try binding("POST /signin")
        #expect(!signin.sendsBearer)
        #expect(signin.keep == Binding.Keep(bearer: FieldPath(components: [.key("token")])))
        #expect(
            signin.body
                == .json(
                    .object(
                        ObjectType(fields: [
                            .init(name: "email", type: .scalar(.string)),
                            .init(name: "password", type: .scalar(.string)),
                        ]))))
    }
}
