public import FoundationEssentials

/// The name that a client has in Postie.
public typealias HTTPAPIClient = GatewayClient

extension GatewayClient {
    /// A client of the gateway at a URL. Where that is no address of one, each call throws ``CallError/url(_:)``.
    public init(url: URL, settings: Settings = Settings()) {
        self.init(reaching: url.absoluteString, settings)
    }

    /// A client of the gateway at a URL. Where that is no address of one, each call throws ``CallError/url(_:)``.
    public init(baseURL: URL, settings: Settings = Settings()) {
        self.init(url: baseURL, settings: settings)
    }

    /// A client whose address is looked at when it is used.
    init(reaching address: String, _ settings: Settings) {
        do throws(CallError) {
            try self.init(address, settings: settings)
        } catch {
            self.init(transport: NowhereTransport(error: error), settings: settings)
        }
    }
}

/// What stands for a gateway whose address is none.
private struct NowhereTransport: Transport {
    let error: CallError

    func send(_ request: CallRequest, timeout: Duration?) async throws -> CallAnswer {
        throw error
    }
}
