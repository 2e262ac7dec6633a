import HTTP2Wire

// Frames, streams and windows: RFC 9113 §4 to §6, RFC 7541.
extension HTTP2FrameExam {
    private static let request = Wire.request(1, "GET", "/raw/a")
    private static let opened = Wire.request(1, "POST", "/raw/a", end: false)
    private static let block = Wire.section(Wire.control("GET", "/raw/a"))
    /// `x: y`, which enters the table (RFC 7541 §6.2.1).
    private static let entry: [UInt8] = [0x40, 1, 0x78, 1, 0x79]
    /// The same with a value of 5,000 bytes.
    private static let largeEntry = [0x40, 1, 0x78, 127, 0x89, 0x26] + [UInt8](repeating: 0x76, count: 5000)
    private static let fatal = Outcome.connection([1])

    static let sections: [Row] = [
        Row(
            "RFC 9113 §6.10 a section in two frames", Wire.frame(1, flags: 1, stream: 1, Array(block[..<9])),
            Wire.frame(9, flags: 4, stream: 1, Array(block[9...])), gives: .forwarded()),
        Row(
            "§6.10 an empty frame in between", Wire.frame(1, flags: 1, stream: 1, block), Wire.frame(9, stream: 1),
            Wire.frame(9, flags: 4, stream: 1), gives: .forwarded()),
        Row("§6.10 another frame in between", Wire.frame(1, flags: 1, stream: 1, block), Wire.ping(), gives: fatal),
        Row(
            "§6.10 another stream in between", Wire.frame(1, flags: 1, stream: 1, block),
            Wire.frame(9, flags: 4, stream: 3), gives: fatal),
        Row(
            "§5.5 an unknown frame in between", Wire.frame(1, flags: 1, stream: 1, block), Wire.frame(0xcc, stream: 1),
            gives: fatal),
        Row("§6.10 out of nowhere", Wire.frame(9, flags: 4, stream: 1, block), gives: fatal),
        Row("§6.10 behind a section's end", request, Wire.frame(9, flags: 4, stream: 1), gives: fatal),
        Row("§6.10 stream 0", Wire.frame(1, flags: 1, stream: 1, block), Wire.frame(9, flags: 4), gives: fatal),
        Row(
            "§6.2 padded, with a priority",
            Wire.frame(1, flags: 0x2d, stream: 1, [2, 0, 0, 0, 0, 15] + block + [0, 0]), gives: .forwarded()),
        Row("§6.2 more padding than frame", Wire.frame(1, flags: 0x0d, stream: 1, [200] + block), gives: fatal),
        Row("§6.2 stream 0", Wire.frame(1, flags: 5, block), gives: fatal),
        Row(
            "RFC 7540 §5.3.1 a stream that depends on itself",
            Wire.frame(1, flags: 0x25, stream: 1, [0, 0, 0, 1, 15] + block), gives: fatal),
        Row(
            "RFC 7541 §2.3.3 an index that is none", Wire.frame(1, flags: 5, stream: 1, [0x80]), gives: .connection([9])
        ),
        Row(
            "RFC 7541 §2.3.3 an index beyond the table", Wire.frame(1, flags: 5, stream: 1, [0xff, 0x7f]),
            gives: .connection([9])),
        Row(
            "RFC 7541 §5.1 an endless integer",
            Wire.frame(1, flags: 5, stream: 1, [0xff] + [UInt8](repeating: 0xff, count: 12)), gives: .connection([9])),
        Row(
            "RFC 7541 §5.2 Huffman padding with zeros",
            Wire.frame(1, flags: 5, stream: 1, block + [0, 1, 0x78, 0x81, 0x00]), gives: .connection([9])),
        Row(
            "RFC 7541 §5.2 Huffman's EOS",
            Wire.frame(1, flags: 5, stream: 1, block + [0, 1, 0x78, 0x84, 0xff, 0xff, 0xff, 0xff]),
            gives: .connection([9])),
        Row(
            "RFC 7541 §6.3 a table larger than allowed",
            Wire.frame(1, flags: 5, stream: 1, [0x3f, 0xe2, 0x1f] + block), gives: .connection([9])),
        Row(
            "RFC 7541 §4.2 a new size behind a field", Wire.frame(1, flags: 5, stream: 1, block + [0x20]),
            gives: .connection([9])),
        Row(
            "RFC 7541 §4.2 a new size before the fields", Wire.frame(1, flags: 5, stream: 1, [0x20] + block),
            gives: .forwarded()),
        Row(
            "RFC 7541 §5.1 an integer above 2³²",
            Wire.frame(1, flags: 5, stream: 1, block + [0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 1, 0x78]),
            gives: .connection([9])),
        Row(
            "RFC 7541 §5.2 a length above 2³²",
            Wire.frame(1, flags: 5, stream: 1, block + [0, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f]),
            gives: .connection([9])),
        Row(
            "RFC 7541 §4.2 two sizes before the fields",
            Wire.frame(1, flags: 5, stream: 1, [0x20, 0x3f, 0xe1, 0x1f] + block), gives: .forwarded()),
        Row(
            "RFC 7541 §4.3 an entry that is gone with the table's size",
            Wire.frame(1, flags: 5, stream: 1, block + entry),
            Wire.frame(1, flags: 5, stream: 3, [0x20] + block + [0xbe]), gives: .connection([9])),
        Row(
            "RFC 7541 §4.4 an entry larger than the table empties it",
            Wire.frame(1, flags: 5, stream: 1, block + entry),
            Wire.frame(1, flags: 5, stream: 3, block + largeEntry + [0xbe]), gives: .connection([9])),
        Row("§6.2 PADDED without a length", Wire.frame(1, flags: 0x0d, stream: 1), gives: .connection([1, 6])),
        Row(
            "§6.2 a priority that is cut", Wire.frame(1, flags: 0x25, stream: 1, [0, 0, 0, 0]),
            gives: .connection([1, 6])),
        Row(
            "§6.2 padding that reaches into the priority",
            Wire.frame(1, flags: 0x2d, stream: 1, [6, 0, 0, 0, 0, 15, 0]), gives: fatal),
        Row("§4.1 flags that mean nothing here", Wire.frame(1, flags: 0xc7, stream: 1, block), gives: .forwarded()),
        Row(
            "RFC 7541 §5.2 a string that is cut", Wire.frame(1, flags: 5, stream: 1, block + [0, 1, 0x78, 9, 0x61]),
            gives: .connection([9])),
    ]

