public import FoundationEssentials

/// Why a call did not bring what it was made for.
///
/// It is one reference wide, so that functions that throw it by its type return it in a register.
public indirect enum CallError: Error, Sendable {
    /// The gateway's own account of a failure, its own or the upstream's.
    case problem(GatewayProblem)
    /// An answer that is no success and no problem of the gateway: another envelope, or a redirection. It is whole.
    case status(WholeAnswer)
    /// The answer is there, and lacks what a `parent:` is read for at this path.
    case missingPath(DecodeFault)
    /// The answer is not of the declared type.
    case decode(DecodeFault)
    /// What was to be sent has no form on the wire: the sentence says what is missing or wrong.
    case encode(String)
    /// The gateway's address cannot be read.
    case url(String)
    /// There is no answer, or it cannot be read: each ``TransportError`` says why.
    case transport(TransportError)
    /// The task was cancelled. What the call was to change upstream may have been changed.
    case cancelled
    /// What the body of a request, or a transport or function of the program's own, has thrown.
    case other(any Error)

    /// The kind of the gateway's problem, if it is one; nil for all other cases.
    public var kind: ProblemKind? {
        if case .problem(let problem) = self { problem.kind } else { nil }
    }

    /// The status of the answer, if there was one.
    public var status: Int? {
        switch self {
        case .problem(let problem): problem.status
        case .status(let answer): answer.status
        default: nil
        }
    }

    /// The body of the answer that was no success, or did not fit.
    public var body: [UInt8]? {
        switch self {
        case .problem(let problem): problem.body
        case .status(let answer): answer.body
        case .missingPath(let fault), .decode(let fault): fault.body
        default: nil
        }
    }

    /// Whether the same call may succeed later.
    public var isRetryable: Bool {
        switch self {
        case .problem(let problem): problem.isRetryable
        case .transport(let error): error.isPassing
        default: false
        }
    }

    /// What happened, in a few words that are the same for every case of it.
    public var title: String {
        switch self {
        case .problem(let problem): problem.title.isEmpty ? problem.kind.name : problem.title
        case .status(let answer): "The answer has the status \(answer.status)"
        case .missingPath: "The answer lacks the wanted value"
        case .decode: "The answer is not of the expected type"
        case .encode: "The request cannot be written"
        case .url: "The gateway's address is wrong"
        case .transport(let error): error.title
        case .cancelled: "The call was cancelled"
        case .other: "The call failed"
        }
    }

    /// A description of this case, for people.
    public var detail: String {
        switch self {
        case .problem(let problem): problem.detail
        case .status(let answer):
            "It is no error as the gateway tells them; its content of \(answer.body.count) bytes is kept (body)."
        case .missingPath(let fault), .decode(let fault): "\(fault.path): \(fault.detail)."
        case .encode(let detail), .url(let detail): detail
        case .transport(let error): error.detail
        case .cancelled: "Its task was cancelled; a connection that it had was closed, which ends it at the gateway."
        case .other(let error): "\(error)"
        }
    }
}

/// Title and detail, and below them the faults of a problem, one on a line.
extension CallError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .transport(let error): "\(error)"
        case .problem(let problem):
            ([detail.isEmpty ? title : "\(title). \(detail)"] + problem.faults.map(\.description))
                .joined(separator: "\n")
        default: "\(title). \(detail)"
        }
    }
}

/// What Foundation's `localizedDescription` is made of.
extension CallError: LocalizedError {
    public var errorDescription: String? { description }
}

extension CallError {
    /// An error of the transport, or of what a body was streamed from.
    init(sending error: any Error) {
        switch error {
        case let error as CallError: self = error
        case is CancellationError: self = .cancelled
        case let error as TransportError: self = Task.isCancelled ? .cancelled : .transport(error)
        default: self = Task.isCancelled ? .cancelled : .other(error)
        }
    }
}

extension TransportError {
    /// Whether it may be over when the call is made again.
    fileprivate var isPassing: Bool {
        switch self {
        case .unreachable, .timeout, .connectionLost, .overloaded: true
        case .badAnswer, .tooLarge, .badRequest: false
        }
    }
}
