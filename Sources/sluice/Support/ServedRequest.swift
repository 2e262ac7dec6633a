internal import SluiceContract
internal import SluiceHTTP

/// One request, as a verb that serves reads it: whole, and the only one of its connection.
struct ServedRequest {
    var method: String
    var path: String
    /// Without the `?`.
    var query: String
    var fields: [(name: String, value: String)]
    var body: [UInt8]

    /// Reads a request.
    /// - Parameters:
    ///   - deadline: limit of the whole request, in nanoseconds of ``MonotonicClock``: slow single bytes do not extend
    ///     it.
    ///   - admit: called once the head is there; returns the longest body, or throws a refusal.
    /// - Throws: what is wrong with the request.
    /// - Returns: nil where the client left, or the time was over, before it was complete.
    static func read(
        from socket: StreamSocket, before deadline: UInt64, admit: (ServedRequest) throws(Problem) -> Int
    ) throws(Problem) -> ServedRequest? {
        var machine = HTTP1ServerMachine(limits: HTTP1Limits(Limits()))
        var head = RequestHead()
        var trailers = HeaderBlock()
        var request: ServedRequest?
        var bodyBytesMax = 0
        let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
        defer { input.deallocate() }
        while let count = socket.read(into: input, before: deadline), count > 0 {
            machine.feed(UnsafeRawBufferPointer(rebasing: input[..<count]))
            reading: while true {
                switch machine.next(&head, trailers: &trailers) {
                case .needMore:
                    machine.settle()
                    break reading
                case .request:
                    let read = ServedRequest(head)
                    bodyBytesMax = try admit(read)
                    request = read
                case .body(let bytes):
                    guard (request?.body.count ?? 0) + bytes.count <= bodyBytesMax else {
                        throw Problem(.contentTooLarge, detail: "The body has more than \(bodyBytesMax) bytes.")
                    }
                    request?.body += bytes
                case .end: return request
                case .refused(let refusal): throw Problem(refusal.kind, detail: "\(refusal.detail)")
                case .paused, .closed, .truncated: return nil
                }
            }
        }
        return nil
    }

    private init(_ head: borrowing RequestHead) {
        method = String(decoding: head.methodName, as: UTF8.self)
        path = String(decoding: head.path, as: UTF8.self)
        query = String(decoding: head.query, as: UTF8.self)
        fields = []
        for index in 0..<head.fields.count {
            fields.append(
                (
                    String(decoding: head.fields.name(index), as: UTF8.self),
                    String(decoding: head.fields.value(index), as: UTF8.self)
                ))
        }
        body = []
    }

    func values(of name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name }.map(\.value)
    }
}
