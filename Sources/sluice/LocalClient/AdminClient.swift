internal import ArgumentParser
internal import SluiceContract
internal import SluiceIO
internal import SluiceSockets

/// Asks the admin socket of a running daemon.
struct AdminClient: Sendable {
    let address: SocketAddress
    /// For every wait.
    private let seconds: Int

    /// - Parameter seconds: for every wait; a walk through a full cache takes a while.
    init(path: String, seconds: Int = 60) throws {
        guard let address = SocketAddress(unixPath: path) else {
            throw ValidationError("'\(path)' is too long for the path of a socket")
        }
        self.address = address
        self.seconds = seconds
    }

    /// Whether a daemon answers.
    func reach() throws(StreamSocket.Failure) { _ = try StreamSocket(to: address, seconds: seconds) }

    /// The socket that a configuration names.
    /// - Throws: exit code 1 where there is none.
    static func path(in file: ConfigurationFile) throws -> String {
        if let path = try file.address(\.admin) { return path }
        let step = AdminFolder.firstStep
        throw Say.failure(
            """
            sluice: \(file.name) has no admin socket; add a line such as
              admin: \(AdminFolder.usualSocket)
            \(step.isEmpty ? "and " : step)reload the daemon (by SIGHUP, as it has none yet), or pass --socket
            """)
    }

    /// The parameters of a question; those without a value are left out.
    typealias Query = [(name: String, value: String?)]

    /// - Returns: the JSON of a good answer.
    /// - Throws: exit code 1 with what is wrong on standard error.
    func ask(
        _ path: String, _ query: Query = [], by method: String = "GET", fields: [(name: String, value: String)] = []
    ) throws -> [UInt8] {
        let (answer, body): (LocalClient.Answer, [UInt8])
        do throws(StreamSocket.Failure) {
            (answer, body) = try Progress.during("waiting for the daemon at \(address)") {
                () throws(StreamSocket.Failure) in try send(path, query, by: method, fields: fields)
            }
        } catch {
            throw Say.failure("sluice: \(error)\(Self.advice(error))")
        }
        if answer.status < 400 { return body }
        throw Say.failure("sluice: " + Self.words(of: body))
    }

    /// The answer, good or not.
    func send(
        _ path: String, _ query: Query = [], by method: String, fields: [(name: String, value: String)] = []
    ) throws(StreamSocket.Failure) -> (answer: LocalClient.Answer, body: [UInt8]) {
        var body: [UInt8] = []
        let request = Self.request(path, query, by: method, fields: fields)
        let answer = try LocalClient(address: address, seconds: seconds).send(request, body: { body += $0 })
        return (answer, body)
    }

    static func request(
        _ path: String, _ query: Query, by method: String = "GET", fields: [(name: String, value: String)] = []
    ) -> LocalRequest {
        let pairs = query.compactMap { pair in
            pair.value.map { "\(pair.name)=\(Encoded.query($0))" }
        }
        let target = pairs.isEmpty ? path : "\(path)?\(pairs.joined(separator: "&"))"
        return LocalRequest(method: method, target: target, authority: "localhost", fields: fields)
    }

    /// Advice if no daemon was reached.
    static func advice(_ failure: StreamSocket.Failure) -> String {
        if failure.isDenied { return "; run this as root, or as the user that the daemon runs as" }
        return failure.isUnconnected ? "; is the daemon running, with 'admin:' in its configuration?" : ""
    }

    /// Asks, and decodes the answer.
    func ask<Answer: Decodable>(
        _ type: Answer.Type, _ path: String, _ query: Query = [], by method: String = "GET",
        fields: [(name: String, value: String)] = []
    ) throws -> Answer {
        try Self.read(type, try ask(path, query, by: method, fields: fields))
    }

    /// - Throws: exit code 1 where it is something else.
    static func read<Answer: Decodable>(_ type: Answer.Type, _ body: [UInt8]) throws -> Answer {
        do {
            return try JSONReading.value(type, of: body, isSnakeCase: true)
        } catch {
            throw Say.failure("sluice: the daemon's answer is not understood; is it another version? \(error)")
        }
    }

    private struct ProblemDetails: Decodable {
        var detail: String
        var faults: [Fault]?

        struct Fault: Decodable {
            var name: String
            var expected: String
            var found: String
            var hint: String?
        }
    }

    static func words(of body: [UInt8]) -> String {
        guard let problem = try? JSONReading.value(ProblemDetails.self, of: body) else {
            return printable(String(decoding: body, as: UTF8.self))
        }
        let faults = (problem.faults ?? []).map { fault in
            "\n  \(fault.name): expected \(fault.expected), found \(fault.found)" + (fault.hint.map { "; \($0)" } ?? "")
        }
        return printable(problem.detail + faults.joined())
    }

    /// Line by line: the daemon's words may come from another server.
    private static func printable(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
            .joined(separator: "\n")
    }
}
