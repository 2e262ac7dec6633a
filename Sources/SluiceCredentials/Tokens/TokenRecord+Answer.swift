public import SluiceContract

extension TokenRecord {
    /// What follows from an answer to a person's command.
    public init(
        _ tokens: TokenAnswer.Tokens, after stored: TokenRecord?, _ question: TokenQuestion, _ client: OAuth2Client,
        at moment: Moment
    ) {
        self.init(tokens, after: stored, question, client, family: .random(in: 1 ... .max), at: moment)
    }

    /// What follows from an answer.
    init(
        _ tokens: TokenAnswer.Tokens, after stored: TokenRecord?, _ question: TokenQuestion, _ client: OAuth2Client,
        family: UInt64, at moment: Moment
    ) {
        self.init(
            family: question.beginsFamily ? family : stored?.family ?? family, server: client.serverName,
            clientID: client.clientID)
        serial = stored?.nextSerial ?? 1
        accessToken = tokens.accessToken
        obtainedAt = moment.unix
        expiresAt = tokens.lifetime.map { moment.unix + $0 }
        scope = tokens.scope ?? stored?.scope
        asked = client.askedDigest
        guard case .refresh(let used) = question else {
            refreshToken = tokens.refreshToken
            return
        }
        refreshToken = tokens.refreshToken ?? used
        // Only a successor makes a predecessor.
        previousRefreshToken = refreshToken == used ? nil : used
    }
}
