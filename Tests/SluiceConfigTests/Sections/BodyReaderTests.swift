import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct BodyReaderTests {
    private static let text = TypeExpression.scalar(.string)

    @Test(arguments: [
        ("json", Binding.Body.json(.scalar(.json))), ("JSON", .json(.scalar(.json))), ("text", .text(charset: nil)),
        ("raw", .raw(mediaType: nil)), ("multipart", .multipart), ("none", .none),
        ("{text: utf-8}", .text(charset: "utf-8")), ("{raw: image/png}", .raw(mediaType: "image/png")),
        ("{text: String}", .json(.object(ObjectType(fields: [.init(name: "text", type: text)])))),
        ("{raw: String}", .json(.object(ObjectType(fields: [.init(name: "raw", type: text)])))),
        ("{form: String}", .json(.object(ObjectType(fields: [.init(name: "form", type: text)])))),
        (
            "{form: {a: String, b: [Int]}}",
            .form(ObjectType(fields: [.init(name: "a", type: text), .init(name: "b", type: .array(.scalar(.int)))]))
        ),
        ("Fruit", .json(.named("Fruit"))), ("[Fruit]", .json(.array(.named("Fruit")))),
        ("red | green", .json(.literals(["red", "green"]))),
    ])
    func reads(_ text: String, _ body: Binding.Body) {
        let bench = fruit("POST /a: {to: fruit /a, body: \(text)}", types: "Fruit: {a: Int}")
        #expect(bench.configuration().bindings.first?.body == body)
    }

    @Test func passesThroughByDefault() {
        #expect(fruit("POST /a: {to: fruit /a}").configuration().bindings.first?.body == .passThrough)
    }

    @Test(arguments: [
        ("jsn", "2:33: 'jsn' is no kind of body → json"), ("form", "2:33: a form needs its fields"),
        ("fruit", "2:33: 'fruit' is no kind of body → Fruit"), ("", "2:33: a type is missing"),
        ("{form: {a: Fruit}}", "2:44: field 'a' of type Fruit cannot stand in a form"),
        ("{raw: a/b/c}", "2:39: the text 'a/b/c' is no media type"), ("Frut", "2:33: unknown type 'Frut' → Fruit"),
    ])
    func refuses(_ text: String, _ mistake: String) {
        #expect(fruit("POST /a: {to: fruit /a, body: \(text)}", types: "Fruit: {a: Int}").mistakes == [mistake])
    }

    @Test(arguments: ["GET", "HEAD", "GET|HEAD"]) func refusesBodiesOfMethodsWithout(_ methods: String) {
        #expect(fruit("\(methods) /a: {to: fruit /a, body: json}").load().mistakes.count == 1)
        #expect(fruit("\(methods) /a: {to: fruit /a, body: none}").mistakes == [])
    }
}
