import SluiceContract
import Testing

@testable import SluiceGateway

/// Defaults and fixed values reach the upstream as what clients send does: renamed and converted.
@Suite struct RouteParameterTests {
    private static let name = TypeExpression.object(
        ObjectType(fields: [
            .init(name: "full", from: "full_name", type: .scalar(.string)),
            .init(name: "at", type: .optional(.converted(.date(.seconds), .date(.iso8601)))),
            .init(name: "n", type: .scalar(.int), defaultJSON: "3"),
        ]))
    private static let declared = #"{"full":"x","at":"2024-05-01"}"#
    private static let sent = #"{"full_name":"x","at":1714521600,"n":3}"#

    private static func content(_ edit: (inout Binding) throws -> Void) throws -> String {
        let binding = try Build.binding("POST /a", to: "fruit /a") { try edit(&$0) }
        let bench = try Bench(Build.configuration([binding]))
        bench.client().request(
            "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
        return try bench.forwarded().text
    }

    @Test func ofABody() throws {
        let object = ObjectType(fields: [
            .init(name: "o", type: Self.name, defaultJSON: Self.declared),
            .init(name: "l", type: .array(Self.name), defaultJSON: "[\(Self.declared)]"),
            .init(name: "d", type: .dictionary(Self.name), defaultJSON: "{\"k\":\(Self.declared)}"),
        ])
        let sent = try Self.content { $0.body = .json(.object(object)) }
        #expect(sent == "{\"o\":\(Self.sent),\"l\":[\(Self.sent)],\"d\":{\"k\":\(Self.sent)}}")
    }

    @Test(arguments: [true, false]) func ofParameters(isFixed: Bool) throws {
        let sent = try Self.content {
            $0.parameters = [
                Parameter(
                    name: "o", location: .body, type: Self.name, defaultJSON: Self.declared, isFixed: isFixed,
                    upstreamName: "own")
            ]
        }
        #expect(sent == "{\"own\":\(Self.sent)}")
    }

    /// A value that no client could send is a mistake of the configuration.
    @Test(arguments: [
        (Parameter.Location.query, #""..""#), (.query, #""""#), (.query, #""a\\b""#),
        (.header, #""a\r\nInjected: yes""#),
        (.header, #""abc\n""#), (.header, #"["a\nb"]"#), (.cookie, #""a; b=c""#), (.cookie, #"" a""#),
    ])
    func refusesWhatMeansSomethingElse(_ location: Parameter.Location, _ json: String) throws {
        let type: TypeExpression = json.hasPrefix("[") ? .array(.scalar(.string)) : .scalar(.string)
        let binding = try Build.binding("GET /a", to: location == .query ? "fruit /{k}/a" : "fruit /a") {
            $0.parameters = [Parameter(name: "k", location: location, type: type, defaultJSON: json)]
        }
        #expect(throws: RouteTable.CompileError.self) { try RouteTable(Build.configuration([binding])) }
    }
}
