internal import SluiceContract
internal import SluiceHTTP

/// Removes credentials from bodies: tokens in the answers of an authorization server, passwords in forms.
enum SensitiveMembers {
    /// What replaces a value that is removed.
    struct Redaction {
        var text: String
        /// Replaces a number.
        var number: String

        /// For people.
        static let shown = Redaction(text: MessageContents.redacted, number: "\"\(MessageContents.redacted)\"")
        /// For programs that parse the result: a number stays a number.
        static let recorded = Redaction(text: RecordedBody.redacted, number: "0")
    }

    /// Names that only look like those of credentials.
    enum Kept {
        case only(Set<String>)
        case all

        func contains(_ name: String) -> Bool {
            switch self {
            case .only(let names): names.contains(name)
            case .all: true
            }
        }
    }

    /// Removes strings, arrays and objects whose member names are typical of credentials, and numbers whose names are
    /// typical of passwords and PINs.
    /// - Parameters:
    ///   - json: may be cut off anywhere, and may be part of another text.
    ///   - names: further members that are removed, whatever their type.
    static func masked(
        json: [UInt8], _ redaction: Redaction, also names: Set<String> = [], except kept: Kept = .only([])
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
            let isChosen = !names.isEmpty && names.contains(String(decoding: name, as: UTF8.self))
            guard isChosen || SensitiveName.matches(name) && !kept.contains(String(decoding: name, as: UTF8.self))
            else { continue }
            let replacement: String
            let valueEnd: Int
            switch json[value] {
            case quote:
                // The closing quote is kept, if there is one.
                replacement = "\"" + redaction.text
                valueEnd = self.end(of: json, from: value + 1)
                position = min(valueEnd + 1, json.count)
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                replacement = "\"\(redaction.text)\""
                valueEnd = bracketEnd(of: json, from: value)
                position = valueEnd
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard isChosen || SensitiveName.matches(ofNumber: name) else { continue }
                replacement = redaction.number
                valueEnd = scalarEnd(of: json, from: value)
                position = valueEnd
            case _ where isChosen:
                replacement = "\"\(redaction.text)\""
                valueEnd = scalarEnd(of: json, from: value)
                position = valueEnd
            default: continue
            }
            shown += json[copied..<value] + replacement.utf8
            copied = valueEnd
        }
        return copied == 0 ? json : shown + json[copied...]
    }

    /// Where a number or a literal ends.
    private static func scalarEnd(of json: [UInt8], from start: Int) -> Int {
        json[start...].firstIndex { ",]} \t\r\n".utf8.contains($0) } ?? json.count
    }

    /// The position behind the closing bracket of an array or object, or the end of the text.
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

    /// A name with its ASCII escapes decoded, because escapes could hide a word.
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

    /// The same for a form (`application/x-www-form-urlencoded`).
    static func masked(form: [UInt8], also names: Set<String> = [], except kept: Kept = .only([])) -> [UInt8] {
        var shown: [UInt8] = []
        switch kept {
        case .all: shown = form
        case .only(let kept):
            ([UInt8(ascii: "?")] + form).withUnsafeBytes { form in
                QueryMask.forEachRun(of: form, .masked, except: kept) { shown += $0 }
            }
            shown.removeFirst()
        }
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

    /// Where a string ends: at its quote, or at the end of the text. A string never goes past the end of a line, so
    /// that a stray quote in other texts does not swap the inside and outside of all strings behind it.
    private static func end(of json: [UInt8], from start: Int) -> Int {
        var position = start
        while position < json.count, json[position] != quote, json[position] != 0x0A {
            position += json[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position, json.count)
    }

    /// The next byte that is not blank.
    private static func next(in json: [UInt8], from start: Int) -> Int? {
        json[min(start, json.count)...].firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }
}
