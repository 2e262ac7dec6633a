internal import SluiceGateway

/// Steps of a sign-in that a running daemon carries out, over its admin socket. No token comes this way: the daemon
/// gets it and keeps it.
struct DaemonSignIn {
    /// For each step: an authorization server and a lock may be waited for.
    static let seconds = 180

    let client: AdminClient
    let name: String

    enum Begun {
        case browser(id: String, SignInAnswer.Authorization)
        case device(id: String, SignInAnswer.Device)
        case signedIn(SignInAnswer.SignedIn)
    }

    /// - Parameter redirect: the redirect address for a browser.
    func begin(redirect: String?) throws -> Begun {
        let answer = try take("login", [("redirect", redirect)])
        switch answer.step {
        case .browser:
            guard let id = answer.id, let url = answer.url, let state = answer.state else { throw Self.notUnderstood }
            return .browser(
                id: id,
                .init(url: url, state: state, issuer: answer.issuer, needsIssuer: answer.needsIssuer ?? false))
        case .device:
            guard let id = answer.id, let url = answer.url, let code = answer.userCode else { throw Self.notUnderstood }
            return .device(
                id: id,
                .init(userCode: code, url: url, completeURL: answer.completeUrl, lifetime: answer.lifetime ?? 0))
        case .signedIn: return .signedIn(answer.signedIn)
        case .pending, .signedOut: throw Self.notUnderstood
        }
    }

    /// Passes the code from the browser's redirect to the daemon.
    func redeem(_ code: String, state: String, issuer: String?, id: String) throws -> SignInAnswer.SignedIn {
        var fields = [("Sluice-Code", Encoded.segment(code)), ("Sluice-State", Encoded.segment(state))]
        if let issuer { fields.append(("Sluice-Issuer", Encoded.segment(issuer))) }
        return try take("login/code", [("id", id)], fields: fields.map { (name: $0.0, value: $0.1) }).signedIn
    }

    /// Waits until the person at the other device has agreed.
    func wait(id: String) throws -> SignInAnswer.SignedIn {
        while true {
            let answer = try take("login/wait", [("id", id)])
            if answer.step != .pending { return answer.signedIn }
        }
    }

    /// - Returns: what the server was told; nil where there was no sign-in to end.
    func signOut() throws -> String? { try take("logout").told }

    private enum Step: String, Decodable {
        case browser, device, pending
        case signedIn = "signed-in"
        case signedOut = "signed-out"
    }

    private struct Answer: Decodable {
        var step: Step
        var id, url, state, issuer, userCode, completeUrl, scope, folder, told: String?
        var needsIssuer, isRenewable: Bool?
        var lifetime, expiresAt: Int?

        var signedIn: SignInAnswer.SignedIn {
            .init(scope: scope, expiresAt: expiresAt, isRenewable: isRenewable ?? false, folder: folder ?? "")
        }
    }

    private func take(
        _ step: String, _ query: AdminClient.Query = [], fields: [(name: String, value: String)] = []
    ) throws -> Answer {
        try client.ask(
            Answer.self, "/credentials/\(Encoded.segment(name))/\(step)", query, by: "POST", fields: fields)
    }

    private static var notUnderstood: any Error {
        Say.failure("sluice: the daemon's answer is not understood; is it another version?")
    }
}
