import SluiceContract
import Testing

@testable import SluiceGateway

/// Clients that ask for composed answers, parts and wholes at random, leave at any time, while origins answer, fail and
/// fall silent, and time passes; all from a seed.
@Suite struct CompositionSimulationTests {
    /// What is stored or not, and how much each says of it.
    private static func configuration(_ random: inout SeededGenerator) throws -> Configuration {
        var bindings = try ComposedBench.bindings()
        for index in 0..<4 where random.chance(60) {
            bindings[index].cache = CachePolicy()
            bindings[index].cache?.fresh = .seconds(random.number(1...3))
        }
        bindings.append(
            try ComposedBench.composed(
                "GET /profile/{id}", CompositionTests.profile, value: CompositionTests.value))
        bindings.append(
            try ComposedBench.composed(
                "GET /outer/{id}", ["inner": "GET /profile/{id}", "user": "GET /users/{id}"],
                value: "{name: String from inner.name, id: Int from user.id}"))
        for index in 6...7 {
            bindings[index].timeout?.total = .seconds(random.number(1...20))
            if random.chance(40) { bindings[index].cache = CachePolicy() }
        }
        return Build.configuration(bindings, types: try ComposedBench.types())
    }

    private static func body(_ target: String) -> String {
        let parts = target.split(separator: "/")
        switch parts[1] {
        case "users": return #"{"id":\#(parts[2]),"name":"n\#(parts[2])","city":"c","badges":["a","b","\#(parts[2])"]}"#
        case "badges": return #"{"badge_code":"\#(parts[2])","since":0}"#
        case "weather": return "21"
        default: return #"[{"title":"t"}]"#
        }
    }

    /// What a client that asked for this may get, where all went well but for what may be missing.
    private static func expected(_ target: String) -> [String] {
        let id = String(target.split(separator: "/")[1])
        let badges = ["a", "b", id].map { #"{"code":"\#($0)","since":"1970-01-01T00:00:00Z"}"# }.joined(separator: ",")
        if target.hasPrefix("/outer") { return [#"{"name":"n\#(id)","id":\#(id)}"#] }
        if target.hasPrefix("/users") { return [body("/v1" + target)] }
        return ["21", "null"].map {
            #"{"name":"n\#(id)","posts":[{"title":"t"}],"badges":[\#(badges)],"weather":\#($0)}"#
        }
    }

    @Test(arguments: 0..<60)
    func nothingLeaksAndNothingIsAskedTwice(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let configuration = try Self.configuration(&random)
        let composed = try ComposedBench(configuration)
        let bench = composed.bench
        let stored = Set(configuration.bindings[..<4].filter { $0.cache != nil }.map { $0.path.segments[0] })
        var clients: [(peer: ClientPeer, target: String)] = []
        for _ in 0..<120 {
            switch random.number(0...9) {
            case 0...2 where clients.count < 12:
                let id = random.number(1...2)
                let target = random.pick(["/profile/\(id)": 4, "/outer/\(id)": 2, "/users/\(id)": 1])
                let client = bench.client()
                client.request("GET", target)
                clients.append((client, target))
            case 3...7:
                guard let request = composed.open.randomElement(using: &random) else { continue }
                composed.answers[request.target] =
                    random.chance(85) ? Self.body(request.target) : random.chance(50) ? "503 busy" : "{"
                composed.answerOne(request.origin)
            case 8:
                guard let leaving = clients.indices.randomElement(using: &random) else { continue }
                clients.remove(at: leaving).peer.reset()
            default: bench.advance(by: .milliseconds(random.number(1...4000)))
            }
            expectOneRequestEach(composed, stored)
            clients.removeAll { peer, target in
                guard let answer = peer.answers.first, answer.isComplete else { return false }
                check(answer, target)
                peer.reset()
                return true
            }
        }
        bench.advance(by: .seconds(120))
        for (peer, target) in clients {
            if let answer = peer.answers.first { check(answer, target) } else { Issue.record("no answer to \(target)") }
            peer.reset()
        }
        bench.expectQuiet()
    }

    private func check(_ answer: Message, _ target: String) {
        if answer.status == 200 {
            #expect(Self.expected(target).contains(answer.text), "\(target)")
        } else if target.hasPrefix("/users") {
            #expect(answer.status >= 500)
        } else {
            #expect(answer.text.contains(#""part":""#), "\(answer.text)")
        }
    }

    /// However many want a part that is stored, one request for it is under way.
    private func expectOneRequestEach(_ composed: ComposedBench, _ stored: Set<PathTemplate.Segment>) {
        var seen: Set<String> = []
        for (target, _) in composed.open {
            let first = target.dropFirst("/v1/".count).prefix { $0 != "/" && $0 != "?" }
            guard stored.contains([.text(String(first))]) else { continue }
            #expect(seen.insert(target).inserted, "\(target) is asked twice at a time")
        }
    }
}
