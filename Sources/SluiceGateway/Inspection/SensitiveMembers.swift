internal import SluiceContract
internal import SluiceHTTP

/// Bodies without what sounds like a credential in them: tokens that an authorization server answers with, passwords
/// that a form sends.
enum SensitiveMembers {
    /// Puts `redacted` in the place of texts whose members have names that sound like credentials.
    /// - Parameter json: may be cut anywhere.
    static func masked(json: [UInt8], _ redacted: String) -> [UInt8] {
        var shown: [UInt8] = []
        var copied = 0
        var position = 0
        while let start = json[position...].firstIndex(of: quote) {
            let end = self.end(of: json, from: start + 1)
            position = min(end + 1, json.count)
            guard let colon = next(in: json, from: position), json[colon] == UInt8(ascii: ":"),
                let value = next(in: json, from: colon + 1), json[value] == quote,
                SensitiveName.matches(json[(start + 1)..<end])
            else { continue }
            shown += json[copied...value]
            shown += redacted.utf8
            copied = self.end(of: json, from: value + 1)
            position = min(copied + 1, json.count)
        }
        return copied == 0 ? json : shown + json[copied...]
    }

    /// The same of a form (`application/x-www-form-urlencoded`).
    static func masked(form: [UInt8]) -> [UInt8] {
        var shown: [UInt8] = []
        ([UInt8(ascii: "?")] + form).withUnsafeBytes { form in
            QueryMask.forEachRun(of: form, .masked) { shown += $0 }
        }
        return Array(shown.dropFirst())
    }

    private static let quote = UInt8(ascii: "\"")

    /// Where a string ends: at its quote, or where the text does.
    private static func end(of json: [UInt8], from start: Int) -> Int {
        var position = start
        while position < json.count, json[position] != quote {
            position += json[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position, json.count)
    }

    /// The next byte that is no blank.
    private static func next(in json: [UInt8], from start: Int) -> Int? {
        json[min(start, json.count)...].firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }
}
