internal import SluiceContract

/// What one answer that is made of parts may still ask for and hold, with all that its parts are made of themselves:
/// limits of answers that are made of each other do not multiply.
final class PartsBudget {
    private var requestsLeft: Int
    private var bytesLeft: Int
    /// Whether it has refused a request: what failed by that may go well when it is asked for by itself.
    private(set) var isSpent = false

    init(_ limits: Limits) {
        (requestsLeft, bytesLeft) = (limits.partRequests, limits.partsBytes)
    }

    /// - Returns: whether one more may be asked for.
    func takeRequest() -> Bool {
        guard requestsLeft > 0 else {
            isSpent = true
            return false
        }
        requestsLeft -= 1
        return true
    }

    /// - Returns: whether there is room for so many bytes; they have to be released in either case.
    func hold(_ count: Int) -> Bool {
        bytesLeft -= count
        if bytesLeft >= 0 { return true }
        isSpent = true
        return false
    }

    func release(_ count: Int) { bytesLeft += count }
}

/// What a request for a part has of the whole that it is for.
struct WholeTerms {
    let budget: PartsBudget
    /// What upstreams may be told of the client, where a whole is stored; nil where none is.
    let told: ForwardedRule?
}
