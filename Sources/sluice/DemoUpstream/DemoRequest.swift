internal import SluiceHTTP

/// A request to the demo API, in one piece.
struct DemoRequest {
    var method: String
    var target: String
    /// Decoded segments of the path.
    var segments: [String]
    /// Decoded pairs of the query; a name may stand several times.
    var query: [(name: String, value: String)]
    var authorization: String?
    var body: [UInt8]

    init(_ head: borrowing RequestHead, body: [UInt8]) {
        method = String(decoding: head.methodName, as: UTF8.self)
        target = String(decoding: head.target, as: UTF8.self)
        segments = head.path.split(separator: UInt8(ascii: "/")).map {
            Self.decoded(UnsafeRawBufferPointer(rebasing: $0), plusIsSpace: false)
        }
        query = []
        var pairs = QueryIterator(head.query)
        while let pair = pairs.next() {
            query.append((Self.decoded(pair.name, plusIsSpace: true), Self.decoded(pair.value, plusIsSpace: true)))
        }
        if let index = head.fields.firstIndex(of: .authorization) {
            authorization = String(decoding: head.fields.value(index), as: UTF8.self)
        }
        self.body = body
    }

    func values(_ name: String) -> [String] {
        query.filter { $0.name == name }.map(\.value)
    }

    /// Invalid encodings stay unchanged.
    private static func decoded(_ bytes: UnsafeRawBufferPointer, plusIsSpace: Bool) -> String {
        withUnsafeTemporaryAllocation(byteCount: max(1, bytes.count), alignment: 1) { buffer in
            guard let count = PercentEncoding.decode(bytes, plusIsSpace: plusIsSpace, into: buffer) else {
                return String(decoding: bytes, as: UTF8.self)
            }
            return String(decoding: buffer[..<count], as: UTF8.self)
        }
    }
}
