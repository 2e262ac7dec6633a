internal import SluiceContract
internal import SluiceHTTP

/// Bodies without what sounds like a credential in them: tokens that an authorization server answers with, passwords
/// that a form sends.
enum SensitiveMembers {
    /// Puts `redacted` in the place of texts, arrays and objects whose members have names that sound like credentials.
    /// - Parameter json: may be cut anywhere.
    static func masked(
        json: [UInt8], _ redacted: String, also names: Set<String> = [], except kept: Set<String> = []
    ) -> [UInt8] {
        var shown: [UInt8] = []
        var copied = 0
        var position = 0
        while position < json.count, let start = json[position...].firstIndex(of: quote) {
            let end = self.end(of: json, from: start + 1)
            position = min(end + 1, json.count)
            guard let colon = next(in: json, from: position), json[colon] == UInt8(ascii: ":"),
                let value = next(in: json, from: colon + 1)
            else { continue }
            let name = name(json[(start + 1)..<end])
            let text = names.isEmpty && kept.isEmpty ? "" : String(decoding: name, as: UTF8.self)
            let isChosen = names.contains(text)
            guard isChosen || SensitiveName.matches(name) && !kept.contains(text) else { continue }
            switch json[value] {
            case quote:
                shown += json[copied...value]
                copied = self.end(of: json, from: value + 1)
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                shown += json[copied..<value] + [quote]
                copied = bracketEnd(of: json, from: value)
                // The quote behind it is ours.
                shown += redacted.utf8 + [quote]
                position = copied
                continue
            case _ where isChosen:
                shown += json[copied..<value] + [quote]
                copied = json[value...].firstIndex { ",]} \t\r\n".utf8.contains($0) } ?? json.count
                shown += redacted.utf8 + [quote]
                position = copied
                continue
            default: continue
            }
            shown += redacted.utf8
            position = min(copied + 1, json.count)
        }
        return copied == 0 ? json : shown + json[copied...]
    }

    /// Where an array or object ends, behind its bracket; or where the text does.
    private static func bracketEnd(of json: [UInt8], from start: Int) -> Int {
        var depth = 0
        var position = start
        while position < json.count {
            switch json[position] {
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return position + 1 }
            case quote: position = end(of: json, from: position + 1)
            default: break
            }
            position += 1
        }
        return json.count
    }

    /// A name without escapes of ASCII, behind which a word could hide.
    private static func name(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "\\")) else { return Array(bytes) }
        var name: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            let escape = rest.prefix(5)
            if byte == UInt8(ascii: "\\"), escape.count == 5, escape.first == UInt8(ascii: "u"),
                let scalar = UInt16(String(decoding: escape.dropFirst(), as: UTF8.self), radix: 16), scalar < 0x80
            {
                name.append(UInt8(scalar))
                rest = rest.dropFirst(5)
            } else {
                name.append(byte)
            }
        }
        return name
    }

    /// The same of a form (`application/x-www-form-urlencoded`).
    static func masked(form: [UInt8], also names: Set<String> = []) -> [UInt8] {
        var shown: [UInt8] = []
        ([UInt8(ascii: "?")] + form).withUnsafeBytes { form in
            QueryMask.forEachRun(of: form, .masked) { shown += $0 }
        }
        shown.removeFirst()
        return names.isEmpty ? shown : without(names, shown)
    }

    private static func without(_ names: Set<String>, _ form: [UInt8]) -> [UInt8] {
        let pairs = form.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        return Array(
            pairs.map { pair in
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return pair }
                let name = pair[..<equals].withUnsafeBytes { PercentEncoding.decoded($0, plusIsSpace: true) }
                return names.contains(String(decoding: name ?? Array(pair[..<equals]), as: UTF8.self))
                    ? pair[...equals] + RecordedBody.redacted.utf8 : pair
            }.joined(separator: [UInt8(ascii: "&")]))
    }

    private static let quote = UInt8(ascii: "\"")

    /// Where a string ends: at its quote, or where the text does. No string goes over the end of a line, so that a
    /// quote too many in other texts turns around nothing behind it.
    private static func end(of json: [UInt8], from start: Int) -> Int {
        var position = start
        while position < json.count, json[position] != quote, json[position] != 0x0A {
            position += json[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position, json.count)
    }

    /// The next byte that is no blank.
    private static func next(in json: [UInt8], from start: Int) -> Int? {
        json[min(start, json.count)...].firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }
}