    static let frames: [Row] = [
        Row(
            "RFC 9113 §4.1 an unknown frame", Wire.frame(0xcc, flags: 0xff, stream: 3, [1, 2, 3]), request,
            gives: .forwarded()),
        Row(
            "§4.1 the reserved bit of a stream", Wire.frame(1, flags: 5, stream: 0x8000_0001, block),
            gives: .forwarded()),
        Row(
            "§4.2 a frame that is too large", opened, Wire.frame(0, stream: 1, [UInt8](repeating: 0, count: 16_385)),
            gives: .connection([6])),
        Row(
            "§4.2 HEADERS that are too large",
            Wire.frame(1, flags: 5, stream: 1, block + [UInt8](repeating: 0, count: 16_384)), gives: .connection([6])),
        Row("§6.1 DATA of stream 0", Wire.data(0, "x"), gives: fatal),
        Row(
            "§6.1 more padding than frame", opened, Wire.frame(0, flags: 8, stream: 1, [6, 0, 0, 0, 0, 0]), gives: fatal
        ),
        Row("§6.1 DATA of an idle stream", Wire.data(1, "x"), gives: fatal),
        Row("§6.1 PADDED without a length", opened, Wire.frame(0, flags: 8, stream: 1), gives: .connection([1, 6])),
        Row(
            "§4.1 DATA with flags of no meaning", opened, Wire.frame(0, flags: 0xf7, stream: 1), gives: .posted("")),
        Row("§6.3 PRIORITY is read and forgotten", Wire.priority(1, on: 0), request, gives: .forwarded()),
        Row("§6.3 PRIORITY of stream 0", Wire.priority(0, on: 1), gives: fatal),
        Row("§6.3 PRIORITY of another size", Wire.frame(2, stream: 1, [0, 0, 0, 0]), gives: .connection([6])),
        Row("§6.4 RST_STREAM of stream 0", Wire.reset(0), gives: fatal),
        Row("§6.4 RST_STREAM of an idle stream", Wire.reset(1), gives: fatal),
        Row("§6.4 RST_STREAM of another size", opened, Wire.frame(3, stream: 1, [0, 0, 0]), gives: .connection([6])),
        Row(
            "§6.6 PUSH_PROMISE of a client", request, Wire.frame(5, flags: 4, stream: 1, [0, 0, 0, 2] + block),
            gives: fatal),
        Row("§6.7 PING of a stream", Wire.frame(6, stream: 1, [UInt8](repeating: 0, count: 8)), gives: fatal),
        Row("§6.7 PING of another size", Wire.frame(6, [0, 0, 0]), gives: .connection([6])),
        Row("§6.7 an answer to no PING", Wire.ping(isAck: true), request, gives: .forwarded()),
        Row("§6.8 GOAWAY of a stream", Wire.frame(7, stream: 1, [UInt8](repeating: 0, count: 8)), gives: fatal),
        Row("§6.8 GOAWAY of another size", Wire.frame(7, [0, 0, 0, 0]), gives: .connection([6])),
        Row(
            "RFC 9218 §7.1 PRIORITY_UPDATE", Wire.frame(16, [0, 0, 0, 1] + Array("u=2".utf8)), request,
            gives: .forwarded()),
        Row("RFC 9218 §7.1 PRIORITY_UPDATE of a stream", Wire.frame(16, stream: 1, [0, 0, 0, 1]), gives: fatal),
        Row("§7.1 PRIORITY_UPDATE that says for nothing", Wire.frame(16, [0, 0, 0, 0]), gives: fatal),
        Row("§7.1 PRIORITY_UPDATE of a push that is idle", Wire.frame(16, [0, 0, 0, 2]), gives: fatal),
        Row("§7.1 PRIORITY_UPDATE of another size", Wire.frame(16, [0, 0, 1]), gives: .connection([6])),
        Row(
            "§7.1 PRIORITY_UPDATE that says nothing readable", Wire.frame(16, [0, 0, 0, 1, 0xff, 0, 0x22]), request,
            gives: .forwarded()),
    ]

