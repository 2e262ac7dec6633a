internal import SluiceContract
internal import SluiceJSON

/// Steps of sign-ins, which the owner carries out, and their answers.
extension AdminSocket {
    func begin(_ request: SignInRequest, for exchange: Exchange) throws(Problem) {
        guard let signer else { throw Problem(.unknownRoute, detail: "This gateway keeps no credentials.") }
        signInCount += 1
        signIns[signInCount] = AdminWork(outsideFor: exchange, self)
        signer(request, signInCount)
    }

    func signInEnded(_ number: Int, _ answer: SignInAnswer) {
        guard let work = signIns.removeValue(forKey: number) else { return }
        if case .failed(let problem) = answer { return work.fail(problem) }
        work.answer(answer.report)
    }
}

extension SignInAnswer {
    fileprivate var report: JSONValue {
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        switch self {
        case .browser(let id, let authorization):
            return .object([
                ("step", .string("browser")), ("id", .string(id)), ("url", .string(authorization.url)),
                ("state", .string(authorization.state)), ("issuer", text(authorization.issuer)),
                ("needs_issuer", .bool(authorization.needsIssuer)),
            ])
        case .device(let id, let device):
            return .object([
                ("step", .string("device")), ("id", .string(id)), ("user_code", .string(device.userCode)),
                ("url", .string(device.url)), ("complete_url", text(device.completeURL)),
                ("lifetime", .number(device.lifetime)),
            ])
        case .pending: return .object([("step", .string("pending"))])
        case .signedIn(let token):
            return .object([
                ("step", .string("signed-in")), ("scope", text(token.scope)),
                ("expires_at", token.expiresAt.map { .number($0) } ?? .null),
                ("is_renewable", .bool(token.isRenewable)), ("folder", .string(token.folder)),
            ])
        case .signedOut(let told):
            return .object([("step", .string("signed-out")), ("told", text(told))])
        case .failed: preconditionFailure("a failure is a problem")
        }
    }
}
