internal import SluiceContract

/// The deadlines of a fetch, in nanoseconds of the loop's clock; `.max` stands for never.
///
/// A value without a timer: ``next(isUploading:)`` says when to check again, ``due(at:isUploading:hasHead:)`` which
/// deadline has passed by then, ``problem(of:upstream:total:firstByte:)`` which problem the client gets.
struct FetchDeadlines {
    /// What bounds the time of an answer.
    enum Bound: Equatable {
        /// The whole answer has to arrive in time (`total:`).
        case total
        /// The answer may take as long as bytes keep moving, with at most so many nanoseconds between them.
        case progress(silence: UInt64)
    }

    enum Due: Equatable {
        /// The deadline has moved since the timer was armed.
        case nothing
        /// The upstream is silent, and the client waits for `100 Continue`.
        case sendContinue
        /// The next attempt begins, or a hedge.
        case nextAttempt
        /// The credential should have come.
        case credential
        /// The upstream should have taken more of the body (``isUploadStuck(at:taken:)`` knows whether it has).
        case upload
        /// The answer should be complete.
        case total
        /// The head of the answer should have come.
        case firstByte
        /// The answer has begun, and has stopped coming.
        case silence
    }

    private(set) var bound = Bound.total
    private(set) var totalBy = UInt64.max
    /// When the answer's first byte is due; after its head the next one, where only progress bounds it.
    private(set) var nextByteBy = UInt64.max
    private(set) var continueBy = UInt64.max
    private(set) var nextAttemptBy = UInt64.max
    private(set) var credentialBy = UInt64.max
    /// The pace of an upstream that has no room for more of the body; replaces ``totalBy``.
    private var upload = UploadPace()
    /// The last value that ``nextByteBy`` was extended to (``extendSilence(to:)``).
    private var extendedTo = UInt64.max

    /// How long a client waits for `100 Continue` (RFC 9110 §10.1.1) before the gateway itself sends it.
    private static let continueNanoseconds: UInt64 = 1_000_000_000

    /// Begins with a deadline for the whole answer only.
    mutating func begin(totalBy: UInt64) {
        self = FetchDeadlines()
        self.totalBy = totalBy
    }

    // MARK: - What has happened

    /// The head of the request has been sent, and the client sends the body once it gets a 100.
    mutating func continueAwaited(at now: UInt64) { continueBy = now &+ Self.continueNanoseconds }

    mutating func continueSent() { continueBy = .max }

    /// - Parameters:
    ///   - firstByte: how long the head of the answer may take; nil where it has arrived.
    ///   - total: how long the answer may take from now on; nil where the deadline stays as it is.
    mutating func requestEnded(at now: UInt64, firstByte: UInt64?, total: UInt64?) {
        continueBy = .max
        upload.end()
        if let total { restartTotal(at: now, total: total) }
        if let firstByte { nextByteBy = now &+ firstByte }
    }

    /// Restarts the total time: the time so far was the client's.
    mutating func restartTotal(at now: UInt64, total: UInt64) { totalBy = now &+ total }

    var isUploadHeld: Bool { upload.isHeld }

    /// The upstream has no room for more of the body.
    /// - Parameter silence: how long the upstream may take nothing.
    mutating func uploadHeld(at now: UInt64, taken: Int, silence: UInt64) {
        upload.begin(at: now, taken: taken, silence: silence)
    }

    mutating func uploadGoesOn() { upload.end() }

    /// - Returns: false where the upstream may still take more, and is checked again.
    mutating func isUploadStuck(at now: UInt64, taken: Int) -> Bool { upload.isStuck(at: now, taken: taken) }

    /// It is known what bounds the answer: at its head, or earlier where either side may send messages at any time.
    mutating func answerBegan(at now: UInt64, boundBy bound: Bound) {
        self.bound = bound
        nextByteBy = .max
        upload.end()
        _ = moved(at: now)
    }

    /// Bytes have moved.
    /// - Returns: whether that changes a deadline.
    mutating func moved(at now: UInt64) -> Bool {
        guard case .progress(let silence) = bound else { return false }
        nextByteBy = now &+ silence
        return true
    }

    mutating func planAttempt(at time: UInt64) { nextAttemptBy = time }

    mutating func forgetNextAttempt() { nextAttemptBy = .max }

    mutating func planCredential(at time: UInt64) { credentialBy = time }

    mutating func forgetCredential() { credentialBy = .max }

    /// The request has not been sent yet, or has to be sent again.
    mutating func attemptBegan() {
        bound = .total
        nextByteBy = .max
        continueBy = .max
        upload.end()
        extendedTo = .max
    }

    /// An event stream may be silent for longer than other answers. Its type is checked only when the usual time has
    /// passed, so that other answers pay nothing for it.
    /// - Returns: false where it has been silent for `limit` already, or may not be silent for longer.
    mutating func extendSilence(to limit: UInt64) -> Bool {
        guard case .progress(let silence) = bound, nextByteBy != extendedTo, limit > silence else { return false }
        nextByteBy = nextByteBy &+ (limit - silence)
        extendedTo = nextByteBy
        return true
    }

    // MARK: - What follows

    /// - Parameter isUploading: a body of any size is being sent; the pace of its client bounds it, and that of an
    ///   upstream that has no room for more.
    func next(isUploading: Bool) -> UInt64 {
        let whole: UInt64 =
            switch bound {
            case .total: isUploading ? upload.lookAt : totalBy
            case .progress: .max
            }
        return min(whole, nextByteBy, continueBy, nextAttemptBy, credentialBy)
    }

    /// The deadline that passed first, where several have.
    /// - Parameter hasHead: the head of the answer has arrived.
    func due(at now: UInt64, isUploading: Bool, hasHead: Bool) -> Due {
        if now < next(isUploading: isUploading) { return .nothing }
        if now >= continueBy { return .sendContinue }
        if now >= nextAttemptBy { return .nextAttempt }
        if now >= credentialBy { return .credential }
        if now < nextByteBy { return isUploading ? .upload : .total }
        return hasHead ? .silence : .firstByte
    }

    /// - Returns: nil for a deadline that is not a fault.
    static func problem(of due: Due, upstream name: String, total: Duration, firstByte: Duration) -> Problem? {
        switch due {
        case .nothing, .sendContinue, .nextAttempt, .credential: nil
        case .upload: Problem(.totalTimeout, detail: "'\(name)' has stopped taking the body of the request.")
        case .total: Problem(.totalTimeout, detail: "'\(name)' took longer than \(total.words) in all.")
        case .silence: Problem(.totalTimeout, detail: "'\(name)' stopped in the middle of its answer.")
        case .firstByte: Problem(.firstByteTimeout, detail: "'\(name)' did not answer within \(firstByte.words).")
        }
    }
}
