/// Texts that look random, such as tokens in the paths of webhooks.
enum RandomText {
    private static let lengthMin = 16

    private enum Kind {
        case small, capital, digit
    }

    /// Whether there is a run of letters and digits, as long as a token, that are mixed as in no word: their kind
    /// changes more often than at two places of five. Of random base62 it does so at three.
    static func matches(_ text: String) -> Bool {
        text.utf8.split { kind($0) == nil }.contains { run in
            let changes = zip(run, run.dropFirst()).count { kind($0) != kind($1) }
            return run.count >= lengthMin && changes * 5 > run.count * 2
        }
    }

    private static func kind(_ byte: UInt8) -> Kind? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): .small
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): .capital
        case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
        default: nil
        }
    }
}
