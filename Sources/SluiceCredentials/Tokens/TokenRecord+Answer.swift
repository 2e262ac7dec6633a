public import SluiceContract

extension TokenRecord {
    /// How many used refresh tokens are remembered; configurations change theirs rarely.
    private static let spentMax = 8

    /// The record after the answer to a person's command.
    /// - Parameter given: the digest of the configured refresh token.
    public init(
        _ tokens: TokenAnswer.Tokens, after stored: TokenRecord?, _ question: TokenQuestion, _ client: OAuth2Client,
        at moment: Moment, given: String? = nil
    ) {
        self.init(
            tokens, after: stored, question, client, family: .random(in: 1 ... .max), at: moment,
            spent: stored?.spent ?? [], given: given)
    }

    /// The record after an answer.
    /// - Parameters:
    ///   - spent: the used refresh tokens that are known so far.
    ///   - given: the digest of the configured refresh token.
    init(
        _ tokens: TokenAnswer.Tokens, after stored: TokenRecord?, _ question: TokenQuestion, _ client: OAuth2Client,
        family: UInt64, at moment: Moment, spent: [String] = [], given: String? = nil
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
        self.spent = spent
        // A server that returns no successor accepts the token again, and may return one later.
        if let given, question.shows(given), let next = tokens.refreshToken, Self.digest(of: next) != given,
            !spent.contains(given)
        {
            self.spent = Array((spent + [given]).suffix(Self.spentMax))
        }
        guard case .refresh(let used) = question else {
            refreshToken = tokens.refreshToken
            if question == .configuredRefresh, tokens.refreshToken == nil { reusable = given }
            return
        }
        refreshToken = tokens.refreshToken ?? used
        // There is a previous token only where a new one has replaced it.
        if refreshToken == used { reusable = Self.digest(of: used) } else { previousRefreshToken = used }
    }
}

extension TokenQuestion {
    /// Whether the question sends the configured refresh token, which has this digest.
    fileprivate func shows(_ given: String) -> Bool {
        switch self {
        case .configuredRefresh: true
        case .refresh(let used): TokenRecord.digest(of: used) == given
        case .own, .code, .device: false
        }
    }
}
