import SluiceContract
import Testing

@testable import SluiceConfig

/// `T from PLACE`, `from:` and `name?:`.
@Suite struct FieldSourceReadingTests {
    private static func field(
        _ type: TypeExpression, _ source: FieldSource?, default json: String? = nil, mayBeAbsent: Bool = false
    ) -> ObjectType.Field {
        var field = ObjectType.Field(name: "f", type: type, defaultJSON: json)
        field.source = source
        field.mayBeAbsent = mayBeAbsent
        return field
    }

    private static let int: TypeExpression = .scalar(.int)
    private static let last: FieldSource? = FieldPath("a[-1].b").map { FieldSource.path($0) }
    private static let home: FieldSource? = FieldPath("a[?k==\"= x\"].b").map { FieldSource.path($0) }

    @Test(arguments: [
        ("{f: Int from a.b}", field(int, FieldPath("a.b").map { .path($0) })),
        ("{f: 'Int from a[-1].b = 3'}", field(int, last, default: "3")),
        ("{f: {type: Int, from: 'a[-1].b', default: 3}}", field(int, last, default: "3")),
        ("{f: {type: 'Int from a[-1].b', default: 3}}", field(int, last, default: "3")),
        ("{f: 'Int from a[?k==\"= x\"].b = 1'}", field(int, home, default: "1")),
        ("{f?: Int}", field(int, nil, mayBeAbsent: true)), ("{f?: Int?}", field(.optional(int), nil)),
        ("{f?: Int = 1}", field(int, nil, default: "1")),
        ("{f: Int from header X-Total}", field(int, .header("X-Total", relation: nil))),
        ("{f: URL? from header Link rel=next}", field(.optional(.scalar(.url)), .header("Link", relation: "next"))),
        ("{f: Int from http status}", field(int, .status)),
        ("{f: Int from g}", ObjectType.Field(name: "f", from: "g", type: int)),
        ("{f: red | green from a.b}", field(.literals(["red", "green"]), FieldPath("a.b").map { .path($0) })),
    ])
    func reads(_ text: String, _ field: ObjectType.Field) {
        let configuration = fruit("GET /a: {to: fruit /a, value: \(text)}").configuration()
        #expect(configuration.bindings.first?.value == .object(ObjectType(fields: [field])))
        let explained = Explain.yaml(configuration)
        #expect(Bench(explained).configuration() == configuration, "\(explained)")
        let named = fruit("GET /a: {to: fruit /a, value: T}", types: "T: \(text)").configuration()
        #expect(Bench(Explain.yaml(named)).configuration() == named, "\(Explain.yaml(named))")
    }

    @Test(arguments: [
        ("value: {f: Int from}", "2:45: 'Int from' is no type: nothing stands behind 'from'"),
        ("value: {f: Int from a..b}", "2:46: 'a..b' is no key path: '..' searches everywhere, which a path cannot"),
        (
            "value: Int from a.b",
            "2:42: 'Int from a.b' is no type: 'from a.b' has a place behind the type of a field alone"
        ),
        ("value: {f: {type: Int from a.b, from: c}}", "2:64: where the value stands is said twice"),
        ("params: {f: Int from a.b}", "2:47: a parameter comes from the client, and not from 'a.b'"),
        ("value: {f: Int from a.b, g: Int from a.b}", "two fields are read from 'a.b'"),
        ("value: {f: JSON from a.b, g: Int from a.b.c}", "'a.b.c' of 'g' and 'a.b' of 'f' stand inside each other"),
        ("value: {f: Int from a.*.b}", "path 'a.*.b' yields an array, and 'f' is Int"),
        ("value: {f: Int from a?.b}", "'?' in 'a?.b' says nothing in front of a '*'"),
        ("value: {f: 'Int from $.*.b'}", "'*.b' begins with no key, and stands in an object"),
        ("value: {f: Int from a.b, '*': pass}", "an object that is put together has its fields alone"),
        ("value: {f: '[Int] from header X'}", "'f' is [Int], and what a head has is text"),
        ("value: {f: Int from header X@Y}", "'X@Y' is no field name"),
        ("value: {f: String from header Set-Cookie}", "cookies are no part of a value"),
        ("value: {f: String from header X rel=next}", "a field 'X' has no relations"),
        ("value: [{f: Int from http status}]", "'f' is taken from the answer's head, and stands deeper in the value"),
        (
            "value: {g: {f: Int from http status}}",
            "'f' is taken from the answer's head, and stands deeper in the value"
        ),
    ])
    func refuses(_ text: String, _ message: String) {
        let mistakes = fruit("GET /a: {to: fruit /a, \(text)}").mistakes
        #expect(mistakes.contains { $0.contains(message) }, "\(mistakes)")
    }

    @Test(arguments: ["{f: Int from a.b}", "{g: {f: Int from a.b}}", "{g: '[T]?'}", "{form: {f: Int from a.b}}"])
    func cannotBeSent(_ type: String) {
        let mistakes = fruit("POST /a: {to: fruit /a, body: \(type)}", types: "T: {f: Int from a.b}").mistakes
        #expect(
            mistakes.contains { $0.contains("'f' is taken from 'a.b' of an answer, and cannot be sent") }, "\(mistakes)"
        )
    }

    /// What comes of the head belongs to one answer: such bindings share none.
    @Test func headsAreNotShared() {
        let configuration = fruit(
            """
            GET /a: {to: fruit /a, value: {f: Int from http status}, cache: {}}
            GET /b: {to: fruit /a, value: {f: Int from a.b}, cache: {}}
            GET /c: {to: fruit /a, value: Int, parent: c, cache: {}}
            """
        ).configuration()
        #expect(configuration.siblingGroups == [[1, 2]])
    }
}
