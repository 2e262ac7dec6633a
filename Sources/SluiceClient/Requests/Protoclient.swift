public import FoundationEssentials

/// A client that is a type of the program's own: it says where its gateway is, and calls are its methods.
///
/// ```swift
/// struct FruitClient: Protoclient {
///     let baseURL = URL(string: "http://127.0.0.1:8080/fruit")!
/// }
/// ```
public protocol Protoclient: Sendable {
    /// Where the gateway is, with a path that stands before those of the requests.
    var baseURL: URL { get }
    /// What requests go through.
    var gateway: GatewayClient { get }
}

extension Protoclient {
    /// A client of ``baseURL``, over connections that all such clients of one address share.
    public var gateway: GatewayClient {
        SharedClients.client(of: baseURL)
    }

    /// Sends a request and reads its answer as the request's response.
    @discardableResult
    public func send<R: ClientRequest>(_ request: R) async throws(CallError) -> R.Response {
        try await gateway.send(request)
    }
}

/// The clients of base URLs: the latest ones, so that a program with ever new URLs keeps no connections to all of them.
private enum SharedClients {
    private static let countMax = 16
    private static let latest = Locked<[(url: URL, client: GatewayClient)]>([])

    static func client(of url: URL) -> GatewayClient {
        latest.withLock { latest in
            if let known = latest.first(where: { $0.url == url }) { return known.client }
            let made = GatewayClient(url: url)
            latest.append((url, made))
            if latest.count > countMax { latest.removeFirst() }
            return made
        }
    }
}
