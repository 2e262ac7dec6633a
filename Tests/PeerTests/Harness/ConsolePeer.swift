import Foundation

/// `sluice console` for a daemon, and what its page would ask of it.
final class ConsolePeer: Sendable {
    let process: ChildProcess
    let port: UInt16
    /// What the printed address has behind its `#link=`.
    let link: String
    /// As it is printed.
    let url: String

    init(_ file: String, _ arguments: String...) throws {
        let process = try ChildProcess([Daemon.binary, "console", "--no-open", "--config", file] + arguments)
        self.process = process
        url = try Poll.until("a link is printed") {
            if let status = process.exitStatus { throw HarnessError("it ended with \(status): \(process.errors)") }
            return process.output.contains("\n") ? process.output.split(separator: "\n").first.map(String.init) : nil
        }
        guard let parts = URLComponents(string: url), let port = parts.port.flatMap({ UInt16(exactly: $0) }),
            let fragment = parts.fragment, fragment.hasPrefix("link=")
        else { throw HarnessError("no link: \(url)") }
        self.port = port
        link = String(fragment.dropFirst("link=".count))
    }

    func end() { process.end() }

    /// One request, sent as it is.
    func send(
        _ method: String, _ target: String, host: String? = nil, fields: [String] = [], body: String? = nil
    ) throws -> HTTPResponse {
        let client = try open(method, target, host: host, fields: fields, body: body)
        return try client.response(to: method)
    }

    /// The same, with an answer that is still to be read.
    func open(
        _ method: String, _ target: String, host: String? = nil, fields: [String] = [], body: String? = nil
    ) throws -> HTTPClient {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"] + fields
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        let client = try HTTPClient(port: port)
        client.connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
        return client
    }

    /// Opens the session, as the page does first.
    func session() throws -> Session {
        let answer = try send("POST", "/session", body: "{\"link\": \"\(link)\"}")
        struct Opened: Decodable { var key: String }
        let key = try JSONDecoder().decode(Opened.self, from: Data(answer.body)).key
        return Session(console: self, key: key)
    }

    struct Session {
        let console: ConsolePeer
        let key: String

        var authorization: String { "Authorization: Bearer \(key)" }

        func ask(_ method: String, _ path: String, body: String? = nil) throws -> HTTPResponse {
            try console.send(method, "/api" + path, fields: [authorization], body: body)
        }

        /// The members of a JSON object that answers.
        func members(_ method: String, _ path: String, body: String? = nil) throws -> [String: Any] {
            let answer = try ask(method, path, body: body)
            guard let members = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any] else {
                throw HarnessError("no object: \(answer.text)")
            }
            return members
        }
    }
}
