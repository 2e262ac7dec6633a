internal import Logging
internal import SluiceGateway

extension Server {
    /// How a loop's notices become lines of the log.
    static func notices(to logger: Logger) -> @Sendable (GatewayNotice) -> Void {
        { notice in
            switch notice {
            case .surplus(let upstream):
                logger.warning(
                    """
                    an upstream sent more than its Content-Length announces: the rest was dropped, the connection \
                    closed; correct what it announces
                    """, metadata: ["upstream": "\(upstream)"])
            }
        }
    }
}
