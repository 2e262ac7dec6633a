internal import SluiceContract
internal import SluiceHTTP

/// Sign-ins and sign-outs over the admin socket:
///
///     POST /credentials/NAME/login?redirect=URL   a sign-in begins; the answer says where a person agrees
///     POST /credentials/NAME/login/code?id=ID     the browser has come back; `Sluice-Code`, `Sluice-State` and
///                                                 `Sluice-Issuer` say with what
///     POST /credentials/NAME/login/wait?id=ID     waits for a person at another device, for a while
///     POST /credentials/NAME/logout               the tokens are revoked and forgotten
///
/// A code is in a field rather than the target, because no log contains fields.
extension SignInRequest {
    private static let prefix = "/credentials/"
    private static let tails = ["/login", "/login/code", "/login/wait", "/logout"]
    static let paths = tails.map { prefix + "NAME" + $0 }

    /// Nil where the path is none of these.
    /// - Throws: what is wrong with it.
    init?(_ head: borrowing RequestHead, by user: UInt32?) throws(Problem) {
        let path = String(decoding: head.path, as: UTF8.self)
        guard path.hasPrefix(Self.prefix),
            let tail = Self.tails.first(where: {
                path.hasSuffix($0) && path.utf8.count > Self.prefix.utf8.count + $0.utf8.count
            })
        else { return nil }
        let name = String(path.dropFirst(Self.prefix.count).dropLast(tail.count))
        guard !name.contains("/") else { return nil }
        guard head.method == .post else {
            var problem = Problem(.methodNotAllowed, detail: "'\(path)' knows POST alone.")
            problem.allow = ["POST"]
            throw problem
        }
        func identity() throws(Problem) -> String {
            guard let id = try AdminQuery(head.query, of: path, names: ["id"]).value("id"), !id.isEmpty else {
                throw AdminQuery.wrong("id", expected: "'id' of the answer to \(Self.prefix)NAME/login", found: "none")
            }
            return id
        }
        let step: Step
        switch tail {
        case "/login":
            step = .begin(redirect: try AdminQuery(head.query, of: path, names: ["redirect"]).value("redirect"))
        case "/login/code": step = .redeem(id: try identity(), try Redirected(head.fields))
        case "/login/wait": step = .wait(id: try identity())
        default:
            _ = try AdminQuery(head.query, of: path, names: [])
            step = .signOut
        }
        self.init(name, step, by: user)
    }
}

extension SignInRequest.Redirected {
    fileprivate init(_ fields: borrowing HeaderBlock) throws(Problem) {
        func field(_ name: StaticString) throws(Problem) -> String? {
            for index in 0..<fields.count where fields.name(index).equalsIgnoringCase(Array("\(name)".utf8)) {
                var scratch = ByteScratch()
                let value = fields.value(index)
                let isDecoded = scratch.withSpare(value.count) {
                    PercentEncoding.decode(value, plusIsSpace: false, into: $0)
                }
                guard isDecoded != nil, let text = String(validating: scratch.bytes, as: UTF8.self) else {
                    throw AdminQuery.wrong(
                        "\(name)", in: "header", expected: "percent-encoded UTF-8", found: "something else")
                }
                return text
            }
            return nil
        }
        guard let code = try field("Sluice-Code"), let state = try field("Sluice-State"), !code.isEmpty else {
            throw AdminQuery.wrong(
                "Sluice-Code", in: "header", expected: "the code that the browser brought, and Sluice-State",
                found: "none")
        }
        self.init(code: code, state: state, issuer: try field("Sluice-Issuer"))
    }
}
