internal import SluiceContract
internal import SluiceHTTP
internal import SluiceIO
internal import SluiceSockets
internal import Glibc

/// Checks one endpoint of an upstream by a HEAD request without credentials: its name, its certificate, its answer and
/// its clock.
struct UpstreamCheckup: Sendable {
    private let upstream: Upstream
    private let origin: Upstream.Origin

    /// For each of connecting and answering.
    private static let limit = Duration.seconds(5)
    static let secondsMax = 10
    /// Signatures and tokens are refused where clocks differ by minutes.
    private static let skewSecondsMax = 60
    private static let headBytesMax = 32 << 10

    init(_ upstream: Upstream, at origin: Upstream.Origin) {
        (self.upstream, self.origin) = (upstream, origin)
    }

    var place: String {
        switch origin {
        case .tcp(let host, let port, let isTLS): "\(isTLS ? "https" : "http")://\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }

    private var subject: String { upstream.name }

    func run() -> [Diagnosis] {
        let begin = MonotonicClock.now()
        do {
            let stream = try connect()
            let head = try ask(stream)
            let milliseconds = (MonotonicClock.now() - begin) / 1_000_000
            guard let line = head.split(separator: "\r\n").first, line.hasPrefix("HTTP/1."),
                let status = Self.status(line)
            else {
                return [.note(subject, "\(place) is reached, and answers HEAD with no HTTP/1.1", "is it HTTP/2 alone?")]
            }
            // Not every server supports HEAD; one that says so is reachable.
            if status == 501 || status == 405 {
                let words = "\(place) is reached (it does not answer HEAD), within \(milliseconds) ms"
                return [.fine(subject, words)] + [Self.clock(head)].compactMap { $0 }
            }
            let words = "\(place) answers \(status) to HEAD \(target), within \(milliseconds) ms"
            let found: Diagnosis =
                status >= 500
                ? .note(subject, words, "it is reached; what it says is its own trouble") : .fine(subject, words)
            return [found] + [Self.clock(head)].compactMap { $0 }
        } catch {
            return [.trouble(subject, "\(place): \(error)", advice("\(error)"))]
        }
    }

    /// Not the base path, for which some APIs want a token.
    private let target = "/"

    private func connect() throws -> BlockingStream {
        let deadline = BlockingStream.Deadline(in: Self.limit, "no connection within 5 s")
        switch origin {
        case .unix(let path): return try BlockingStream.connect(unixPath: path, by: deadline)
        case .tcp(let host, let port, let isTLS):
            // Without the client certificate, which is a credential.
            var tls = upstream.tls
            (tls.certificate, tls.key) = (nil, nil)
            let context = isTLS ? try TLSContext.client(tls) : nil
            return try BlockingStream.connect(host: host, port: port, tls: context, by: deadline)
        }
    }

    private func ask(_ stream: BlockingStream) throws -> String {
        let deadline = BlockingStream.Deadline(in: Self.limit, "no answer within 5 s")
        let request = """
            HEAD \(target) HTTP/1.1\r
            Host: \(authority)\r
            User-Agent: sluice-doctor/\(Release.version)\r
            Accept: */*\r
            Connection: close\r
            \r

            """
        try stream.send(Array(request.utf8), by: deadline)
        var head: [UInt8] = []
        let page = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
        defer { page.deallocate() }
        while head.count < Self.headBytesMax, !head.isHeadComplete {
            let count = try stream.receive(into: page, by: deadline)
            if count == 0 { break }
            head += page[..<count]
        }
        return String(decoding: head, as: UTF8.self)
    }

    private var authority: String {
        if case .fixed(let host) = upstream.host { return host }
        switch origin {
        case .unix: return "localhost"
        case .tcp(let host, let port, let isTLS):
            let name = host.contains(":") ? "[\(host)]" : host
            return port == (isTLS ? 443 : 80) ? name : "\(name):\(port)"
        }
    }

    private static func status(_ line: Substring) -> Int? {
        line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }

    /// The difference between its clock and ours; nil if it is small.
    private static func clock(_ head: String) -> Diagnosis? {
        let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("date:") }
        guard let value = line?.dropFirst(5).drop(while: { $0 == " " }) else { return nil }
        // An answer from a cache has an old `Date` (RFC 9111 §5.1).
        if head.split(separator: "\r\n").contains(where: { $0.lowercased().hasPrefix("age:") }) { return nil }
        let now = time(nil)
        guard let then = Array(value.utf8).withUnsafeBytes({ HTTPDate.parse($0, now: now) }),
            abs(then - now) > skewSecondsMax
        else { return nil }
        return .trouble(
            "clock", "this machine's is \(abs(then - now)) s \(then > now ? "behind" : "ahead of") that of an upstream",
            "timedatectl status; tokens and signatures fail by it")
    }

    private func advice(_ reason: String) -> String {
        if reason.contains("TLS") {
            return "look at its 'tls:'; an authority of your own goes into 'tls: {ca: FILE}'"
        }
        if reason.contains("refused") { return "does it run, and is the port of 'url:' right?" }
        if reason.contains("no connection") { return "a firewall? Sluice goes through no proxy" }
        return "is the host of 'url:' right, and does this machine reach it? --offline leaves this out"
    }
}

extension [UInt8] {
    /// Whether the empty line behind the fields has arrived.
    fileprivate var isHeadComplete: Bool {
        count >= 4 && indices.dropLast(3).contains { self[$0...].starts(with: [0x0d, 0x0a, 0x0d, 0x0a]) }
    }
}
