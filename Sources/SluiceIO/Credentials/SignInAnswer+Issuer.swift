internal import SluiceCredentials
public import SluiceGateway

extension SignInAnswer.Authorization {
    /// Whether an answer whose issuer is `named`, or that names none, comes from the server that was asked.
    public func isFrom(_ named: String?) -> Bool {
        guard let issuer else { return true }
        return named.map { ServerMetadata.isSameIssuer($0, issuer) } ?? !needsIssuer
    }
}
