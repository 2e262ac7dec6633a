import Testing

@testable import SluiceHTTP

@Suite struct HeaderBlockTests {
    /// Builds a block out of `Name: value` lines.
    private static func block(_ lines: [(String, String)]) -> HeaderBlock {
        var block = HeaderBlock()
        for (name, value) in lines {
            name.withBytes { name in value.withBytes { block.append(name: name, value: $0) } }
        }
        return block
    }

    /// RFC 9110 §5.2, §5.3: order and duplicates carry meaning.
    @Test func keepsOrderCaseAndDuplicates() {
        let block = Self.block([("hOST", "a"), ("X-Own", ""), ("Cookie", "b"), ("x-own", "c")])
        let lines = block.lines
        #expect(lines == ["hOST: a", "X-Own: ", "Cookie: b", "x-own: c"])
        let ids = (0..<block.count).map { block[$0].id }
        #expect(ids == [.host, .other, .cookie, .other])
        let counts = (block.count(of: .cookie), block.count(of: .other), block.count(of: .date))
        #expect(counts == (1, 2, 0))
    }

    @Test(arguments: [("host", 0), ("HOST", 0), ("X-OWN", 1), ("COOKIE", 2), ("cooky", nil), ("x-ow", nil), ("", nil)])
    func findsByName(_ name: String, _ index: Int?) {
        let block = Self.block([("Host", "a"), ("X-Own", ""), ("Cookie", "b"), ("x-own", "c")])
        let found = name.withBytes { block.firstIndex(of: $0) }
        #expect(found == index)
    }

    @Test func canonicalNames() {
        var block = HeaderBlock()
        block.append(.via, "1.1 sluice")
        "5".withBytes { block.append(.contentLength, value: $0) }
        let lines = block.lines
        #expect(lines == ["Via: 1.1 sluice", "Content-Length: 5"])
        let indices = (block.firstIndex(of: .contentLength), block.firstIndex(of: .age))
        #expect(indices == (1, nil))
    }

    @Test func growsAndIsReused() {
        var block = HeaderBlock()
        for round in 0..<3 {
            block.removeAll()
            for index in 0..<200 {
                "Name-\(index)".withBytes { name in
                    String(repeating: "v", count: index).withBytes { block.append(name: name, value: $0) }
                }
            }
            let last = (block.count, String(block.name(199)), block.value(199).count)
            #expect(last == (200, "Name-199", 199), "round \(round)")
        }
        block.releaseMemory()
        let sizes = (block.count, block.byteCount)
        #expect(sizes == (0, 0))
        block.append(.age, "1")
        let lines = block.lines
        #expect(lines == ["Age: 1"])
    }

    @Test func removesFields() {
        var block = Self.block([("A", "1"), ("Host", "2"), ("B", "3"), ("Host", "4")])
        block.removeFields { $0.id == .host }
        let lines = block.lines
        #expect(lines == ["A: 1", "B: 3"])
    }

    /// RFC 9110 §7.6.1.
    @Test(arguments: [
        (["A: 1", "B: 2"], ["A: 1", "B: 2"]),
        (["Connection: close, b", "A: 1", "B: 2", "b: 3"], ["*Connection: close, b", "A: 1", "*B: 2", "*b: 3"]),
        (
            ["Keep-Alive: 1", "Proxy-Connection: a", "TE: trailers", "Transfer-Encoding: chunked", "Upgrade: x"],
            ["*Keep-Alive: 1", "*Proxy-Connection: a", "*TE: trailers", "*Transfer-Encoding: chunked", "*Upgrade: x"]
        ),
        (
            ["Trailer: a", "Proxy-Authorization: b", "HTTP2-Settings: c"],
            ["Trailer: a", "Proxy-Authorization: b", "*HTTP2-Settings: c"]
        ),
        (
            ["Cookie: a", "Connection: COOKIE", "Connection: ,, x-y ,", "X-Y: b", "X-Z: c"],
            ["*Cookie: a", "*Connection: COOKIE", "*Connection: ,, x-y ,", "*X-Y: b", "X-Z: c"]
        ),
    ])
    func marksHopByHop(_ before: [String], _ after: [String]) {
        var block = Self.block(
            before.map { line in
                let parts = line.split(separator: ": ", maxSplits: 1)
                return (String(parts[0]), String(parts[1]))
            })
        block.markConnectionNominated()
        let lines = block.lines
        #expect(lines == after)
    }
}
