internal import SluiceContract
internal import SluiceHTTP
internal import SluiceIO
internal import SluiceSockets

/// A request to a daemon on this machine, and its answer piece by piece.
final class LocalAnswerReader {
    enum Event {
        case head(LocalClient.Answer)
        /// Good until the next event is asked for.
        case body(UnsafeRawBufferPointer)
        case end
    }

    private let address: SocketAddress
    private let socket: StreamSocket
    private let watched: StreamSocket?
    private let seconds: Int
    private let deadline: UInt64?
    private var machine = HTTP1ClientMachine(limits: HTTP1Limits(Limits()))
    private var head = ResponseHead()
    private var trailers = HeaderBlock()
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    /// Connects and sends `request`.
    /// - Parameters:
    ///   - seconds: for connecting, and for every wait after that; 0 is no limit.
    ///   - deadline: the limit of the whole exchange, in nanoseconds of ``MonotonicClock``.
    ///   - watched: the client that wants the answer: once it has left, the wait ends.
    init(
        _ request: LocalRequest, to address: SocketAddress, seconds: Int, deadline: UInt64? = nil,
        for watched: StreamSocket? = nil
    ) throws(StreamSocket.Failure) {
        self.address = address
        self.seconds = seconds
        self.deadline = deadline
        self.watched = watched
        socket = try StreamSocket(to: address, seconds: seconds)
        var outbox = Outbox()
        request.write(into: &outbox)
        // An answer may come before the request is out: a body too large, for example. Reading finds out.
        _ = socket.write(&outbox)
        machine.requestSent(method: Array(request.method.utf8).withUnsafeBytes { Method($0) })
    }

    deinit { input.deallocate() }

    /// The next event; not to be called after the end.
    func next() throws(StreamSocket.Failure) -> Event {
        while true {
            switch machine.next(&head, trailers: &trailers) {
            case .needMore:
                machine.settle()
                try read()
            case .interim: head.reset()
            case .response: return .head(Self.answer(head))
            case .body(let bytes): return .body(bytes)
            case .end: return .end
            case .malformed(let reason): throw .init(description: "\(address): \(reason)")
            case .closedIdle, .truncated:
                throw .init(description: "\(address): the connection ended before the answer was complete")
            }
        }
    }

    private func read() throws(StreamSocket.Failure) {
        switch socket.wait(watching: watched, milliseconds: patience) {
        case .input: break
        case .watchedEnded: throw .init(description: "nobody waits for the answer of \(address) any more")
        case .nothing: throw .init(description: "\(address): no answer in time")
        }
        guard let count = socket.read(into: input) else { throw .init(description: "\(address): no answer in time") }
        if count == 0 {
            machine.inputClosed()
        } else {
            machine.feed(UnsafeRawBufferPointer(rebasing: input[..<count]))
        }
    }

    /// -1 is no limit.
    private var patience: Int32 {
        let usual = seconds == 0 ? -1 : Int32(clamping: seconds * 1000)
        guard let deadline else { return usual }
        let now = MonotonicClock.now()
        let left = now < deadline ? Int32(clamping: (deadline - now) / 1_000_000 + 1) : 0
        return usual < 0 ? left : min(usual, left)
    }

    private static func answer(_ head: borrowing ResponseHead) -> LocalClient.Answer {
        var answer = LocalClient.Answer(
            status: head.status, reason: String(decoding: head.reason, as: UTF8.self), fields: [])
        for index in 0..<head.fields.count {
            answer.fields.append(
                (
                    String(decoding: head.fields.name(index), as: UTF8.self),
                    String(decoding: head.fields.value(index), as: UTF8.self)
                ))
        }
        return answer
    }
}
