import Testing

@testable import SluiceHTTP

@Suite struct ScanTests {
    /// Each byte in each place of a run that is longer than a vector, against the definition in RFC 9110 §5.5.
    @Test func fieldValue() {
        for count in [1, 15, 16, 17, 33, 50] {
            for place in 0..<count {
                for byte in UInt8.min...UInt8.max {
                    var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count)
                    bytes[place] = byte
                    let isAllowed = byte == .tab || (byte >= 0x20 && byte != 0x7f)
                    let found = bytes.withUnsafeBytes { Scan.fieldValue($0.baseAddress!, count) }
                    if found != (isAllowed ? count : place) { Issue.record("\(byte) at \(place) of \(count)") }
                }
            }
        }
    }

    /// The table of classes against the grammars.
    @Test(arguments: [
        (Scan.Characters.token, "!#$%&'*+-.^_`|~"), (.path, "!$&'()*+,;=:@-._~/[]|"),
        (.query, "!$&'()*+,;=:@-._~/?[]|{}^`\\"), (.host, "-._"), (.unreserved, "-._~"), (.hexadecimal, ""),
        (.target, "!$&'()*+,;=:@-._~/?[]|{}^`\\%"),
    ])
    func classes(_ characters: Scan.Characters, _ symbols: String) {
        let letters =
            characters == .hexadecimal ? "abcdefABCDEF" : "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        let members = Set((symbols + letters + "0123456789").utf8)
        for byte in UInt8.min...UInt8.max {
            let isMember = withUnsafeBytes(of: byte) { $0.consists(of: characters) }
            #expect(isMember == members.contains(byte), "\(byte)")
        }
    }
}
