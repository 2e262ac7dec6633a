internal import SluiceContract

/// Credentials, and the upstreams and clients that use them.
struct CredentialCheck {
    private let scope: Scope
    private let clientNames: [String]
    private(set) var credentials: [Credential] = []
    /// Those that something is wrong with; nothing is told of what follows from that.
    private var unread: Set<String> = []
    private(set) var used: Set<String> = []

    init(_ declarations: [CredentialDeclaration], _ root: Scope, clientNames: [String]) {
        scope = root / "credentials"
        self.clientNames = clientNames
        for declaration in declarations {
            let scope = scope / declaration.name
            guard UpstreamCheck.checkName(declaration.name, "a credential", scope) else { continue }
            if declaration.name == "none" {
                scope.mistake("'none' stands for no credential", expected: "another name")
                continue
            }
            guard let make = declaration.make else {
                unread.insert(declaration.name)
                continue
            }
            if credentials.contains(where: { $0.name == declaration.name }) {
                scope.mistake("credential '\(declaration.name)' stands twice", expected: "each name once")
                continue
            }
            credentials.append(Credential(name: declaration.name, kind: make(scope)))
        }
    }

    /// Looks at a choice: whether there are such credentials, and such clients.
    mutating func check(_ choice: CredentialChoice, _ scope: Scope) {
        for name in choice.names {
            used.insert(name)
            if unread.contains(name) || credentials.contains(where: { $0.name == name }) { continue }
            scope.mistake(
                "there is no credential '\(name)'", at: .value, expected: "a name under 'credentials:', or none",
                suggestion: Nearest.suggestion(for: name, among: credentials.map(\.name)))
        }
        guard case .byClient(let entries, _) = choice else { return }
        for case .client(let name) in entries.map(\.client) where !clientNames.contains(name) {
            (scope / "map" / name).mistake(
                "there is no client '\(name)'", expected: "a name under 'clients:', or uid: and a number",
                suggestion: Nearest.suggestion(for: name, among: clientNames))
        }
    }

    /// The signatures that a choice may come to.
    private func signatures(of choice: CredentialChoice) -> [(name: String, signature: any RequestSignature)] {
        credentials.filter { choice.names.contains($0.name) }.compactMap { credential in
            credential.kind.presentation.signature.map { (credential.name, $0) }
        }
    }

    /// Whether the requests of a binding can be signed.
    func checkSigned(_ binding: Binding, _ upstream: Upstream, _ choice: CredentialChoice, _ scope: Scope) {
        let signatures = signatures(of: choice)
        if signatures.isEmpty { return }
        for (name, signature) in signatures {
            let own = Set(signature.fieldNames.map { $0.lowercased() })
            let headers = (upstream.headers + binding.headers).map(\.name)
            if let header = headers.first(where: { own.contains($0.lowercased()) }) {
                scope.mistake(
                    "credential '\(name)' writes '\(header)', which stands under 'headers:' as well",
                    expected: "one of them")
            }
            let dropped = own.union(signature.droppedFieldNames.map { $0.lowercased() })
            for parameter in binding.parameters where parameter.location == .header {
                let sent = parameter.upstreamName ?? parameter.name
                guard dropped.contains(sent.lowercased()) else { continue }
                (scope / "params" / parameter.name).mistake(
                    "credential '\(name)' takes '\(sent)' from no client", expected: "no such parameter")
            }
        }
        guard binding.upgrade == .grpc, let (name, _) = signatures.first(where: { $0.signature.coversBody })
        else { return }
        (scope / "upgrade").mistake(
            "credential '\(name)' signs bodies, and the messages of a gRPC call are not known before it begins",
            expected: "a credential that leaves them out")
    }

    /// Whether what a choice leaves unsigned could be changed on the way.
    func checkTLS(towards upstream: Upstream, _ choice: CredentialChoice, _ scope: Scope) {
        guard let (name, _) = signatures(of: choice).first(where: { $0.signature.needsTLS }) else { return }
        for case .tcp(let host, _, tls: false) in upstream.endpoints
        where host != "localhost" && !HostPort.isLoopback(host) {
            scope.mistake(
                "credential '\(name)' leaves bodies unsigned, which anybody on the way to '\(host)' could change",
                at: .value, expected: "an upstream whose url begins with https://, or 'payload: signed'")
            return
        }
    }

    /// Whether a choice may expose a secret on the network.
    func warn(of upstream: Upstream, _ choice: CredentialChoice, _ scope: Scope) {
        guard !choice.names.isEmpty else { return }
        for case .tcp(let host, _, tls: false) in upstream.endpoints
        where host != "localhost" && !HostPort.isLoopback(host) {
            if signatures(of: choice).contains(where: { $0.signature.needsTLS }) { continue }
            (scope / "url").warning(
                "the credential goes to '\(host)' unencrypted",
                suggestion: .advice("use https:// where the API offers it"))
        }
    }

    func warnOfUnused() {
        for credential in credentials where !used.contains(credential.name) {
            (scope / credential.name).warning(
                "credential '\(credential.name)' is not used",
                suggestion: .advice("give it to an upstream: 'credential: \(credential.name)'"))
        }
    }
}
