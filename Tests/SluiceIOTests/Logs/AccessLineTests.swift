import Foundation
import SluiceContract
import Testing

@testable import SluiceGateway
@testable import SluiceIO

@Suite struct AccessLineTests {
    private static func line(
        client: String = "127.0.0.1", target: [UInt8] = Array("/a?b=c".utf8), binding: String? = nil,
        problem: Problem.Kind? = nil, clientName: String? = nil, credential: String? = nil, trace: TraceID? = nil,
        query: LogSettings.Query = .masked
    ) -> String {
        var line: [UInt8] = []
        Array("GET".utf8).withUnsafeBytes { method in
            target.withUnsafeBytes { target in
                let entry = AccessEntry(
                    client: Array(client.utf8), method: method, target: target, status: 200, bytes: 44,
                    nanoseconds: 1_234_567, binding: binding, problem: problem,
                    clientName: clientName, credential: credential, traceID: trace)
                AccessLine.append(entry, at: 1_795_255_501_042, query: query, to: &line)
            }
        }
        return String(decoding: line, as: UTF8.self)
    }

    private static let head = #"{"time":"2026-11-21T10:05:01.042Z","client":"#

    @Test func aLineIsAnObject() {
        #expect(
            Self.line(binding: "GET /a", problem: .typeMismatch)
                == Self.head + #""127.0.0.1","method":"GET","target":"/a?b=c","status":200,"bytes":44,"#
                + #""duration_us":1234,"binding":"GET /a","problem":"type-mismatch"}"#)
    }

    @Test func aKeyGivesAName() {
        #expect(Self.line(clientName: "ci").hasSuffix(#""duration_us":1234,"client_name":"ci"}"#))
    }

    @Test func aCredentialIsNamed() {
        #expect(Self.line(credential: "fruit").hasSuffix(#""duration_us":1234,"credential":"fruit"}"#))
    }

    @Test func aTraceIsNamed() {
        #expect(
            Self.line(trace: TraceID(high: 1, low: 0xab)).hasSuffix(
                #""duration_us":1234,"trace":"000000000000000100000000000000ab"}"#))
    }

    @Test func aUnixSocketHasNoAddress() {
        #expect(
            Self.line(client: "")
                == Self.head + #""unix","method":"GET","target":"/a?b=c","status":200,"bytes":44,"duration_us":1234}"#)
    }

    /// A client chooses the target, and no byte of it may end the string or the line.
    @Test func everyByteMakesALineOfJSON() throws {
        let line = Self.line(target: Array(0...255))
        #expect(!line.contains("\n"))
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let target = try #require(object?["target"] as? String)
        #expect(target.unicodeScalars.map(\.value) == Array(0...255))
    }
}
