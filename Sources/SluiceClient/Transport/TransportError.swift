public import FoundationEssentials

/// Why a call has no answer. Each case says what can be done about it.
public enum TransportError: Error, Hashable, Sendable {
    /// No server listens there, or the name has no address. Nothing was sent.
    case unreachable(String)
    /// The time that the call was given is over.
    case timeout(TransportWait)
    /// The gateway closed the connection before the answer was whole; whether it carried the request out is unknown.
    case connectionLost(String)
    /// What came is not HTTP/1.1 that can be read in exactly one way.
    case badAnswer(String)
    /// The answer has more content than the caller takes.
    case tooLarge(limit: Int)
    /// As many calls wait for a connection already as ``TransportLimits/waiting`` allows. Nothing was sent.
    case overloaded(limit: Int)
    /// The request cannot be written as one message. Of a head that is wrong nothing was sent; a streamed body that has
    /// another length than it says is found out on the way. Also: an answer that two tasks read at once.
    case badRequest(String)
}

/// What a call was waiting for when its time was over.
public enum TransportWait: String, Hashable, Sendable {
    /// Another call had to end, or the gateway had to accept the connection.
    case connection
    /// The head of the answer.
    case answer
    /// More of the answer's content.
    case content
}

extension TransportError {
    /// What happened, in a few words that are the same for every error of the case.
    var title: String {
        switch self {
        case .unreachable: "The gateway cannot be reached"
        case .timeout(.connection): "No connection was free in time"
        case .timeout(.answer): "No answer came in time"
        case .timeout(.content): "The answer did not end in time"
        case .connectionLost: "The connection was lost"
        case .badAnswer: "What answered does not speak HTTP/1.1 as a gateway does"
        case .tooLarge: "The answer is too large"
        case .overloaded: "Too many calls wait for a connection"
        case .badRequest: "The request cannot be sent"
        }
    }

    /// What tells this one, and what can be done about it.
    var detail: String {
        switch self {
        case .unreachable(let reason): "\(reason). Start it with 'sluice serve', or correct the address."
        case .timeout(.connection): "Give the call more time, or raise the limit of connections."
        case .timeout(.answer): "Give the call more time, or look at the gateway's timeouts."
        case .timeout(.content): "Give the call more time, or read it as a stream."
        case .connectionLost(let reason):
            "\(reason) Look into the gateway's log; repeat the call if doing it twice is harmless."
        case .badAnswer(let reason): "\(reason) See that the address is the gateway's."
        case .tooLarge(let limit): "It has more than \(limit) bytes. Raise the limit, or read it as a stream."
        case .overloaded(let limit): "\(limit) do already. Make fewer at a time, or raise the limits."
        case .badRequest(let reason): "\(reason)."
        }
    }
}

extension TransportError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreachable, .badAnswer, .badRequest: "\(title): \(detail)"
        case .timeout, .connectionLost, .tooLarge, .overloaded: "\(title). \(detail)"
        }
    }
}

/// What Foundation's `localizedDescription` is made of.
extension TransportError: LocalizedError {
    public var errorDescription: String? { description }
}
