import SluiceContract
import Testing

@testable import SluiceGateway

/// `application/x-www-form-urlencoded` bodies: checked field by field, written anew.
@Suite struct FormReaderTests {
    static func post(
        _ body: String, unknown: Binding.UnknownParameters = .reject, with field: ObjectType.Field? = nil
    ) throws -> (Bench, Message) {
        var object = try Build.object(["name": "String", "size": "Int", "tags": "[String]", "note": "String?"])
        object.fields.append(
            ObjectType.Field(name: "color", from: "colour", type: try Build.type("red | green"), defaultJSON: #""red""#)
        )
        if let field { object.fields.append(field) }
        let bench = try Bench(
            Build.configuration([
                try Build.binding("POST /f", to: "fruit /f") {
                    $0.body = .form(object)
                    $0.unknownParameters = unknown
                }
            ]))
        let answer = try bench.exchange(
            "POST /f HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return (bench, answer)
    }

    @Test(
        arguments: [
            ("name=a+b&size=1", "name=a%20b&size=1&colour=red"),
            ("size=1&name=%26%3D&color=green", "size=1&name=%26%3D&colour=green"),
            ("name=&size=-7&tags=x&tags=y+z", "name=&size=-7&tags=x&tags=y%20z&colour=red"),
            ("name=a&size=1&tags[]=x&tags%5B%5D=y", "name=a&size=1&tags=x&tags=y&colour=red"),
            ("name=%C3%A9&size=1&note=n", "name=%C3%A9&size=1&note=n&colour=red"),
        ])
    func aFormIsWrittenAnew(body: String, forwarded: String) throws {
        let (bench, answer) = try Self.post(body)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try bench.forwarded().text == forwarded)
        #expect(try bench.forwarded()["Content-Length"] == "\(forwarded.utf8.count)")
    }

    @Test(
        arguments: [
            ("name=a", "size", "nothing"), ("name=a&size=x", "size", "'x'"),
            ("name=a&size=1&size=2", "size", "2 values"),
            ("name=a&size=1&color=blue", "color", "'blue'"), ("name=a&size=1&nmae=b", "nmae", "did you mean 'name'?"),
            ("name=%zz&size=1", "name", "malformed"), ("", "name", "nothing"),
        ])
    func faultsOfAForm(body: String, name: String, found: String) throws {
        let (bench, answer) = try Self.post(body)
        #expect(answer.status == 400)
        #expect(answer.text.contains(#""name":"\#(name)""#) && answer.text.contains(found), "\(answer.text)")
        #expect(bench.origins.isEmpty)
    }

    /// What is there and cannot be read is not missing.
    @Test(arguments: ["name=%&size=1", "n%61me=%zz&size=1"]) func aMalformedFieldIsOneFault(body: String) throws {
        let (_, answer) = try Self.post(body)
        #expect(answer.status == 400 && answer.text.contains("malformed percent-encoding"), "\(answer.text)")
        #expect(!answer.text.contains("nothing"), "\(answer.text)")
        #expect(answer.text.contains(#""name":"name""#), "\(answer.text)")
    }

    /// A list is counted and compared when all of it is there, as in a query.
    @Test(
        arguments: [
            ("pair=x&pair=y", "[String](1...2, unique)", nil),
            ("pair=x&pair=x", "[String](1...2, unique)", "'x' again"),
            ("pair=x&pair=y&pair=z", "[String](1...2, unique)", "3 values"), ("pair=1", "[Int](2...)", "1 values"),
            ("", "[Int](2...)", "nothing"), ("pair=1&pair=2", "[Int](2...)", nil), ("", "[Int](0...2)", nil),
        ] as [(String, String, String?)])
    func aListIsCheckedAsAWhole(pairs: String, type: String, found: String?) throws {
        let field = ObjectType.Field(name: "pair", type: try Build.type(type))
        let (bench, answer) = try Self.post("name=a&size=1&\(pairs)", with: field)
        #expect(answer.status == (found == nil ? 200 : 400), "\(answer.text)")
        #expect(bench.origins.isEmpty == (found != nil))
        guard let found else { return }
        #expect(answer.text.contains(#""name":"pair""#) && answer.text.contains(found), "\(answer.text)")
    }

    /// `name?: T`.
    @Test(arguments: ["Int", "[Int](2...3)"]) func aFieldThatMayBeAbsentIsNotMissed(type: String) throws {
        var field = ObjectType.Field(name: "x", type: try Build.type(type))
        #expect(try Self.post("name=a&size=1", with: field).1.status == 400)
        field.mayBeAbsent = true
        #expect(try Self.post("name=a&size=1", with: field).0.forwarded().text == "name=a&size=1&colour=red")
        #expect(try Self.post("name=a&size=1&x=y", with: field).1.status == 400)
    }

    /// The upstream could take it for the field that was checked.
    @Test(arguments: [
        ("colour=blue", "color"), ("color=red&colour=blue", "color"), ("c%6Flour=blue", "color"),
        ("colour[]=blue", "color"), ("size%5B0%5D=x", "size"),
    ])
    func noUndeclaredFieldStandsForACheckedOne(pairs: String, field: String) throws {
        let (bench, answer) = try Self.post("name=a&size=1&\(pairs)", unknown: .pass)
        #expect(answer.status == 400)
        #expect(answer.text.contains("no field by the upstream's name of '\(field)'"), "\(answer.text)")
        #expect(bench.origins.isEmpty)
        let (other, _) = try Self.post("name=a&size=1&\(pairs)", unknown: .drop)
        #expect(try other.forwarded().text == "name=a&size=1&colour=red")
    }

    @Test func undeclaredFieldsPassWhereTheyMay() throws {
        let (bench, _) = try Self.post("name=a&size=1&x=%20y", unknown: .pass)
        #expect(try bench.forwarded().text == "name=a&size=1&x=%20y&colour=red")
        let (other, _) = try Self.post("name=a&size=1&x=%20y", unknown: .drop)
        #expect(try other.forwarded().text == "name=a&size=1&colour=red")
    }
}
