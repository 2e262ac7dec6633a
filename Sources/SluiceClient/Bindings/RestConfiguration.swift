/// The gateway of a whole program, by its host: what ``GatewayClient/use(_:)`` is in RestfulPropertyKit.
public enum RestConfiguration {
    private static let told = Locked("")

    /// `127.0.0.1:8080`, or a whole address such as `unix:/run/sluice.sock`; empty until it is set. Later calls go
    /// there, also those of properties that were declared before.
    public static var host: String {
        get { told.withLock { $0 } }
        set {
            told.withLock { $0 = newValue }
            GatewayClient.use(client(of: newValue))
        }
    }

    static func client(of host: String) -> GatewayClient {
        let isWhole = host.contains("://") || host.hasPrefix("unix:")
        return GatewayClient(reaching: isWhole ? host : "http://\(host)", .init())
    }
}
