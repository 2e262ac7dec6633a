/// Exchanges with upstreams that were recorded, to be answered with again (`sluice serve --replay`).
public struct Recordings: Hashable, Sendable {
    public var exchanges: [RecordedExchange]
    /// What becomes of a request that was not recorded.
    public var missing = Missing.problem
    /// Stands for all of it.
    public var digest: String
    /// Names of members that are left out of bodies beside those that sound like credentials.
    public var leftOut: Set<String> { exchanges.reduce(into: []) { $0.formUnion($1.leftOut) } }

    public enum Missing: String, Hashable, Sendable, CaseIterable {
        /// A problem that shows the nearest one.
        case problem
        /// The upstream is asked.
        case live
    }

    public init(_ exchanges: [RecordedExchange], digest: String) {
        self.exchanges = exchanges
        self.digest = digest
    }

    /// Exchanges that a folder may have.
    public static let countMax = 10_000
    /// Bytes of one body.
    public static let bodyBytesMax = 16 << 20
    /// Bytes of all bodies.
    public static let totalBytesMax = 512 << 20
}

/// One request to an upstream and the answer to it, without what is secret.
public struct RecordedExchange: Hashable, Sendable {
    public var upstream: String
    public var binding: String?
    /// Scheme and authority that were asked; for people and other programs.
    public var origin: String?
    public var method: String
    /// Path and query, with `***` for what is secret in it.
    public var target: String
    public var requestFields: [HeaderSetting] = []
    public var requestBody: [UInt8] = []
    public var status: Int
    public var fields: [HeaderSetting] = []
    public var body: [UInt8] = []
    /// Milliseconds since 1970 when the request went out.
    public var at: Int64 = 0
    public var milliseconds: Int = 0
    /// Names of fields and of members of bodies that are left out.
    public var leftOut: [String] = []
    /// Place among those of the same request, from 1.
    public var number = 1

    public init(upstream: String, method: String, target: String, status: Int) {
        self.upstream = upstream
        self.method = method
        self.target = target
        self.status = status
    }
}
