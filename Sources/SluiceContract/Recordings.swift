/// Exchanges with upstreams that were recorded, to be answered with again (`sluice serve --replay`).
public struct Recordings: Hashable, Sendable {
    public var exchanges: [RecordedExchange]
    /// What becomes of a request that was not recorded.
    public var missing = Missing.problem
    /// Stands for all of it.
    public var digest: String
    /// What they were recorded with, all together.
    public var names: RecordingNames {
        exchanges.reduce(into: RecordingNames()) { names, exchange in
            names.leftOut.formUnion(exchange.leftOut)
            names.compared.formUnion(exchange.compared)
        }
    }

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
    /// Bytes of one file: two bodies, of which each may be three times as long as text with indented lines.
    public static let fileBytesMax = 8 * bodyBytesMax
}

/// Names by which something is left out of a recording, or kept, beside those that sound like credentials.
public struct RecordingNames: Hashable, Sendable {
    /// Fields, and members of bodies and queries, that are left out as well.
    public var leftOut: Set<String>
    /// Members of answers that are kept, though they sound like credentials.
    public var kept: Set<String>
    /// The same of queries and of bodies of requests: requests that differ in them are different ones.
    public var compared: Set<String>

    public init(leftOut: Set<String> = [], kept: Set<String> = [], compared: Set<String> = []) {
        (self.leftOut, self.kept, self.compared) = (leftOut, kept, compared)
    }
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
    /// Names of members of the request that are kept, though they sound like credentials.
    public var compared: [String] = []
    /// Place among those of the same request, from 1.
    public var number = 1

    public init(upstream: String, method: String, target: String, status: Int) {
        self.upstream = upstream
        self.method = method
        self.target = target
        self.status = status
    }
}
