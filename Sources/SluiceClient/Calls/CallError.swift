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
    /// The gateway could not be talked to.
    case transport(TransportError)
    case cancelled
    case other(any Error)

    /// The kind of the gateway's problem, if it is one.
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
        case .transport: "The gateway cannot be reached"
        case .cancelled: "The call was cancelled"
        case .other: "The call failed"
        }
    }

    /// What tells this case, for the person who reads it.
    public var detail: String {
        switch self {
        case .problem(let problem): problem.detail
        case .status(let answer): "There is no problem of the gateway in it; \(answer.body.count) bytes are kept."
        case .missingPath(let fault), .decode(let fault): "\(fault.path): \(fault.detail)."
        case .encode(let detail), .url(let detail): detail
        case .transport(let error): "\(error)"
        case .cancelled: "Its task was cancelled, and the gateway was told so."
        case .other(let error): "\(error)"
        }
    }
}

extension CallError: CustomStringConvertible {
    public var description: String { detail.isEmpty ? title : "\(title). \(detail)" }
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
