internal import SluiceContract

/// Whether the client takes its answer as it comes.
enum ReaderState {
    case ready
    /// It takes too little, and nothing is read from the upstream.
    /// - Parameter unsent: bytes that waited for it when that was looked at last; nil until it is.
    case behind(unsent: Int?)

    /// What is made of a client's pace when it is due.
    enum Verdict {
        /// No client is behind, or its pace is not known.
        case unknown
        /// It has taken enough since that was looked at last.
        case moves
        /// It has not, and is cut off.
        case tooSlow(Problem)
    }

    var isBehind: Bool {
        switch self {
        case .ready: false
        case .behind: true
        }
    }

    /// The input that made the client fall behind has been handed on: what waits from here on can only become less.
    mutating func note(_ unsent: @autoclosure () -> Int?) {
        if case .behind(nil) = self { self = .behind(unsent: unsent()) }
    }

    /// - Parameters:
    ///   - waiting: bytes that wait for the client; nil where that is not known of it alone.
    ///   - least: bytes that it has to take (`limits.min-rate`).
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
