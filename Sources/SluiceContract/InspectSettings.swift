/// `inspect:`: the last exchanges are kept, with what went over both sides of the gateway.
public struct InspectSettings: Hashable, Sendable {
    /// How many exchanges.
    public var last = 200
    /// What is kept of each body, bytes.
    public var bodyBytes = 16 << 10

    public init() {}

    /// What is kept of one exchange at most: four bodies, as those of one attempt are, and 64 KiB for heads. More
    /// attempts share it, and what finds no room is cut.
    public var exchangeBytesMax: Int { (64 << 10) + 4 * bodyBytes }

    /// What all of them take at most: those that are over, and as many that are under way.
    public var bytesMax: Int { 2 * last * exchangeBytesMax }
}
