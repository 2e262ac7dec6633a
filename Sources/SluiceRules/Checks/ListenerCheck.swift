internal import SluiceContract

/// One place to accept clients while it is made of what its author says.
struct ListenerCheck {
    let declaration: ListenerDeclaration
    let scope: Scope
    let clientNames: [String]

    /// Bytes of `sockaddr_un.sun_path` without the closing zero.
    private static let socketPathBytesMax = 107
    private static let expected = "127.0.0.1:8080, [::1]:8080 or unix:/path"

    init(_ declaration: ListenerDeclaration, _ scope: Scope, clientNames: [String]) {
        self.declaration = declaration
        self.scope = scope
        self.clientNames = clientNames
    }

    /// - Returns: nil where its address is wrong.
    func run() -> Listener? {
        // What it says is looked at even where the address is wrong; it counts as a socket then.
        var listener = Listener(declaration.address ?? .unix(path: "/"))
        declaration.settings.apply(to: &listener, scope)
        if let tls = listener.tls, tls.identities.isEmpty, declaration.settings.tells("tls") {
            (scope / "tls").mistake("no certificate", at: .value, expected: "at least one certificate with its key")
        }
        if let grants = listener.grants { check(grants, listener) }
        checkMode(listener)
        return declaration.address.map { check($0) } == true ? listener : nil
    }

    private func checkMode(_ listener: Listener) {
        guard declaration.settings.says("mode") else { return }
        if !(0...0o777).contains(listener.mode) {
            (scope / "mode").mistake(
                "these are no permissions", at: .value, expected: "three octal digits such as 0660")
        }
        if case .tcp = listener.address {
            (scope / "mode").mistake("'mode' is for Unix sockets", expected: "an address unix:/path")
        }
    }

    private func check(_ address: Listener.Address) -> Bool {
        let scope = scope / "address"
        switch address {
        case .unix(let path): return Self.check(socket: path, scope)
        case .tcp(let host, let port):
            guard (0...65_535).contains(port) else {
                scope.mistake("\(port) is no port", at: .value, expected: Self.expected)
                return false
            }
            // A name needs a resolver, and may then mean an address of the network.
            guard HostPort.isIPv4(host) || HostPort.isIPv6(host) else {
                scope.mistake(
                    "'\(host)' is a name, not an address", at: .value, expected: Self.expected,
                    suggestion: .didYouMean("127.0.0.1:\(port)"))
                return false
            }
            if !HostPort.isLoopback(host) {
                scope.warning(
                    "'\(address)' can be reached from other machines, and with it every upstream's bearer", at: .value,
                    suggestion: .advice("listen on 127.0.0.1 or a Unix socket unless that is meant"))
            }
            return true
        }
    }

    /// Whether a path can be bound.
    static func check(socket path: String, _ scope: Scope) -> Bool {
        if path.hasPrefix("/"), path.utf8.count <= socketPathBytesMax, !path.hasSuffix("/") { return true }
        scope.mistake(
            "'\(path)' is no path for a socket", at: .value,
            expected: "unix: and an absolute path of at most \(socketPathBytesMax) bytes")
        return false
    }

    private func check(_ grants: Grants, _ listener: Listener) {
        let scope = scope / "allow"
        grants.check(scope, clientNames)
        if case .tcp = listener.address, !grants.users.isEmpty || !grants.groups.isEmpty {
            scope.mistake(
                "users and groups are known at Unix sockets only", expected: "an address unix:/path, or {client: …}")
        }
        let isUnread = declaration.settings.says("tls") && !declaration.settings.tells("tls")
        if !grants.subjects.isEmpty, listener.tls?.clientCA == nil, !isUnread {
            scope.mistake(
                "this listener asks for no client certificate",
                expected: "tls: with client-ca:, the authorities of client certificates")
        }
    }
}
