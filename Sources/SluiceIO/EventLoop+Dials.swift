internal import SluiceGateway

/// Connections to upstreams that are being made.
extension EventLoop {
    func register(_ dial: Dial, at descriptor: Int32) {
        let slot = Int(descriptor)
        while dials.count <= slot { dials.append(nil) }
        dials[slot] = dial
    }

    /// - Returns: whether it was registered.
    @discardableResult
    func unregister(dialAt descriptor: Int32) -> Bool {
        let slot = Int(descriptor)
        guard slot < dials.count, dials[slot] != nil else { return false }
        dials[slot] = nil
        return true
    }

    func waiting(_ dial: Dial) { waitingDials.append(dial) }

    func wakeDials() {
        if waitingDials.isEmpty { return }
        let due = waitingDials
        waitingDials = due.filter { ($0.deadline ?? 0) > gateway.now }
        for dial in due where dial.deadline.map({ $0 <= gateway.now }) == true { dial.timerFired(self) }
    }
}
