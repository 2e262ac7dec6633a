internal import SluiceConfig
internal import SluiceContract
internal import SluiceIO
internal import SluiceSockets

/// Whether the configured addresses could be listened on now.
struct ListenCheck {
    /// An address that could not be listened on.
    struct Finding {
        enum Holder {
            /// A daemon of Sluice, mostly the one that will read the file.
            case sluice
            /// systemd, which starts the service for the first client.
            case activator
            case other
        }

        var holder: Holder
        var mistake: Mistake
    }

    let findings: [Finding]

    /// Addresses that a daemon could not have.
    var mistakes: [Mistake] { findings.filter { $0.holder == .other }.map(\.mistake) }
    /// Addresses that a daemon has, or will have.
    var warnings: [Mistake] { findings.filter { $0.holder != .other }.map(\.mistake) }

    /// - Parameter source: the file that `listeners` come from, which is searched for the places of the mistakes.
    init(_ listeners: [Listener], in source: ConfigurationFile) {
        let text = PageText(source)
        var failures = listeners.compactMap { listener in
            Server.probe(listener).map { (listener: listener, occupant: Occupant($0, listener)) }
        }
        if failures.contains(where: { $0.occupant.holder == .sluice }) {
            // A TLS listener cannot be asked without trusting its certificate: the other listeners answer for it.
            for index in failures.indices where failures[index].listener.tls != nil {
                failures[index].occupant.isSluices(failures[index].listener)
            }
        }
        findings = failures.map { listener, occupant in
            let places = ["\(listener.address)", "listen:"]
            return Finding(
                holder: occupant.holder, mistake: text.mistake(occupant.words, at: places, advice: occupant.advice))
        }
    }

    /// The program that has an address, and what to do about it.
    private struct Occupant {
        var holder = Finding.Holder.other
        var words: String
        var advice = "or pass --skip-ports where the running daemon is the one that has it"
        private let isInUse: Bool

        init(_ failure: Server.StartFailure, _ listener: Listener) {
            (words, isInUse) = (failure.description, failure.isInUse)
            guard isInUse else { return }
            let found = SocketAddress(listener.address).flatMap(SocketHolder.of)
            if case .activator(let name) = found {
                holder = .activator
                words = "\(listener.address) is held by \(name), which starts the service for the first client"
                advice = "as it should be where that is its socket: systemctl status sluice.socket"
            } else if ListenCheck.isSluice(listener) {
                isSluices(listener)
            } else if case .program(let name, let process) = found {
                words = "\(listener.address) is in use by \(name) (process \(process))"
                advice = "choose another address under 'listen:', " + advice
            }
        }

        mutating func isSluices(_ listener: Listener) {
            guard isInUse, holder != .activator else { return }
            holder = .sluice
            words = "\(listener.address) \(ListenCheck.sluices)"
            advice = ListenCheck.adviceOnSluice
        }
    }

    private static let sluices = "is in use by a Sluice that runs already"
    private static let adviceOnSluice = "reload that one, or end it before another is started"

    /// Sockets in the file system that a Sluice has, in words: whether such a one is free is not tried.
    static func socketsOfSluice(_ listeners: [Listener]) -> [String] {
        listeners.compactMap { listener in
            guard case .unix = listener.address, isSluice(listener) else { return nil }
            return "\(listener.address) \(sluices); \(adviceOnSluice)"
        }
    }

    /// Asks the server at the address for its options as a whole (RFC 9110 §9.3.7), which no upstream gets.
    fileprivate static func isSluice(_ listener: Listener) -> Bool {
        guard let address = LocalAddress(listener), !address.isTLS else { return false }
        let request = LocalRequest(method: "OPTIONS", target: "*", authority: address.authority)
        var body: [UInt8] = []
        let client = LocalClient(address: address.socket, seconds: 1)
        // The admin socket identifies itself only in its problems.
        let isForBindings = listener.purpose == .bindings
        let answer = try? client.send(request, headOnly: isForBindings, body: { body += $0 })
        return answer?.head.contains("\nServer: sluice\n") == true
            || String(decoding: body, as: UTF8.self).contains("\"urn:sluice:problem:")
    }
}
