internal import SluiceContract

/// What puts the answer to a call together from answers of other bindings: a carrier behind which there is no upstream.
///
/// A class to be inherited from, because what it asks with lives in later rooms than a call.
class PartsCarrier {
    /// The head of the request is there.
    func begin(_ call: UpstreamCall) {}

    /// A piece of its body.
    func send(_ bytes: UnsafeRawBufferPointer) {}

    /// All of it is there. The call hears of nothing before this has returned.
    func requestEnded() {}

    /// Whether the answer is taken at present.
    func setReading(_ reads: Bool) {}

    /// The call wants nothing more.
    func abandon() {}

    /// The call fails, and not by a part: says what has been done by then.
    func tell(_ problem: inout Problem) {}
}
