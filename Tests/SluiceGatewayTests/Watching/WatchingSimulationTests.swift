import SluiceContract
import Testing

@testable import SluiceGateway

/// Clients that watch, on several loops, come and go, stop reading and come back, while a value changes, origins
/// answer, fail and fall silent, others write, and time passes; all from a seed.
@Suite struct WatchingSimulationTests {
    /// What the origin has, and one client after the other.
    private final class World {
        let bench: WatchBench
        var random: SeededGenerator
        var value = 1
        private(set) var clients: [(peer: ClientPeer, loop: Int, since: Int)] = []
        /// Those who have not read for a while: they may have lost their connections.
        private var stalled: Set<ObjectIdentifier> = []

        init(_ seed: UInt64) throws {
            var random = SeededGenerator(seed: seed)
            let form = WatchPolicy.Form.allCases.randomElement(using: &random) ?? .whole
            let isStored = random.chance(50)
            let history = random.number(0...4)
            let loops = random.number(1...3)
            self.random = random
            bench = try WatchBench(loops: loops) {
                $0.watch?.send = form
                $0.watch?.history = history
                guard isStored else { return }
                $0.cache = CachePolicy()
                $0.cache?.fresh = .seconds(3)
            }
        }

        /// Of a size that makes a patch shorter than the value.
        var document: String { #"{"n":\#(value),"rest":"\#(String(repeating: "x", count: 80))"}"# }

        func step() {
            switch random.number(0...11) {
            case 0,
                1 where clients.count < 12:
                join(nil)
            case 2: leave()
            case 3: stall()
            case 4: value += 1
            case 5: write()
            case 6...8: answer()
            default: bench.advance(by: .milliseconds(random.number(1...6000)))
            }
        }

        private func join(_ id: String?) {
            let loop = random.number(0...bench.benches.count - 1)
            let peer = id.map { bench.watch("/fruits", "Last-Event-ID: \($0)", on: loop) } ?? bench.watch(on: loop)
            let since = id.flatMap { Int($0.split(separator: "-")[1]) } ?? 0
            clients.append((peer, loop, since))
        }

        private func leave() {
            guard let index = clients.indices.randomElement(using: &random) else { return }
            let (peer, _, since) = clients.remove(at: index)
            check(peer, since)
            let id = bench.events(peer).last { $0.id != nil }?.id
            peer.reset()
            bench.deliver()
            if random.chance(40), let id { join(id) }
        }

        private func stall() {
            guard let client = clients.randomElement(using: &random) else { return }
            if client.peer.window == .max {
                stalled.insert(ObjectIdentifier(client.peer))
                client.peer.window = random.number(0...300)
            } else {
                client.peer.take(.max)
            }
        }

        private func write() {
            let client = bench.benches[random.number(0...bench.benches.count - 1)].client()
            client.request("POST", "/fruits", type: "application/json", body: "{}")
            bench.deliver()
        }

        private func answer() {
            guard let origin = bench.open.randomElement(using: &random) else { return }
            let isWrite = origin.requests.last?.method == "POST"
            if isWrite { value += 1 }
            if random.chance(85) {
                bench.answer(origin, isWrite ? "{}" : document, ["Cache-Control: max-age=2"])
            } else if random.chance(50) {
                bench.answer(origin, "{}", status: 503)
            } else {
                origin.reset()
                bench.deliver()
            }
        }

        /// What the value was, of the value or of a patch.
        private static func number(in data: String) -> Int? {
            let behind = data.firstRange(of: "\"n\":") ?? data.firstRange(of: "\"value\":")
            return behind.flatMap { Int(data[$0.upperBound...].prefix(while: \.isNumber)) }
        }

        /// No change twice, none before one that was told, and each patch fits on the value before it.
        func check(_ peer: ClientPeer, _ since: Int) {
            var number = since
            var told: Int?
            for event in bench.events(peer) {
                guard let next = event.number else { continue }
                let n = Self.number(in: event.data)
                if event.name != "data", told != nil || since > 0 {
                    #expect(next == number + 1, "a patch of another value")
                }
                // Another loop that has taken over begins to count anew, and tells the whole value.
                if event.name == "data", next <= number { number = 0 }
                #expect(next > number)
                if let n, let told { #expect(n > told, "an older value behind a newer one") }
                (number, told) = (next, n ?? told)
            }
        }

        /// Everybody reads, the origin answers, and all know the same.
        func settle() {
            for client in clients { client.peer.take(.max) }
            // Longer than it may wait after failures, in steps in which no question is given up.
            for _ in 0..<60 {
                while let origin = bench.open.first {
                    bench.answer(origin, origin.requests.last?.method == "POST" ? "{}" : document)
                }
                bench.advance(by: .seconds(10))
            }
            while let origin = bench.open.first { bench.answer(origin, document) }
            for (peer, _, since) in clients {
                check(peer, since)
                if peer.isClosed {
                    #expect(stalled.contains(ObjectIdentifier(peer)), "who reads is told to the end")
                    continue
                }
                let last = bench.events(peer).last { $0.id != nil }
                #expect(
                    last?.data.contains(":\(value)") == true || last == nil && since > 0, "\(last?.data ?? "nothing")")
            }
        }

        var questions: Int { bench.open.filter { $0.requests.last?.method == "GET" }.count }
    }

    @Test(arguments: UInt64(0)..<60)
    func noChangeIsLost(_ seed: UInt64) throws {
        let world = try World(seed)
        for _ in 0..<150 {
            world.step()
            #expect(world.questions <= 1, "one question at a time")
        }
        world.settle()
        world.bench.expectQuiet()
    }
}
