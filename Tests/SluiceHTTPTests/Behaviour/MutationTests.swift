import SluiceContract
import TestBytes
import Testing

@testable import SluiceHTTP

/// Random damage to valid and invalid messages: whatever a machine makes of it, it makes the same of it in pieces.
@Suite struct MutationTests {
    private static let fragments: [String] = [
        "\r\n", "\n", "\r", " ", "\t", ":", "\u{0}", "0", "5", ",", ";", "Content-Length: 3\r\n",
        "Transfer-Encoding: chunked\r\n", "Host: b\r\n", "\r\n\r\n", "GET / HTTP/1.1\r\n", "HTTP/1.1 100 C\r\n\r\n",
        "0\r\n\r\n", "Connection: close\r\n", "é",
    ]

    @Test(arguments: 0..<40)
    func requests(_ seed: Int) {
        var random = SplitMix(state: UInt64(seed))
        let corpus = HTTP1ServerMachineTests.accepted.map(\.input)
        for _ in 0..<100 {
            let bytes = Self.damaged(corpus, &random)
            let whole = ServerTranscript([bytes[...]])
            let cut = ServerTranscript(Self.cut(bytes, &random))
            #expect(whole == cut, "seed \(seed): \(String(decoding: bytes, as: UTF8.self).visible)")
        }
    }

    /// Bytes behind the end may come later than the end: then the connection could have been used again for a moment.
    /// Apart from that the verdicts agree.
    @Test(arguments: 0..<40)
    func responses(_ seed: Int) {
        var random = SplitMix(state: UInt64(seed))
        let corpus = HTTP1ClientMachineTests.read.map(\.input)
        for _ in 0..<100 {
            let bytes = Self.damaged(corpus, &random)
            let whole = ClientTranscript([bytes[...]], closes: true)
            let cut = ClientTranscript(Self.cut(bytes, &random), closes: true)
            #expect(
                whole.isMalformed == cut.isMalformed && Self.verdicts(whole) == Self.verdicts(cut),
                "seed \(seed): \(String(decoding: bytes, as: UTF8.self).visible)")
        }
    }

    /// What is closed in the end was not used again.
    private static func verdicts(_ transcript: ClientTranscript) -> [String] {
        guard transcript.lines.last == "closed" else { return transcript.lines }
        return transcript.lines.map { $0.hasSuffix(" reusable") ? String($0.dropLast(9)) : $0 }
    }

    private static func damaged(_ corpus: [String], _ random: inout SplitMix) -> [UInt8] {
        var bytes = Array((corpus.randomElement(using: &random) ?? "").utf8)
        if Bool.random(using: &random) { bytes += Array((corpus.randomElement(using: &random) ?? "").utf8) }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes.insert(contentsOf: Array((fragments.randomElement(using: &random) ?? "").utf8), at: place)
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...4, using: &random)))
            default:
                if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
            }
        }
        return bytes
    }

    private static func cut(_ bytes: [UInt8], _ random: inout SplitMix) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + Int.random(in: 1...12, using: &random))
            pieces.append(bytes[start..<end])
            start = end
        }
        return pieces
    }
}
