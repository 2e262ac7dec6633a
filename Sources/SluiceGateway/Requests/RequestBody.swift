internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// What is known of a request's body on its way through the corridor.
struct RequestBody: ~Copyable {
    /// All of it has arrived.
    var isComplete = false
    /// It is read and checked before the fetch begins, or until it is longer than `hold`.
    var isCollecting = false
    var receivedBytes = 0
    /// The client has been told to go on (`100 Continue`) by the gateway itself.
    var isExpectationMet = false
    /// What goes out before the bytes that still arrive; kept for a replay.
    var held = Outbox()
    var extractor: Extractor?
    /// Where the body comes in a coding, and is checked here.
    var coded: CodedBody?
    /// Bytes of what is checked.
    var checkedBytes: Int { coded?.decodedBytes ?? receivedBytes }
    /// How far the members have got that the configuration adds.
    var members = Members.none
    /// As the client sent it: a form, which is read whole, or what goes back to it (`answer: echo`).
    var whole = ByteScratch()
    /// How a server of GraphQL is told the query.
    var form = GraphQLQuery.Form.usual
    /// How the outgoing body ends.
    var outgoing = Outgoing.none

    /// Whether `held` is all that goes out.
    var isHeldWhole: Bool {
        switch outgoing {
        case .none: true
        case .length(let length): length == held.count
        case .chunked: false
        }
    }

    enum Members {
        case none
        /// They stand behind the brace that is about to come.
        case awaited
        /// They are there; whether a comma follows depends on what the client has sent.
        case written
    }

    enum Outgoing: Equatable {
        case none
        case length(Int)
        case chunked
    }

    mutating func begin(framing: BodyFraming) {
        isComplete = false
        switch framing {
        case .none: outgoing = .none
        case .length(let length): outgoing = .length(length)
        case .chunked, .untilClose: outgoing = .chunked
        }
    }

    mutating func reset() {
        isComplete = false
        isCollecting = false
        receivedBytes = 0
        isExpectationMet = false
        if !held.isEmpty { held.removeAll() }
        extractor = nil
        coded = nil
        members = .none
        form = .usual
        whole.removeAll()
        outgoing = .none
    }
}
