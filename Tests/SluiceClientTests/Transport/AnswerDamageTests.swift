import TestBytes
import Testing

@testable import SluiceClient

/// Damaged answers end a call with an error, or are answers; they never trap, and never hang.
@Suite struct AnswerDamageTests {
    private static let answers = [
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n[\"a\",\"b\",10]",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n6\r\n world\r\n0\r\nX: y\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n{}",
        "HTTP/1.0 200 OK\r\nKeep-Alive: timeout=5\r\n\r\nend of file",
    ]

    /// One answer with some of its bytes changed, left out, doubled, or cut off.
    static func damaged(_ random: inout SplitMix) -> [UInt8] {
        var bytes = Array(answers.randomElement(using: &random)!.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(bytes[place], at: place)
            case 3: bytes.removeLast(bytes.count - place)
            case 4: bytes.insert(contentsOf: Array(answers[0].utf8), at: place)
            default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        }
        return bytes
    }

    @Test(arguments: 0..<20)
    func aMachineThatIsFedRubbish(seed: Int) throws {
        var random = SplitMix(state: UInt64(seed))
        for _ in 0..<200 {
            var machine = CallMachine(limits: TransportLimits())
            for _ in 0..<2 where machine.life == .free {
                machine.begin(try CallMachineTests.call(CallRequest(Bool.random(using: &random) ? "GET" : "HEAD", "/")))
                machine.sent(machine.outbox.count)
                var rest = Self.damaged(&random)[...]
                while !rest.isEmpty {
                    let count = Int.random(in: 1...rest.count, using: &random)
                    Cuts.lend(rest.prefix(count)) { machine.received($0) }
                    rest = rest.dropFirst(count)
                }
                machine.inputClosed(isTruncated: Bool.random(using: &random))
                let isTaken = Self.take(&machine)
                #expect(isTaken, "seed \(seed)")
            }
        }
    }

    /// - Returns: whether the call came to an end.
    private static func take(_ machine: inout CallMachine) -> Bool {
        switch machine.takeHead() {
        case .wait: return false
        case .failed, .answer(_, _, _, isWhole: true): return true
        case .answer: break
        }
        while true {
            switch machine.takeContent() {
            case .wait: return false
            case .bytes(_, isLast: false): continue
            case .bytes, .end, .failed: return true
            }
        }
    }

    @Test func callsToAGatewayThatTalksRubbish() async throws {
        let gateway = try ScriptedGateway { peer, number in
            var random = SplitMix(state: UInt64(number))
            while peer.request() != nil {
                peer.write(Self.damaged(&random))
                if Bool.random(using: &random) { return }
            }
        }
        let transport = GatewayTransport(try gateway.address)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<300 {
                group.addTask {
                    // Those that end in the middle, and stay open, end with the call's time.
                    let answer = try? await transport.send(CallRequest("/"), timeout: .milliseconds(200))
                    _ = try? await answer?.body.bytes(upTo: 1000)
                }
            }
        }
        #expect(gateway.connections > 0)
    }
}
