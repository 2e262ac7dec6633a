/// Something an operator should know of, though every client got its answer.
public enum GatewayNotice: Sendable, Equatable {
    /// The upstream sent more than the length that it announced. The rest was dropped and the connection closed.
    case surplus(upstream: String)
    /// Answers are not as their binding's type says; each binding has at most one such notice a minute, over all loops.
    case drift(DriftNews)
    /// The token that a binding keeps came in a shape that no field can hold.
    case unusableToken(binding: String)

    /// Each loop repeats the same notice only after this time.
    static let quietNanoseconds: UInt64 = 60_000_000_000
}
