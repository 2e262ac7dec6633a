internal import SluiceContract

/// A carrier without an upstream: composes the answer to a call from the answers of other bindings.
///
/// A base class, because the subclass that asks the other bindings is in a higher layer than a call.
class PartsCarrier {
    /// The head of the request has arrived.
    func begin(_ call: UpstreamCall) {}

    /// A piece of the request's body.
    func send(_ bytes: UnsafeRawBufferPointer) {}

    /// The request is complete. The call is not called back before this has returned.
    func requestEnded() {}

    /// Whether the call takes the answer now.
    func setReading(_ reads: Bool) {}

    /// The call does not want the answer any more.
    func abandon() {}

    /// The call fails, but not because of a part: adds to the problem which parts were running, and which have made
    /// changes.
    func tell(_ problem: inout Problem) {}
}
