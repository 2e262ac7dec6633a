import Testing

@testable import SluiceHTTP

/// RFC 3986 §5.2.4, §6.2.2.
@Suite struct PathCheckTests {
    @Test(
        arguments: [
            ("/", []), ("/a/b", []), ("/a.b/.c/d./...", []), ("/a%20b", []), ("/..a/a..", []), ("/a/", []), ("*", []),
            ("/.", .dotSegment), ("/..", .dotSegment), ("/./a", .dotSegment), ("/a/../b", .dotSegment),
            ("/a/%2e", .dotSegment), ("/a/%2E%2e/b", .dotSegment), ("/a/.%2e", .dotSegment),
            ("/a/..;x=y/b", .dotSegment), ("/a/.;/b", .dotSegment), ("/a;..", []), ("/a;/..x", []),
            ("/a%2fb", .encodedSlash), ("/a%2Fb", .encodedSlash), ("/a%2f..%2fb", [.encodedSlash, .dotSegment]),
            ("/%2e%2e%2fb", [.encodedSlash, .dotSegment]), ("/a\\..\\b", [.backslash, .dotSegment]),
            ("/a%5c..", [.backslash, .dotSegment]), ("/a%5Cb", .backslash), ("/a%00", .nul), ("/a%0d%0a", .control),
            ("/a%7f", .control), ("//a", .emptySegment), ("/a//b", .emptySegment), ("/a//", .emptySegment),
            ("/%", .malformed), ("/%2", .malformed), ("/%zz", .malformed), ("/%252e%252e/", []),
            ("/%c0%af", .overlong), ("/%C1%81", .overlong), ("/%e0%80%af", .overlong), ("/%f0%80%80%af", .overlong),
            ("/%e0%a0%80", []), ("/%f0%90%80%80", []), ("/%c3%a9", []), ("/%e0x%80", []), ("/%ff", []),
        ] as [(String, PathCheck)])
    func finds(_ path: String, _ facts: PathCheck) {
        #expect(path.withBytes { PathCheck($0) } == facts)
    }

    /// What is plain needs no second look: nothing is found in it, and nothing is decoded.
    @Test func plainPathsHoldNothing() {
        for byte in UInt8.min...UInt8.max {
            let path: [UInt8] = [0x2f, 0x61, byte, 0x62]
            path.withUnsafeBytes { path in
                guard PathCheck.isPlain(path) else { return }
                #expect(PathCheck(path).isSubset(of: .emptySegment), "\(byte)")
                #expect(byte != 0x25 && byte != 0x2e && byte < 0x7f && byte > 0x20)
            }
        }
        #expect("/v1/Fruits_~-9".withBytes { PathCheck.isPlain($0) })
        for path in ["", "/a.b", "/a%20", "/a;b", "/a\\b", "/ä", "*?"] {
            #expect(!path.withBytes { PathCheck.isPlain($0) }, "\(path)")
        }
    }
}
