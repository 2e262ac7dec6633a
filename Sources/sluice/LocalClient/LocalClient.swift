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
        var reason: String
        /// In the order in which they came.
        var fields: [(name: String, value: String)]

        /// Status line and fields, as they came.
        var head: String {
            fields.reduce("HTTP/1.1 \(status) \(reason)\n") { $0 + "\($1.name): \($1.value)\n" }
        }

        var contentType: String? { fields.first { $0.name.lowercased() == "content-type" }?.value }
    }

    /// Sends `request` and reads its answer.
    /// - Parameters:
    ///   - headOnly: whether the answer's body is left unread.
    ///   - body: called with every piece of the answer's body, after `head`.
    func send(
        _ request: LocalRequest, headOnly: Bool = false, head begin: (Answer) -> Void = { _ in },
        body: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(StreamSocket.Failure) -> Answer {
        let reader = try LocalAnswerReader(request, to: address, seconds: seconds)
        var answer: Answer?
        while true {
            switch try reader.next() {
            case .head(let read):
                answer = read
                begin(read)
                if headOnly { return read }
            case .body(let bytes): body(bytes)
            case .end:
                guard let answer else { throw .init(description: "\(address): an answer without a head") }
                return answer
            }
        }
    }

    /// Sends bytes that no TLS server understands: an alert or a closed connection shows that a server is there.
    func provoke() throws(StreamSocket.Failure) {
        let socket = try StreamSocket(to: address, seconds: seconds)
        var outbox = Outbox()
        outbox.append("\r\n\r\n\r\n\r\n")
        let isSent = socket.write(&outbox)
        let answer = withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { socket.read(into: $0) }
        if !isSent || answer == nil { throw .init(description: "\(address): no answer in time") }
    }
}
