import SluiceCredentials

/// An authorization server that hands out each refresh token for one use, and revokes all of a sign-in when one is used
/// again. An answer may get lost, so it takes a token again as long as none of those it was exchanged for has been used
/// (RFC 9700 §4.14.2 leaves that to the server).
struct SimulatedServer {
    private struct Refresh {
        var parent: String?
        var isUsed = false
        var hasUsedChild = false
    }

    private var refreshes: [String: Refresh] = [:]
    /// The end of each access token, in seconds of the server's clock.
    private var ends: [String: Int] = [:]
    private var count = 0
    /// The number of the exchange that was forgotten last.
    private var forgotten = 0
    /// Of access tokens, in seconds.
    let lifetime: Int
    /// Somebody has ended the sign-in.
    private(set) var isEnded = false
    /// A refresh token was used that must not be.
    private(set) var reuse: String?

    init(lifetime: Int) { self.lifetime = lifetime }

    mutating func signIn(at time: Int) -> TokenAnswer.Tokens { issue(after: nil, at: time) }

    private mutating func issue(after parent: String?, at time: Int) -> TokenAnswer.Tokens {
        count += 1
        let tokens = TokenAnswer.Tokens("a\(count)", lifetime: lifetime, refreshToken: "r\(count)")
        refreshes["r\(count)"] = Refresh(parent: parent)
        ends["a\(count)"] = time + lifetime
        return tokens
    }

    mutating func exchange(_ token: String, at time: Int) -> TokenAnswer {
        guard !isEnded, reuse == nil, let known = refreshes[token] else {
            return .refused(code: "invalid_grant", description: nil)
        }
        if known.hasUsedChild {
            reuse = token
            return .refused(code: "invalid_grant", description: "reuse of \(token)")
        }
        refreshes[token]?.isUsed = true
        if let parent = known.parent { refreshes[parent]?.hasUsedChild = true }
        return .tokens(issue(after: token, at: time))
    }

    /// Another server takes over, to which the last exchange has not come: what it was made with is good again.
    mutating func takeOver() {
        guard count > 1, count != forgotten, let last = refreshes["r\(count)"], !last.isUsed else { return }
        forgotten = count
        refreshes["r\(count)"] = nil
        ends["a\(count)"] = nil
    }

    mutating func end() { isEnded = true }

    mutating func forgetAccessTokens() { ends = [:] }

    func takes(_ token: String, at time: Int) -> Bool {
        !isEnded && reuse == nil && ends[token].map { time < $0 } == true
    }
}
