/// The address of another loop: a message posted to it runs on that loop soon.
public final class LoopAddress: Sendable {
    public typealias Message = @Sendable (LoopCache) -> Void

    private let deliver: @Sendable (_ message: @escaping Message, _ mayBeRefused: Bool) -> Bool

    /// - Parameter deliver: runs the message on the loop; returns whether it will run. Only a message with
    ///   `mayBeRefused` may be refused.
    public init(_ deliver: @escaping @Sendable (_ message: @escaping Message, _ mayBeRefused: Bool) -> Bool) {
        self.deliver = deliver
    }

    func post(_ message: @escaping Message) { _ = deliver(message, false) }

    /// - Returns: whether the loop takes the message; a stuck loop does not.
    func offer(_ message: @escaping Message) -> Bool { deliver(message, true) }
}