    static let windows: [Row] = [
        Row("RFC 9113 §6.9 of the connection by nothing", Wire.windowUpdate(0, 0), gives: fatal),
        Row("§6.9 of a stream by nothing", opened, Wire.windowUpdate(1, 0), gives: malformed),
        Row("§6.9 of a stream by a reserved bit", opened, Wire.windowUpdate(1, 0x8000_0000), gives: malformed),
        Row("§6.9 of an idle stream by nothing", Wire.windowUpdate(1, 0), gives: fatal),
        Row(
            "§6.9 of a stream that is over, by nothing", request, Wire.reset(1), Wire.windowUpdate(1, 0),
            gives: .nothing),
        Row("§6.9 of an idle stream", Wire.windowUpdate(1, 5), gives: fatal),
        Row("§6.9 of another size", Wire.frame(8, [0, 0, 1]), gives: .connection([6])),
        Row("§6.9.1 of the connection beyond 2³¹−1", Wire.windowUpdate(0, 0x7fff_ffff), gives: .connection([3])),
        Row("§6.9.1 of a stream beyond 2³¹−1", opened, Wire.windowUpdate(1, 0x7fff_ffff), gives: .stream([3])),
        Row(
            "§6.9.2 by SETTINGS beyond 2³¹−1", opened, Wire.windowUpdate(1, 0x7fff_0000),
            Wire.settings([4: 0x7fff_ffff]), gives: .connection([3])),
        Row("§6.9 of a stream that is over", request, Wire.reset(1), Wire.windowUpdate(1, 5), gives: .nothing),
        Row(
            "§6.9.2 a window that becomes negative", opened, Wire.settings([4: 0]), Wire.settings([4: 65_535]),
            Wire.data(1, "ab", end: true), gives: .posted("ab")),
    ]

