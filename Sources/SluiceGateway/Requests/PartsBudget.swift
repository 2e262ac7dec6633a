internal import SluiceContract

/// The number of requests and bytes that one composed answer may still use, including those of nested compositions, so
/// that their limits do not multiply.
final class PartsBudget {
    private var requestsLeft: Int
    private var bytesLeft: Int
    /// Whether the budget has refused something: what failed for this reason may succeed when it is requested alone.
    private(set) var isSpent = false

    init(_ limits: Limits) {
        (requestsLeft, bytesLeft) = (limits.partRequests, limits.partsBytes)
    }

    /// - Returns: whether one more request may be made.
    func takeRequest() -> Bool {
        guard requestsLeft > 0 else {
            isSpent = true
            return false
        }
        requestsLeft -= 1
        return true
    }

    /// - Returns: whether there is room for so many bytes; the caller has to release them in either case.
    func hold(_ count: Int) -> Bool {
        bytesLeft -= count
        if bytesLeft >= 0 { return true }
        isSpent = true
        return false
    }

    func release(_ count: Int) { bytesLeft += count }
}

/// What the request of a part shares with the composed answer.
struct WholeTerms {
    let budget: PartsBudget
    /// What upstreams may be told of the client if the composed answer is stored; nil where it is not.
    let told: ForwardedRule?
}
