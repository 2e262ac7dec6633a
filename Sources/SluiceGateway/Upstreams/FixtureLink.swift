internal import SluiceContract
internal import SluiceHTTP

/// The carrier of a call that no upstream answers: it takes the request, and once that is complete it plays a
/// ``StandIn``. It never calls back while the call is calling it, but in the next turn.
final class FixtureLink: Resumable {
    private let loop: LoopContext
    /// Kept alive by its pool while it is at work; it lets go of this before it is given back.
    private var call: Borrowed<UpstreamCall>?
    private let delayNanoseconds: UInt64
    private let bodyBytesMax: Int
    private let timer = Timer(tag: TimerTag.fixture.rawValue)
    /// The request's body, where the answer depends on it.
    private var body: [UInt8] = []
    private var bodyCount = 0
    private var state = State.taking
    private var isReading = true

    private enum State {
        /// The request is arriving.
        case taking
        /// The answer is not due yet.
        case waiting
        case playing(Content)
        case ended
    }

    /// The content of an answer that is being sent; borrowers of its bytes keep it alive.
    private final class Content {
        let body: StableBytes
        var sent = 0

        init(_ body: [UInt8]) {
            self.body = StableBytes(body)
        }
    }

    /// The most bytes sent in one turn: as many as one read could bring.
    private static let sliceBytes = 64 << 10

    /// - Parameter bodyBytesMax: up to so many bytes of the request's body are kept, to choose the answer by.
    init(_ call: UpstreamCall, _ loop: LoopContext, delayNanoseconds: UInt64, bodyBytesMax: Int) {
        self.loop = loop
        self.call = Borrowed(call)
        self.delayNanoseconds = delayNanoseconds
        self.bodyBytesMax = bodyBytesMax
    }

    deinit { loop.timers.cancel(timer) }

    // MARK: - Orders from the call

    func take(_ bytes: UnsafeRawBufferPointer) {
        bodyCount += bytes.count
        body += bytes.prefix(bodyBytesMax - body.count)
    }

    func requestEnded() {
        guard case .taking = state else { return }
        state = .waiting
        if delayNanoseconds == 0 { return goOn() }
        loop.timers.arm(timer, for: self, at: loop.now &+ delayNanoseconds)
    }

    func setReading(_ reads: Bool) {
        let resumes = reads && !isReading
        isReading = reads
        if resumes, case .playing = state { goOn() }
    }

    /// The call does not want the answer any more.
    func abandon() {
        call = nil
        state = .ended
        loop.timers.cancel(timer)
    }

    // MARK: - The answer

    func timerFired() { goOn() }

    private func goOn() { loop.coding.postpone(.delivery, of: self) }

    func resume(_ work: CodingRoom.Work, _ carryOut: () -> Void) {
        guard let call else { return }
        switch state {
        case .waiting: begin(call)
        case .playing(let content): play(content, call)
        case .taking, .ended: return
        }
        carryOut()
        call({ $0.settle() })
    }

    private func begin(_ call: Borrowed<UpstreamCall>) {
        let standIn = call { $0.standIn(for: bodyCount > bodyBytesMax && bodyBytesMax > 0 ? nil : body) }
        switch standIn {
        case .silence: break
        case .elsewhere: end()
        case .problem(let problem):
            end()
            call { $0.refused(problem) }
        case .value(let message):
            end()
            call {
                message.write(into: &$0.response)
                $0.valueReceived(message.body)
            }
        case .answer(let message):
            let content = Content(message.body)
            state = .playing(content)
            call {
                message.write(into: &$0.response)
                $0.standInReceived()
            }
            play(content, call)
        }
    }

    /// Sends one slice of the content.
    private func play(_ content: Content, _ call: Borrowed<UpstreamCall>) {
        guard case .playing = state, isReading else { return }
        let end = min(content.body.count, content.sent + Self.sliceBytes)
        if end > content.sent {
            loop.keepForTurn(content.body)
            let slice = UnsafeRawBufferPointer(rebasing: content.body.bytes[content.sent..<end])
            content.sent = end
            call { $0.bodyReceived(slice) }
        }
        guard case .playing = state else { return }
        if content.sent < content.body.count { return isReading ? goOn() : () }
        self.end()
        call { $0.responseEnded() }
    }

    private func end() {
        call = nil
        state = .ended
    }
}
