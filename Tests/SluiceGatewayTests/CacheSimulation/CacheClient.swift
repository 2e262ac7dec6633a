@testable import SluiceGateway

/// One client with one request, and what its answer has to be.
final class CacheClient {
    let id: Int
    let peer: ClientPeer
    let resource: Int
    let method: String
    /// Which value of a document; nil for the whole.
    let part: String?
    /// Whether it wants all pages of a list.
    private let isList: Bool
    let authorization: String?
    let language: String
    /// The resources whose content the answer has, and what of each had been confirmed to other clients when this one
    /// asked.
    private let sources: [(resource: Int, versionMin: Int)]
    /// What had been purged when it asked.
    let purgedBefore: Int
    private(set) var hasLeft = false
    /// What it reads may have waited for it for long.
    private var isSlow = false

    init(
        _ id: Int, _ peer: ClientPeer, resource: Int, told: [Int: Int], _ history: CacheHistory,
        using random: inout SeededGenerator
    ) {
        self.id = id
        self.peer = peer
        self.resource = resource
        let nature = CachedWorld.nature(resource)
        let isDocument = nature == .document
        let isMoved = [.moved, .movedForOne].contains(nature)
        part = isDocument && random.chance(85) ? (random.chance(50) ? "a" : "b") : nil
        method = random.pick(["GET": 80, "HEAD": 8, "PUT": part == nil && !isMoved ? 8 : 0])
        isList = nature == .list && method == "GET" && random.chance(85)
        sources = (method == "PUT" || nature == .list && !isList ? [resource] : CachedWorld.sources(resource))
            .map { ($0, told[$0] ?? 0) }
        let knows: [CachedWorld.Nature] = [.personal, .common]
        authorization = knows.contains(nature) || random.chance(5) ? "of-\(id % 3)" : nil
        language = CachedWorld.languages[random.number(0...1)]
        let target = part.map { "/doc/\(resource)/\($0)" } ?? (isList ? "/list/\(resource)" : "/raw/\(resource)")
        let binding = part.map { "GET /doc/{id}/\($0)" } ?? (isList ? "GET /list/{id}" : "ANY /raw/**")
        purgedBefore = history.lastPurge(binding: binding, target: target)
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
        guard let versions = versions(of: answer) else { return isList ? nil : "an answer of nobody" }
        for (source, version) in zip(sources, versions) {
            if let fault = fault(version, of: source.resource, atLeast: source.versionMin, history, now: now) {
                return "\(source.resource): \(fault)"
            }
        }
        history.judged(id)
        if method == "HEAD" { return nil }
        let body = body(versions)
        if answer.isComplete, answer.text != body { return "'\(answer.text.prefix(80))' and not '\(body.prefix(80))'" }
        return body.hasPrefix(answer.text) ? nil : "'\(answer.text.prefix(80))' is no part of '\(body.prefix(80))'"
    }

    /// Which version of each of its sources an answer has; of a list it is not known before all of it is there.
    private func versions(of answer: Message) -> [Int]? {
        guard isList else { return answer["X-Version"].flatMap { Int($0) }.map { [$0] } }
        guard answer.isComplete else { return nil }
        let versions = answer.text.split(separator: ",").map { Int($0.split(separator: ".").dropFirst().first ?? "") }
        return versions.count == sources.count ? versions.compactMap(\.self) : [-1, -1]
    }

    private func fault(
        _ version: Int, of source: Int, atLeast versionMin: Int, _ history: CacheHistory, now: UInt64
    ) -> String? {
        if version < versionMin { return "version \(version), and \(versionMin) was there before it asked" }
        guard let confirmed = history.confirmed[source]?[version] else { return "version \(version) never was" }
        if history.serial(source, version) <= purgedBefore { return "version \(version) is older than a purge" }
        let behindMax = CachedWorld.behindMax + (sources.count > 1 ? CachedWorld.fetchMax : 0)
        if !history.isJudged(id), !isSlow, now > confirmed + behindMax {
            return "version \(version) was confirmed \((now - confirmed) / 1_000_000_000) s ago"
        }
        return nil
    }

    private func body(_ versions: [Int]) -> String {
        let bodies = zip(sources, versions).map { source, version in
            CachedWorld.body(
                source.resource, version: version, client: id, owner: source.resource == resource ? nil : id,
                authorization: authorization, language: language)
        }
        switch part {
        case "a": return "[\(resource), \(versions[0])]"
        case "b": return "\"\(resource).\(versions[0]).\""
        default: break
        }
        // The items of all pages are those of one list.
        return isList ? "[\(bodies.map { $0.dropFirst().dropLast() }.joined(separator: ","))]" : bodies[0]
    }
}
