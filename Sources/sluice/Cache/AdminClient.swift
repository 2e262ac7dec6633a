internal import ArgumentParser
internal import Foundation
internal import SluiceIO

/// Asks the admin socket of a running daemon.
struct AdminClient {
    let path: String
    let address: SocketAddress
    /// For every wait: a walk through a full cache takes a while.
    private static let seconds = 60

    /// - Returns: the JSON of a good answer.
    /// - Throws: exit code 1 with what is wrong on standard error.
    func ask(
        _ path: String, _ query: [(name: String, value: String?)] = [], by method: String = "GET"
    ) throws -> Data {
        var body: [UInt8] = []
        let pairs = query.compactMap { pair in
            pair.value.map { "\(pair.name)=\(Encoded.query($0))" }
        }
        let target = pairs.isEmpty ? path : "\(path)?\(pairs.joined(separator: "&"))"
        let request = LocalRequest(method: method, target: target, authority: "localhost")
        let answer: LocalClient.Answer
        do throws(StreamSocket.Failure) {
            answer = try LocalClient(address: address, seconds: Self.seconds).send(request, body: { body += $0 })
        } catch {
            let advice = error.isUnconnected ? "; is the daemon running, with 'admin:' in its configuration?" : ""
            throw Say.failure("sluice: \(error)\(advice)")
        }
        if answer.status < 400 { return Data(body) }
        throw Say.failure("sluice: " + Self.words(of: Data(body)))
    }

    /// The same, read.
    func ask<Answer: Decodable>(
        _ type: Answer.Type, _ path: String, _ query: [(name: String, value: String?)] = [], by method: String = "GET"
    ) throws -> Answer {
        let data = try ask(path, query, by: method)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        do {
            return try decoder.decode(type, from: data)
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

    private static func words(of body: Data) -> String {
        guard let problem = try? JSONDecoder().decode(ProblemDetails.self, from: body) else {
            return String(decoding: body, as: UTF8.self)
        }
        let faults = (problem.faults ?? []).map { fault in
            "\n  \(fault.name): expected \(fault.expected), found \(fault.found)" + (fault.hint.map { "; \($0)" } ?? "")
        }
        return problem.detail + faults.joined()
    }
}
