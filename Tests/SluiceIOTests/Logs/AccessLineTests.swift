import Foundation
import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceGateway
@testable import SluiceIO

@Suite struct AccessLineTests {
    private static func line(
        client: String = "127.0.0.1", target: [UInt8] = Array("/a?b=c".utf8), query: LogSettings.Query = .masked,
        _ edit: (inout AccessEntry) -> Void = { _ in }
    ) -> String {
        var line: [UInt8] = []
        Array("GET".utf8).withUnsafeBytes { method in
            target.withUnsafeBytes { target in
                var entry = AccessEntry(
                    client: Array(client.utf8), method: method, target: target, status: 200, bytes: 44,
                    receivedBytes: 7, nanoseconds: 1_234_567)
                edit(&entry)
                AccessLine.append(entry, at: 1_795_255_501_042, query: query, to: &line)
            }
        }
        return String(decoding: line, as: UTF8.self)
    }

    private static let head = #"{"time":"2026-11-21T10:05:01.042Z","client":"#
    private static let end =
        #""method":"GET","target":"/a?b=c","protocol":"HTTP/1.1","status":200,"bytes":44,"#
        + #""bytes_in":7,"duration_us":1234"#

    @Test func aLineIsAnObject() {
        let line = Self.line {
            $0.binding = "GET /a"
            $0.problem = .typeMismatch
        }
        #expect(
            line == Self.head + #""127.0.0.1","# + Self.end + #","binding":"GET /a","problem":"type-mismatch"}"#)
    }

    @Test func aKeyGivesAName() {
        #expect(Self.line { $0.clientName = "ci" }.hasSuffix(#""duration_us":1234,"client_name":"ci"}"#))
    }

    @Test func aCredentialIsNamed() {
        #expect(Self.line { $0.credential = "fruit" }.hasSuffix(#""duration_us":1234,"credential":"fruit"}"#))
    }

    @Test func anUpstreamIsToldOf() {
        let line = Self.line { $0.upstream = .init(name: "fruit", attempts: 3, nanoseconds: 1_000_999) }
        #expect(line.hasSuffix(#","upstream":"fruit","attempts":3,"upstream_us":1000}"#))
    }

    @Test(
        arguments: [
            (.init(outcome: "hit"), #","cache":"hit"}"#),
            (.init(outcome: "miss", isCollapsed: true), #","cache":"miss","collapsed":true}"#),
            (.init(outcome: "hit", detail: "stale-if-error"), #","cache":"hit","cache_detail":"stale-if-error"}"#),
        ] as [(AccessEntry.CacheUse, String)])
    func theCacheIsToldOf(_ cache: AccessEntry.CacheUse, _ end: String) {
        #expect(Self.line { $0.cache = cache }.hasSuffix(end))
    }

    @Test(arguments: [(.http10, "HTTP/1.0"), (.http2, "HTTP/2")] as [(HTTPVersion, String)])
    func theProtocolIsToldOf(_ version: HTTPVersion, _ text: String) {
        #expect(Self.line { $0.version = version }.contains(#","protocol":"\#(text)","#))
    }

    @Test func aTraceIsNamed() {
        #expect(
            Self.line { $0.traceID = TraceID(high: 1, low: 0xab) }.hasSuffix(
                #""duration_us":1234,"trace":"000000000000000100000000000000ab"}"#))
    }

    @Test func aUnixSocketHasNoAddress() {
        #expect(Self.line(client: "") == Self.head + #""unix","# + Self.end + "}")
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
