public import SluiceContract

extension TokenRecord {
    /// Pages change their refresh tokens rarely.
    private static let spentMax = 8

    /// What follows from an answer to a person's command.
    /// - Parameter given: the digest of the page's refresh token.
    public init(
        _ tokens: TokenAnswer.Tokens, after stored: TokenRecord?, _ question: TokenQuestion, _ client: OAuth2Client,
        at moment: Moment, given: String? = nil
    ) {
        self.init(
            tokens, after: stored, question, client, family: .random(in: 1 ... .max), at: moment,
            spent: stored?.spent ?? [], given: given)
    }

    /// What follows from an answer.
    /// - Parameters:
    ///   - spent: what is known of ``spent`` so far.
    ///   - given: the digest of the page's refresh token.
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
        // A server that gives no successor takes it again, and may give one only later.
        if let given, question.shows(given), let next = tokens.refreshToken, Self.digest(of: next) != given,
            !spent.contains(given)
        {
            self.spent = Array((spent + [given]).suffix(Self.spentMax))
        }
        guard case .refresh(let used) = question else {
            refreshToken = tokens.refreshToken
            return
        }
        refreshToken = tokens.refreshToken ?? used
        // Only a successor makes a predecessor.
        previousRefreshToken = refreshToken == used ? nil : used
    }
}

extension TokenQuestion {
    /// Whether it shows the page's refresh token, which this stands for.
    fileprivate func shows(_ given: String) -> Bool {
        switch self {
        case .configuredRefresh: true
        case .refresh(let used): TokenRecord.digest(of: used) == given
        case .own, .code, .device: false
        }
    }
}
