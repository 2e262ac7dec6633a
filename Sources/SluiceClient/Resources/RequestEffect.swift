/// What a request that is no load does to the content that is held.
enum RequestEffect: Sendable {
    /// Its method is safe (RFC 9110 §9.2.1).
    case none
    /// It may have changed what GET would bring.
    case outdates
    /// Likewise, and what it brings is held from then on.
    case replaces

    init(of method: HTTPMethod) {
        self = method.isSafe ? .none : .outdates
    }
}

extension HTTPMethod {
    /// Whether it asks for nothing but information (RFC 9110 §9.2.1).
    fileprivate var isSafe: Bool { [.get, .head, .options, .trace].contains(self) }
}

extension CallError {
    /// Whether the call may have been carried out all the same: what it changed is not known then.
    var mayHaveHappened: Bool {
        switch self {
        case .problem(let problem): problem.status >= 500
        case .status(let answer): !(400..<500).contains(answer.status)
        case .missingPath, .decode, .cancelled, .other: true
        case .encode, .url: false
        case .transport(let error):
            switch error {
            case .timeout(.answer), .timeout(.content), .connectionLost, .badAnswer, .tooLarge: true
            case .timeout(.connection), .unreachable, .overloaded, .badRequest: false
            }
        }
    }
}
