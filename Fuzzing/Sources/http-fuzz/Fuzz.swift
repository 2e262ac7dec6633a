import SluiceContract
import SluiceHTTP

/// What libFuzzer calls: the first byte chooses what the rest is taken for, the next eight where it is cut.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 9 else { return 0 }
    var seed: UInt64 = 0
    for index in 1...8 { seed = seed << 8 | UInt64(bytes[index]) }
    let input = Array(UnsafeBufferPointer(start: bytes + 9, count: count - 9))
    switch bytes[0] % 4 {
    case 0: requests(input, seed)
    case 1:
        let head = "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        requests(Array(head.utf8) + input, seed)
    case 2: responses(input, seed, to: [.get, .head, .connect, .post][Int(bytes[0] >> 2) % 4])
    default:
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        responses(Array(head.utf8) + input, seed, to: .get)
    }
    return 0
}

private func requests(_ input: [UInt8], _ seed: UInt64) {
    let whole = ServerReading(input, cuts: [])
    precondition(whole == ServerReading(input, cuts: Cuts.random(of: input.count, seed)), "cut: \(whole)")
    precondition(whole == ServerReading(input, cuts: Array(1..<max(1, input.count))), "byte by byte: \(whole)")
    for message in whole.messages where message.isComplete { message.check(isResponse: false) }
}

private func responses(_ input: [UInt8], _ seed: UInt64, to method: SluiceHTTP.Method) {
    let whole = ClientReading(input, cuts: [], to: method)
    for cuts in [Cuts.random(of: input.count, seed), Array(1..<max(1, input.count))] {
        let cut = ClientReading(input, cuts: cuts, to: method)
        precondition(whole == cut || whole.isSameButEarlier(than: cut), "cut: \(whole) is not \(cut)")
    }
    if method == .get {
        for message in whole.messages where message.isComplete { message.check(isResponse: true) }
    }
}

enum Cuts {
    /// Places to cut at, in order, the same for the same seed.
    static func random(of count: Int, _ seed: UInt64) -> [Int] {
        var state = seed | 1
        var place = 0
        var cuts: [Int] = []
        let longest = [2, 20, 200][Int(seed % 3)]
        while true {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            place += 1 + Int(state >> 33) % longest
            if place >= count { return cuts }
            cuts.append(place)
        }
    }

    /// Hands out the pieces, each in memory of its own, so that AddressSanitizer sees what is read beyond it.
    static func lend(_ input: [UInt8], at cuts: [Int], _ body: (UnsafeRawBufferPointer) -> Void) {
        var start = 0
        for cut in cuts + [input.count] where cut > start {
            let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: cut - start, alignment: 1)
            piece.copyBytes(from: input[start..<cut])
            body(UnsafeRawBufferPointer(piece))
            piece.deallocate()
            start = cut
        }
    }
}
