internal import SluiceContract

/// Whether the client takes its answer as it comes.
enum ReaderState {
    case ready
    /// It takes too little, and nothing is read from the upstream.
    /// - Parameter unsent: bytes that waited for it when that was looked at last; nil until it is.
    case behind(unsent: Int?)
}

// The client's pace is the answer's: while it takes too little, nothing more is read from the upstream.
extension Fetch {
    func pause() {
        reader = .behind(unsent: nil)
        answer.pause()
        setReading(false)
    }

    /// The input that made the client fall behind has been handed on: what waits from here on can only become less.
    func noteUnsent() {
        if case .behind(nil) = reader { reader = .behind(unsent: consumer?.unsentBytes) }
    }

    /// A client that takes less than `limits.min-rate` of what waits for it is cut off.
    /// - Returns: false where no client is behind, or its pace is not known.
    func judgeReader() -> Bool {
        guard case .behind(let before) = reader, let waiting = consumer?.unsentBytes else { return false }
        let least = loop.waits.bytes(in: loop.waits.body)
        if let before, before - waiting < least {
            consumer?.fail(.readerTooSlow(least))
            return true
        }
        reader = .behind(unsent: waiting)
        bytesMoved()
        return true
    }

    func resume() {
        reader = .ready
        bytesMoved()
        if let pages = answer.pages, let page = pages.waiting, let consumer, let route {
            pages.waiting = nil
            return askForPage(page, pages, consumer, route)
        }
        if answer.mayReadOn(self) { setReading(true) }
    }
}

extension Problem {
    /// - Parameter least: bytes that would have been enough.
    static func readerTooSlow(_ least: Int) -> Problem {
        Problem(.clientTooSlow, detail: "The client took less than \(least) bytes of its answer in time.")
    }
}
