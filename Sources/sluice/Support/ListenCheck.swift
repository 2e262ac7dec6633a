internal import SluiceConfig
internal import SluiceContract
internal import SluiceFiles
internal import SluiceIO
internal import SluiceRules

/// Whether the configured addresses could be listened on now.
struct ListenCheck {
    /// Addresses that a daemon could not have.
    private(set) var mistakes: [Mistake] = []
    /// Addresses that a Sluice which runs already has; mostly it is the one that will read the file.
    private(set) var warnings: [Mistake] = []

    /// - Parameter source: the file that `listeners` come from, which is searched for the places of the mistakes.
    init(_ listeners: [Listener], in source: ConfigurationFile) {
        let text = (try? FileReader.contents(of: source.path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let failures = listeners.compactMap { listener in
            Server.probe(listener).map { (listener, failure: $0, isSluice: $0.isInUse && Self.isSluice(listener)) }
        }
        let isRunning = failures.contains(where: \.isSluice)
        for (listener, failure, isSluice) in failures {
            let place = Self.place(of: "\(listener.address)", in: lines) ?? Self.place(of: "listen:", in: lines)
            // Behind TLS nobody can be asked without a certificate to trust: the other listeners answer for it.
            let isOwn = isSluice || (isRunning && failure.isInUse && listener.tls != nil)
            let mistake = Mistake(
                file: source.name, line: place?.line ?? 1, column: place?.column ?? 1,
                message: isOwn ? "\(listener.address) is in use by a Sluice that runs already" : "\(failure)",
                suggestion: .advice(
                    isOwn
                        ? "reload that one, or end it before another is started"
                        : "or pass --skip-ports where the running daemon is the one that has it"),
                sourceLine: place.map { String(lines[$0.line - 1]) })
            if isOwn { warnings.append(mistake) } else { mistakes.append(mistake) }
        }
    }

    /// Asks whoever listens there what the server as a whole can do (RFC 9110 §9.3.7), which no upstream hears of.
    private static func isSluice(_ listener: Listener) -> Bool {
        guard let address = LocalAddress(listener), !address.isTLS else { return false }
        let request = LocalRequest(method: "OPTIONS", target: "*", authority: address.authority)
        let answer = try? LocalClient(address: address.socket, seconds: 1).send(request, headOnly: true)
        return answer?.head.contains("\nServer: sluice\n") == true
    }

    private static func place(of word: String, in lines: [Substring]) -> (line: Int, column: Int)? {
        for (index, line) in lines.enumerated() {
            let code = line.prefix { $0 != "#" }
            guard let range = code.firstRange(of: word) else { continue }
            return (index + 1, line.distance(from: line.startIndex, to: range.lowerBound) + 1)
        }
        return nil
    }
}
