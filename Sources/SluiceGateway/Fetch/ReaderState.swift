internal import SluiceContract

/// Whether the client reads its answer as fast as it comes.
enum ReaderState {
    case ready
    /// The client reads too slowly, and nothing more is read from the upstream.
    /// - Parameter unsent: bytes that waited for it at the last check; nil until the first one.
    case behind(unsent: Int?)

    /// The result of a check of the client's pace.
    enum Verdict {
        /// No client is behind, or its pace is not known.
        case unknown
        /// The client has read enough since the last check.
        case moves
        /// The client has not, and is cut off.
        case tooSlow(Problem)
    }

    var isBehind: Bool {
        switch self {
        case .ready: false
        case .behind: true
        }
    }

    /// The input that made the client fall behind has been handed on: from here on the waiting bytes can only become
    /// fewer.
    mutating func note(_ unsent: @autoclosure () -> Int?) {
        if case .behind(nil) = self { self = .behind(unsent: unsent()) }
    }

    /// - Parameters:
    ///   - waiting: bytes that wait for the client; nil where they cannot be counted for it alone.
    ///   - least: the least bytes that the client has to read (`limits.min-rate`).
    mutating func judge(waiting: @autoclosure () -> Int?, least: Int) -> Verdict {
        guard case .behind(let before) = self, let count = waiting() else { return .unknown }
        if let before, before - count < least { return .tooSlow(.readerTooSlow(least)) }
        self = .behind(unsent: count)
        return .moves
    }
}

extension Problem {
    /// - Parameter least: bytes that would have been enough.
    static func readerTooSlow(_ least: Int) -> Problem {
        Problem(.clientTooSlow, detail: "The client took less than \(least) bytes of its answer in time.")
    }
}
