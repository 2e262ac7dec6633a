extension Gateway {
    /// A turn has ended, and the loop waits again.
    /// - Parameter now: the clock at the end of the turn; ``advance(to:)`` got the clock at its beginning.
    @inline(__always)
    public func turnEnded(at now: UInt64) {
        loop.metrics.turnEnded(after: now &- loop.now)
        if loop.metrics.isDue(at: now) { publish() }
    }

    /// Sets the gauges, which are measured rather than counted.
    func publish() { adminSocket.publish() }
}
