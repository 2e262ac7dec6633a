extension Gateway {
    /// A turn is over, and the loop goes back to wait.
    /// - Parameter now: the clock at its end; ``advance(to:)`` was told that of its beginning.
    @inline(__always)
    public func turnEnded(at now: UInt64) {
        loop.metrics.turnEnded(after: now &- loop.now)
        if loop.metrics.isDue(at: now) { publish() }
    }

    /// Fills in the gauges, which are not counted as things happen, before a scrape.
    func publish() { adminSocket.publish() }
}
