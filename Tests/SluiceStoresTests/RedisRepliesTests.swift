import Testing

@testable import SluiceStores

/// RESP2, at every split point; and what a server that means no good may try.
@Suite struct RedisRepliesTests {
    private static func read(_ text: String, cutAt index: Int, atMost bytesMax: Int = 10) throws -> [RedisReplies.Reply]
    {
        var replies = RedisReplies()
        var found: [RedisReplies.Reply] = []
        let bytes = Array(text.utf8)
        for part in [bytes[..<index], bytes[index...]] {
            part.withUnsafeBytes { replies.feed($0) }
            while let reply = try replies.next(atMost: bytesMax) { found.append(reply) }
        }
        return found
    }

    @Test func everyKindAtEverySplitPoint() throws {
        let text = "+OK\r\n:-12\r\n$-1\r\n$0\r\n\r\n$10\r\nab\r\n+x\r\n$-\r\n-WRONGTYPE of a key\r\n:7\r\n"
        for index in 0...text.utf8.count {
            #expect(
                try Self.read(text, cutAt: index) == [
                    .bytes(Array("OK".utf8)), .number(-12), .nothing, .bytes([]), .bytes(Array("ab\r\n+x\r\n$-".utf8)),
                    .refused("WRONGTYPE"), .number(7),
                ])
        }
    }

    @Test(arguments: [
        ("$11\r\n", "a reply of 11 bytes"), ("$99999999999\r\n", "a reply of"), ("$-2\r\n", "a reply of -2"),
        ("$x\r\n", "no number"), (":\r\n", "no number"), ("*1\r\n", "nobody asked for"),
        ("*4294967295\r\n", "nobody asked for"), ("*1\r\n*1\r\n*1\r\n", "nobody asked for"), ("%1\r\n", "nobody asked"),
        ("HTTP/1.1 400 Bad Request\r\n", "nobody asked for"), ("\r\n", "none"), ("+a\n", "none"), ("\n", "none"),
    ])
    func isRefused(_ text: String, _ reason: String) throws {
        for index in 0...text.utf8.count {
            let failure = #expect(throws: StoreFailure.self) { try Self.read(text, cutAt: index) }
            #expect(failure?.description.contains(reason) == true, "\(failure?.description ?? "")")
        }
    }

    /// A line that never ends is refused before it fills memory.
    @Test(arguments: ["+", "-", ":", "$"])
    func aLineWithoutEnd(_ kind: String) throws {
        let line = kind + String(repeating: "1", count: RedisReplies.lineBytesMax)
        #expect(throws: StoreFailure.self) { try Self.read(line, cutAt: 100) }
    }
}