    static let settings: [Row] = [
        Row("RFC 9113 §6.5 of a stream", Wire.frame(4, stream: 1), gives: fatal),
        Row("§6.5 of another size", Wire.frame(4, [0, 3, 0, 0, 0]), gives: .connection([6])),
        Row(
            "§6.5 an acknowledgement that says more", Wire.frame(4, flags: 1, [0, 3, 0, 0, 0, 1]),
            gives: .connection([6])),
        Row("§6.5.2 ENABLE_PUSH of 2", Wire.settings([2: 2]), gives: fatal),
        Row("§6.5.2 a window of 2³¹", Wire.settings([4: 0x8000_0000]), gives: .connection([3])),
        Row("§6.5.2 frames below 16,384", Wire.settings([5: 16_383]), gives: fatal),
        Row("§6.5.2 frames above 2²⁴−1", Wire.settings([5: 0x100_0000]), gives: fatal),
        Row("§6.5.2 an unknown setting", Wire.settings([0xfefe: 7]), request, gives: .forwarded()),
        Row("§6.5.3 the same one twice", Wire.settings([4: 0, 4: 100]), request, gives: .forwarded()),
        Row("RFC 8441 §3 ENABLE_CONNECT_PROTOCOL of 2", Wire.settings([8: 2]), gives: fatal),
        Row("RFC 9218 §2.1 NO_RFC7540_PRIORITIES of 2", Wire.settings([9: 2]), gives: fatal),
        Row("RFC 7541 §4.2 a table of no size", Wire.settings([1: 0]), request, gives: .forwarded()),
    ]

    static let streams: [Row] = [
        Row("RFC 9113 §5.1.1 an even stream", Wire.request(2, "GET", "/raw/a"), gives: fatal),
        Row(
            "§5.1.1 a stream below the last one", Wire.request(5, "GET", "/nowhere"), Wire.request(3, "GET", "/raw/a"),
            gives: fatal),
        Row("§5.1 HEADERS behind the stream's end", request, request, gives: .connection([1, 5])),
        Row("§5.1 DATA behind the stream's end", request, Wire.data(1, "x"), gives: .connection([5])),
        Row(
            "§5.1 DATA behind trailers", opened, Wire.headers(1, [("x", "y")]), Wire.data(1, "x"),
            gives: .connection([5])),
        Row("§5.1 DATA behind a reset", opened, Wire.reset(1), Wire.data(1, "x"), gives: .connection([5])),
        Row(
            "§5.1 HEADERS behind a reset", opened, Wire.reset(1), Wire.headers(1, [("x", "y")]), gives: .connection([5])
        ),
        Row("§5.1 CONTINUATION behind the stream's end", request, Wire.frame(9, flags: 4, stream: 1, []), gives: fatal),
        Row("§5.1 PRIORITY behind the stream's end", request, Wire.priority(1, on: 0), gives: .forwarded()),
        Row("§5.1 RST_STREAM behind the stream's end", request, Wire.reset(1), gives: .nothing),
        Row("§5.4.2 RST_STREAM twice", opened, Wire.reset(1), Wire.reset(1), gives: .nothing),
        Row("§8.7 a request that is taken back", opened, Wire.reset(1, code: 8), gives: .nothing),
    ]
}
