/// Where another loop is reached: what is posted there is done on that loop, soon.
public final class LoopAddress: Sendable {
    public typealias Message = @Sendable (LoopCache) -> Void

    private let deliver: @Sendable (_ message: @escaping Message, _ mayBeRefused: Bool) -> Bool

    /// - Parameter deliver: has the message done on the loop; returns whether it will be. What somebody waits for may
    ///   not be refused.
    public init(_ deliver: @escaping @Sendable (_ message: @escaping Message, _ mayBeRefused: Bool) -> Bool) {
        self.deliver = deliver
    }

    func post(_ message: @escaping Message) { _ = deliver(message, false) }

    /// - Returns: whether the loop takes it: not where it is stuck.
    func offer(_ message: @escaping Message) -> Bool { deliver(message, true) }
}
