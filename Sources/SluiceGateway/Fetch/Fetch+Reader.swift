internal import SluiceContract

// The client's pace is the answer's: while it takes too little, nothing more is read from the upstream.
extension Fetch {
    func pause() {
        isHeld = true
        unsentBytes = nil
        answer.coded?.isHeld = true
        carrier?.setReading(false)
    }

    /// The input that made the client fall behind has been handed on: what waits from here on can only become less.
    func noteUnsent() {
        if isHeld, unsentBytes == nil { unsentBytes = consumer?.unsentBytes }
    }

    /// A client that takes less than `limits.min-rate` of what waits for it is cut off.
    /// - Returns: false where nobody knows what it takes.
    func judgeReader() -> Bool {
        guard let waiting = consumer?.unsentBytes else { return false }
        let least = loop.waits.bytes(in: loop.waits.body)
        if let before = unsentBytes, before - waiting < least {
            consumer?.fail(.readerTooSlow(least))
            return true
        }
        unsentBytes = waiting
        bodyMoved()
        return true
    }

    func resume() {
        isHeld = false
        bodyMoved()
        if let coded = answer.coded, !goesOn(coded) { return }
        carrier?.setReading(true)
    }
}

extension Problem {
    /// - Parameter least: bytes that would have been enough.
    static func readerTooSlow(_ least: Int) -> Problem {
        Problem(.clientTooSlow, detail: "The client took less than \(least) bytes of its answer in time.")
    }
}
