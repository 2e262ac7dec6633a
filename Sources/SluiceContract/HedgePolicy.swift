/// When a second attempt is sent beside the first (`hedge:`); the first good answer wins.
public enum HedgePolicy: Hashable, Sendable {
    case after(Duration)
    /// Once the first has taken longer than this percentage of the answers before it.
    case percentile(Int)
}
