internal import SluiceCache
internal import SluiceHTTP

/// How long a reader waits for a fill before its client is told that the answer is still loading (`serve: loading`).
///
/// Owned by its walk. The fill goes on without the reader, so that the next request finds the answer.
final class Patience {
    private unowned(unsafe) let walk: CacheWalk
    private let timers: TimerWheel
    private let timer = Timer(tag: TimerTag.patience.rawValue)
    /// The client has said how long it waits (`Prefer: wait`, RFC 7240 §4.3).
    let asked: String?

    /// The longest wait that a client may ask for, in seconds; the answer has its own limits besides.
    private static let secondsMax: UInt64 = 3600

    /// - Parameters:
    ///   - walk: the walk that it belongs to.
    ///   - usual: nanoseconds, where the client says nothing else.
    ///   - start: when the request came.
    init(_ walk: CacheWalk, usual: UInt64, since start: UInt64) {
        self.walk = walk
        let loop = walk.reader.loop
        timers = loop.timers
        let preference = Preference.value("wait", in: walk.reader.request.head.fields)
        let seconds = preference.flatMap { UInt64($0) }
        asked = seconds == nil ? nil : preference
        let nanoseconds = seconds.map { min($0, Self.secondsMax) * 1_000_000_000 } ?? usual
        timers.arm(timer, for: self, at: max(start &+ nanoseconds, loop.now &+ 1))
    }

    deinit { timers.cancel(timer) }

    func timerFired() {
        // Its exchange may let go of it meanwhile.
        let walk = walk
        walk.patienceEnded()
    }
}

extension CacheWalk {
    /// Ends the wait: the answer begins.
    func loseWait() {
        if let asked = patience.take()?.asked { reader.noteWait(asked) }
    }

    /// The wait is over, and the answer has not begun. Its client goes on waiting where later requests could not find
    /// the fill, as each retry would begin a new one; and where too many fills have no readers already.
    func patienceEnded() {
        let patience = patience.take()
        guard let fill, !hasHead, reader.isUnanswered, !fill.flights.isEmpty, fill.mayBeLeft else { return }
        status.detail = "loading"
        fill.satisfied(self)
        fill.noteLeft()
        self.fill = nil
        if let asked = patience?.asked { reader.noteWait(asked) }
        reader.answerLoading()
    }
}
