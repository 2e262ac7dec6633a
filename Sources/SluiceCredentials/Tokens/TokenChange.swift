/// The change between two records of one credential, as an operator would describe it.
public enum TokenChange: Hashable, Sendable {
    /// A sign-in has succeeded. Times are seconds since 1970.
    case signedIn(expiresAt: Int?, scope: String?)
    case renewed(before: Int?, expiresAt: Int?)
    case signedOut

    /// nil where nothing has changed, or where the change is reported elsewhere.
    public init?(_ before: TokenRecord?, _ after: TokenRecord?) {
        switch (before, after) {
        case (nil, nil): return nil
        case (.some, nil): self = .signedOut
        case (let before, let after?):
            // ``TokenMachine`` itself reports that a new sign-in is needed.
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
