internal import SluiceContract

/// Checks of the gateway as a whole: its listeners and its clients.
struct GatewayCheck {
    let declaration: ConfigurationDeclaration
    let scope: Scope
    private(set) var configuration = Configuration()
    private var clientNames: [String] { configuration.clients.map(\.name) }

    init(_ declaration: ConfigurationDeclaration, _ scope: Scope) {
        self.declaration = declaration
        self.scope = scope
    }

    mutating func run() {
        configuration.add(declaration.settings, scope)
        if case .names(let names) = configuration.hosts {
            var seen: Set<String> = []
            configuration.hosts = .names(names.filter { seen.insert($0).inserted })
        }
        addClients()
        addListeners()
        addAdmin()
        addMonitor()
    }

    private mutating func addClients() {
        var places: [[UInt8]: ConfigurationPath] = [:]
        for client in declaration.clients {
            let scope = scope / "clients" / client.name
            guard UpstreamCheck.checkName(client.name, "a client", scope) else { continue }
            for (index, digest) in client.keyDigests.enumerated() {
                guard let digest else { continue }
                let scope = (scope / "key")[index]
                if digest.count != 32 {
                    scope.mistake("this is no SHA-256 of a key", at: .value, expected: "32 bytes")
                }
                if let place = places[digest] {
                    scope.mistake(
                        "this key stands in \(place: place) already", at: .value, expected: "a key for each client")
                }
                places[digest] = scope.path
            }
            client.rate?.check(scope / "rate")
            configuration.clients.append(
                KnownClient(name: client.name, keyDigests: client.keyDigests.compactMap(\.self), rate: client.rate))
        }
    }

    /// An address with a mistake is left out: no program should be looked for at another one.
    private mutating func addListeners() {
        guard let declared = declaration.listeners else { return }
        let scope = scope / "listen"
        if declared.isEmpty {
            scope.mistake("nothing is listened on", at: .value, expected: "at least one address")
        }
        configuration.listen = []
        for (index, declaration) in declared.enumerated() {
            guard let declaration else { continue }
            guard let listener = ListenerCheck(declaration, scope[index], clientNames: clientNames).run() else {
                continue
            }
            let isTwice = configuration.listen.contains { $0.address == listener.address }
            if isTwice, !listener.address.isAnyPort {
                scope[index].mistake(
                    "'\(listener.address)' is listened on twice", at: .value, expected: "each address once")
            }
            configuration.listen.append(listener)
        }
    }

    private mutating func addAdmin() {
        guard let path = declaration.admin, ListenerCheck.check(socket: path, scope / "admin") else { return }
        configuration.admin = path
        if configuration.listen.contains(where: { $0.address == .unix(path: path) }) {
            (scope / "admin").mistake(
                "'\(path)' is listened on under 'listen:' already", at: .value, expected: "another path")
        }
    }

    private mutating func addMonitor() {
        guard let declared = declaration.monitor else { return }
        let scope = scope / "admin"
        for (index, digest) in declared.keyDigests.enumerated() {
            guard let digest, digest.count != 32 else { continue }
            (scope / "key")[index].mistake("this is no SHA-256 of a key", at: .value, expected: "32 bytes")
        }
        guard let address = declared.address else { return }
        let expected = "an address of the loopback such as 127.0.0.1:9100"
        guard case .tcp(let host, let port) = address, (0...65_535).contains(port), HostPort.isLoopback(host) else {
            // Metrics reveal which bindings clients use.
            (scope / "address").mistake(
                "'\(address)' is no address of the loopback", at: .value, expected: expected,
                suggestion: .advice("let a collector on this machine ask it, and pass on what it is told"))
            return
        }
        if port != 0, configuration.listen.contains(where: { $0.address == address }) {
            (scope / "address").mistake(
                "'\(address)' is listened on under 'listen:' already", at: .value, expected: "another port")
        }
        configuration.monitor = MonitorPlace(
            host: host, port: port, keyDigests: declared.keyDigests.compactMap(\.self))
    }
}

extension Listener.Address {
    /// Port 0 takes any free port, so several of them are several listeners.
    fileprivate var isAnyPort: Bool {
        if case .tcp(_, 0) = self { true } else { false }
    }
}
