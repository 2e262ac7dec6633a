/// What an operator would say has happened between two records of one credential.
public enum TokenChange: Hashable, Sendable {
    /// A sign-in has succeeded. Times are seconds since 1970.
    case signedIn(expiresAt: Int?, scope: String?)
    case renewed(before: Int?, expiresAt: Int?)
    case signedOut

    /// Nil where nothing has happened that is not told of otherwise.
    public init?(_ before: TokenRecord?, _ after: TokenRecord?) {
        switch (before, after) {
        case (nil, nil): return nil
        case (.some, nil): self = .signedOut
        case (let before, let after?):
            // That the server wants a new sign-in is a note of the machine's.
            if after.signedOut != nil { return nil }
            if let before, before.family == after.family {
                guard before.serial < after.serial else { return nil }
                self = .renewed(before: before.expiresAt, expiresAt: after.expiresAt)
            } else {
                self = .signedIn(expiresAt: after.expiresAt, scope: after.scope)
            }
        }
    }
}
