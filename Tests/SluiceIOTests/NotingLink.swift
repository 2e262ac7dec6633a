import SluiceContract

@testable import SluiceGateway

/// A link that notes what it is told, and asks the test what to do then.
final class NotingLink: Link {
    private(set) var isConnected = false
    private(set) var bytes: [UInt8] = []
    private(set) var hasEnded = false
    private(set) var failure: TransportFailure?
    /// Told after each fact.
    var afterFact: (NotingLink) -> Void = { _ in }

    init(_ gateway: Gateway) { super.init(loop: gateway.loop) }

    override func connected() {
        isConnected = true
        afterFact(self)
    }

    override func received(_ bytes: UnsafeRawBufferPointer) {
        self.bytes += bytes
        afterFact(self)
    }

    override func inputClosed() {
        hasEnded = true
        afterFact(self)
    }

    override func failed(_ failure: TransportFailure) {
        self.failure = failure
        afterFact(self)
    }
}
