import SluiceContract
import Testing

@testable import SluiceConsole

@Suite struct BindingsDocumentTests {
    private static func binding(
        _ method: String, _ path: String, _ edit: (inout Binding) -> Void = { _ in }
    ) throws -> Binding {
        var binding = Binding(
            methods: [method], path: try PathTemplate(path), upstream: "fruit", upstreamPath: try PathTemplate("/v1/x"))
        edit(&binding)
        return binding
    }

    private static func text(_ bindings: [Binding], _ addresses: [Listener.Address] = []) -> String {
        var configuration = Configuration()
        configuration.listen = (addresses.isEmpty ? [.tcp(host: "127.0.0.1", port: 80)] : addresses).map {
            Listener($0)
        }
        configuration.bindings = bindings
        let fields = [ObjectType.Field(name: "name", type: .scalar(.string))]
        configuration.types = [TypeDefinition(name: "Fruit", type: .object(ObjectType(fields: fields)))]
        let places = configuration.listen.map { "\($0.address)" }
        return String(decoding: BindingsDocument(configuration, addresses: places).bytes, as: UTF8.self)
    }

    @Test func tellsWhatCanBeAsked() throws {
        let binding = try Self.binding("POST", "/fruits/{id}") {
            $0.parameters = [
                Parameter(
                    name: "id", location: .path, type: .constrained(.scalar(.int), Constraint(range: .init("5", "9")))),
                Parameter(name: "colour", location: .query, type: .literals(["red", "it's"])),
                Parameter(name: "page", location: .query, type: .scalar(.int), defaultJSON: "1"),
                Parameter(name: "X-Key", location: .header, type: .scalar(.string), defaultJSON: "\"s3cret\""),
                Parameter(
                    name: "fixed", location: .query, type: .scalar(.string), defaultJSON: "\"s3cret\"", isFixed: true),
            ]
            $0.body = .json(.named("Fruit"))
            $0.value = .array(.named("Fruit"))
            $0.cache = CachePolicy()
        }
        let text = Self.text([binding])
        for part in [
            #""listen":["http://127.0.0.1:80"]"#, #""name":"POST /fruits/{id}","method":"POST","methods":["POST"]"#,
            #""target":"POST /v1/x""#,
            #"{"name":"id","in":"path","type":"Int(5...9)","list":"repeat","required":true,"default":null,"#
                + #""values":null,"sample":"5"}"#,
            #""required":true,"default":null,"values":["red","it's"],"sample":"red"}"#,
            #"{"name":"page","in":"query","type":"Int","list":"repeat","required":false,"default":1,"#
                + #""values":null,"sample":"1"}"#,
            #""body":{"kind":"json","type":"Fruit","media":"application/json","sample":"{\"name\":\"text\"}"}"#,
            #""value":"[Fruit]","cache":"as the upstream says","credential":null"#,
            #""curl":"curl -X POST -H 'Content-Type: application/json' --data-raw '{\"name\":\"text\"}' "#
                + #"'http://127.0.0.1:80/fruits/5?colour=red'"}"#,
            #""types":[{"name":"Fruit","text":"{name: String}"}]"#,
        ] {
            #expect(text.contains(part), "\(part) is not in\n\(text)")
        }
        #expect(!text.contains("s3cret") && !text.contains("fixed"))
    }

    @Test(arguments: [
        (TypeExpression.array(.scalar(.int)), false), (.scalar(.int), true), (.optional(.scalar(.int)), false),
        (.constrained(.array(.scalar(.int)), Constraint(range: .init("1", "5"))), true),
        (.constrained(.array(.scalar(.int)), Constraint(range: .init(nil, "5"))), false),
    ])
    func listsMayBeLeftOut(_ type: TypeExpression, _ isRequired: Bool) throws {
        let text = Self.text([
            try Self.binding("GET", "/a") { $0.parameters = [Parameter(name: "p", location: .query, type: type)] }
        ])
        #expect(text.contains("\"required\":\(isRequired)"), "\(text)")
        #expect(text.contains("/a?p=") == isRequired)
    }

    @Test(arguments: [
        (Listener.Address.tcp(host: "0.0.0.0", port: 8080), "'http://127.0.0.1:8080/a%27b'"),
        (.tcp(host: "::", port: 8080), "'http://[::1]:8080/a%27b'"),
        (.unix(path: "/run/it's"), #"--unix-socket '/run/it'\\''s' 'http://localhost/a%27b'"#),
    ])
    func linesAreForTheShell(_ address: Listener.Address, _ end: String) throws {
        let text = Self.text([try Self.binding("GET", "/a'b")], [address])
        #expect(text.contains(#""curl":"curl "# + end + "\""), "\(text)")
    }

    @Test(
        arguments: [
            (.none, nil), (.text(charset: "utf-8"), "text/plain; charset=utf-8"),
            (.raw(mediaType: nil), "application/octet-stream"), (.multipart, "multipart/form-data"),
            (
                .form(ObjectType(fields: [ObjectType.Field(name: "a b", type: .scalar(.bool))])),
                #"application/x-www-form-urlencoded","sample":"a%20b=true"#
            ),
        ] as [(Binding.Body, String?)])
    func bodiesHaveAType(_ body: Binding.Body, _ media: String?) throws {
        let text = Self.text([try Self.binding("POST", "/a") { $0.body = body }])
        #expect(text.contains(media.map { "\"media\":\"\($0)\"" } ?? "\"body\":null"), "\(text)")
    }
}
