/// Why a call on a connection came to nothing.
enum CallFailure: Error {
    case transport(TransportError)
    /// The connection had been closed before the request could matter: another may be tried.
    case stale(TransportError)
    case cancelled
    /// What the request's body threw.
    case body(any Error)

    /// For the caller.
    var error: any Error {
        switch self {
        case .transport(let error), .stale(let error): error
        case .cancelled: CancellationError()
        case .body(let error): error
        }
    }
}
