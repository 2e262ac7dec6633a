internal import SluiceContract
internal import SluiceHTTP
internal import SluiceIO
internal import SluiceSockets

/// One request to a daemon on this machine, waiting for its answer.
struct LocalClient {
    /// Where the daemon listens.
    let address: SocketAddress
    /// For connecting, and for every wait after that; 0 is no limit.
    let seconds: Int

    struct Answer {
        var status: Int
        /// Status line and fields, as they came.
        var head: String
        var contentType: String?
    }

    /// Sends `request` and reads its answer.
    /// - Parameters:
    ///   - headOnly: whether the answer's body is left unread.
    ///   - body: called with every piece of the answer's body, after `head`.
    func send(
        _ request: LocalRequest, headOnly: Bool = false, head begin: (Answer) -> Void = { _ in },
        body: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(StreamSocket.Failure) -> Answer {
        let socket = try StreamSocket(to: address, seconds: seconds)
        var outbox = Outbox()
        request.write(into: &outbox)
        // An answer may come before the request is out: a body too large, for example. Reading finds out.
        _ = socket.write(&outbox)
        var machine = HTTP1ClientMachine(limits: HTTP1Limits(Limits()))
        machine.requestSent(method: Array(request.method.utf8).withUnsafeBytes { Method($0) })
        var head = ResponseHead()
        var trailers = HeaderBlock()
        var answer: Answer?
        let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { input.deallocate() }
        while true {
            switch machine.next(&head, trailers: &trailers) {
            case .needMore:
                machine.settle()
                guard let count = socket.read(into: input) else {
                    throw .init(description: "\(address): no answer in time")
                }
                if count == 0 {
                    machine.inputClosed()
                } else {
                    machine.feed(UnsafeRawBufferPointer(rebasing: input[..<count]))
                }
            case .interim: head.reset()
            case .response:
                let read = Self.answer(head)
                answer = read
                begin(read)
                if headOnly { return read }
            case .body(let bytes): body(bytes)
            case .end:
                guard let answer else { throw .init(description: "\(address): an answer without a head") }
                return answer
            case .malformed(let reason): throw .init(description: "\(address): \(reason)")
            case .closedIdle, .truncated:
                throw .init(description: "\(address): the connection ended before the answer was complete")
            }
        }
    }

    /// Sends what no TLS server understands: that it objects, or hangs up, shows that somebody is there.
    func provoke() throws(StreamSocket.Failure) {
        let socket = try StreamSocket(to: address, seconds: seconds)
        var outbox = Outbox()
        outbox.append("\r\n\r\n\r\n\r\n")
        let isSent = socket.write(&outbox)
        let answer = withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { socket.read(into: $0) }
        if !isSent || answer == nil { throw .init(description: "\(address): no answer in time") }
    }

    private static func answer(_ head: borrowing ResponseHead) -> Answer {
        var text = "HTTP/1.1 \(head.status) \(String(decoding: head.reason, as: UTF8.self))\n"
        var contentType: String?
        for index in 0..<head.fields.count {
            let value = String(decoding: head.fields.value(index), as: UTF8.self)
            text += "\(String(decoding: head.fields.name(index), as: UTF8.self)): \(value)\n"
            if head.fields[index].id == .contentType { contentType = value }
        }
        return Answer(status: head.status, head: text, contentType: contentType)
    }
}
