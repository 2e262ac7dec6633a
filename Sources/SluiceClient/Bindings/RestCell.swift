/// The one place where a bound property's value is: the wrapper, its queries and their copies share it.
final class RestCell<Value: Sendable>: Sendable {
    /// Calls have numbers in the order they began: an answer that came after the answer to a later call is not taken.
    private struct Calls {
        var begun: UInt64 = 0
        /// The call whose answer is the value.
        var taken: UInt64 = 0
        /// The latest call that has ended with a word of how it is, and that word.
        var told: UInt64 = 0
        var phase = RestState<Value>.Phase.initial
        var inFlight = 0
        var client: GatewayClient?
        var form = WireForm.unknown
    }

    private let channel: StateChannel<RestState<Value>>
    private let calls = Locked(Calls())

    init(_ value: Value) {
        channel = StateChannel(RestState(value: value, phase: .initial))
    }

    var state: RestState<Value> { channel.state }

    var states: AsyncStream<RestState<Value>> { channel.states() }

    var value: Value {
        get { channel.state.value }
        set { channel.update { $0.value = newValue } }
    }

    /// Changes the value in one step, whatever others do at the time. The setter is the program's.
    func change(_ body: (inout Value) -> Void) {
        channel.revise { body(&$0.value) }
    }

    /// A call begins; the number is told to the end.
    func begin() -> UInt64 {
        let (number, before) = calls.withLock { calls in
            calls.begun += 1
            calls.inFlight += 1
            return (calls.begun, channel.update { $0.phase = .requesting })
        }
        // Released without the locks, as at the end.
        withExtendedLifetime(before) {}
        return number
    }

    /// A call has ended: with a value to hold, with nothing to hold, or with an error. While other calls are on their
    /// way, the phase remains theirs; then it is what the latest one has led to. One that was cancelled has led to
    /// nothing.
    func end(_ number: UInt64, _ outcome: Result<Value?, CallError>) {
        let before = calls.withLock { calls in
            let phase = calls.phase
            calls.inFlight -= 1
            var new: Value?
            if number > calls.taken, case .success(let value?) = outcome {
                calls.taken = number
                new = value
            }
            if number > calls.told, let phase = Self.phase(after: outcome) {
                calls.told = number
                calls.phase = phase
            }
            let state = channel.update { state in
                if let new { state.value = new }
                if calls.inFlight == 0 { state.phase = calls.phase }
            }
            return (state, phase)
        }
        // Released without the locks: a value or an error may have an end of its own, which asks for the property.
        withExtendedLifetime(before) {}
    }

    private static func phase(after outcome: Result<Value?, CallError>) -> RestState<Value>.Phase? {
        switch outcome {
        case .success: .held
        case .failure(.cancelled): nil
        case .failure(let error): .failed(error)
        }
    }

    /// How the value stands in documents, as far as that is known.
    enum WireForm {
        case unknown
        /// In its parent, as it was in the latest answer, or as the gateway has taken it.
        case parent
        /// Without its parent.
        case bare
    }

    var form: WireForm {
        get { calls.withLock { $0.form } }
        set { calls.withLock { $0.form = newValue } }
    }

    /// The client that this property was told, or the one that goes for all.
    func client() throws(CallError) -> GatewayClient {
        if let own = calls.withLock({ $0.client }) { return own }
        return try GatewayClient.current()
    }

    func use(_ client: GatewayClient) {
        var old: GatewayClient? = client
        // Released without the lock: the transport may be the program's.
        calls.withLock { swap(&$0.client, &old) }
    }
}
