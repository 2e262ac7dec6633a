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
            case .drift(let news):
                logger.warning(
                    "\(Server.words(of: news.kind)); 'sluice drift' lists them",
                    metadata: [
                        "binding": "\(news.binding)", "path": "\(news.path)", "declared": "\(news.declared)",
                        "found": "\(news.found)", "values": "\(news.count)",
                    ])
            case .unusableToken(let binding):
                logger.warning(
                    """
                    the token of an answer cannot be sent, and an earlier one is not used any more; correct 'keep:', \
                    or sign in again
                    """, metadata: ["binding": "\(binding)"])
            }
        }
    }

    private static func words(of kind: String) -> String {
        switch kind {
        case "new-key": "an upstream's answers have keys that their type does not name"
        case "unknown-case": "an upstream's answers have values that their type does not list"
        default: "an upstream's answers are not of their type"
        }
    }
}
