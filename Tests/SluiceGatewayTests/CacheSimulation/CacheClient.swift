@testable import SluiceGateway

/// One client with one request, and what its answer has to be.
final class CacheClient {
    let id: Int
    let peer: ClientPeer
    let resource: Int
    let method: String
    /// Which value of a document; nil for the whole.
    let part: String?
    let authorization: String?
    let language: String
    /// What had been confirmed to other clients when this one asked.
    let versionMin: Int
    /// What had been purged when it asked.
    let purgedBefore: Int
    private(set) var hasLeft = false
    /// What it reads may have waited for it for long.
    private var isSlow = false

    init(
        _ id: Int, _ peer: ClientPeer, resource: Int, versionMin: Int, _ history: CacheHistory,
        using random: inout SeededGenerator
    ) {
        self.id = id
        self.peer = peer
        self.resource = resource
        self.versionMin = versionMin
        let isDocument = CachedWorld.nature(resource) == .document
        part = isDocument && random.chance(85) ? (random.chance(50) ? "a" : "b") : nil
        method = random.pick(["GET": 80, "HEAD": 8, "PUT": part == nil ? 8 : 0])
        let knows: [CachedWorld.Nature] = [.personal, .common]
        authorization = knows.contains(CachedWorld.nature(resource)) || random.chance(5) ? "of-\(id % 3)" : nil
        language = CachedWorld.languages[random.number(0...1)]
        let target = part.map { "/doc/\(resource)/\($0)" } ?? "/raw/\(resource)"
        purgedBefore = history.lastPurge(
            binding: part.map { "GET /doc/{id}/\($0)" } ?? "ANY /raw/**", target: target)
        var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nX-Client: \(id)\r\nX-Lang: \(language)\r\n"
        if let authorization { text += "Authorization: \(authorization)\r\n" }
        if method == "PUT" { text += "Content-Length: 0\r\n" }
        if method == "GET", random.chance(5) { text += "Cache-Control: no-cache\r\n" }
        peer.request(text + "\r\n")
    }

    var isDone: Bool { peer.isClosed || peer.answers.first?.isComplete == true }

    func stall(_ window: Int) {
        isSlow = true
        peer.window = window
    }

    func leave() {
        hasLeft = true
        peer.reset()
    }

    /// - Returns: what is wrong with the answer.
    func fault(_ history: CacheHistory, now: UInt64) -> String? {
        if let fault = peer.reader.fault { return "client reads \(fault)" }
        guard let answer = peer.answers.first, answer.isHeadComplete else { return nil }
        for cookie in answer.values("Set-Cookie") where cookie != "c=\(id)" { return "a cookie of another: \(cookie)" }
        guard answer.status == 200, method != "PUT" else {
            return [200, 502, 503, 504].contains(answer.status) ? nil : "status \(answer.status)"
        }
        guard let version = answer["X-Version"].flatMap({ Int($0) }) else { return "an answer of nobody" }
        if version < versionMin { return "version \(version), and \(versionMin) was there before it asked" }
        guard let confirmed = history.confirmed[resource]?[version] else { return "version \(version) never was" }
        if history.serial(resource, version) <= purgedBefore { return "version \(version) is older than a purge" }
        if !history.isJudged(id) {
            history.judged(id)
            if !isSlow, now > confirmed + CachedWorld.behindMax {
                return "version \(version) was confirmed \((now - confirmed) / 1_000_000_000) s ago"
            }
        }
        let whole = CachedWorld.body(resource, version: version, authorization: authorization, language: language)
        let body =
            switch part {
            case "a": "[\(resource), \(version)]"
            case "b": "\"\(resource).\(version).\""
            default: whole
            }
        if method == "HEAD" { return nil }
        if answer.isComplete, answer.text != body { return "'\(answer.text.prefix(80))' and not '\(body.prefix(80))'" }
        return body.hasPrefix(answer.text) ? nil : "'\(answer.text.prefix(80))' is no part of '\(body.prefix(80))'"
    }
}
