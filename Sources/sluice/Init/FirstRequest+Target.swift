/// Path and query of an address, as a page declares them.
extension FirstRequest {
    /// `/v1` and the like belong to the upstream; numbers, identifiers and parts in braces become placeholders. A part
    /// that looks like a token stays hidden from the client.
    mutating func take(path: Substring, besides names: [String]) throws(Fault) {
        var segments = path.split(separator: "/").map(String.init)
        while let first = segments.first, segments.count > 1 || Self.isVersion(first), Self.isBase(first) {
            basePath += "/" + segments.removeFirst()
        }
        var (local, upstream, tried): ([String], [String], [String]) = ([], [], [])
        for segment in segments {
            if !Self.isIdentifier(segment), RandomText.matches(segment) {
                let name = placeholder("token", besides: names)
                let secret = try secret(name, Self.decoded(segment))
                secretParameters.append((name, secret))
                guesses.append("a part of the path looks like a secret: it stands in \(secret.file), as {\(name)}")
                upstream.append("{\(name)}")
                continue
            }
            let given = Self.braced(segment)
            guard given != nil || Self.isIdentifier(segment) else {
                let text = Self.encoded(segment)
                local.append(text)
                upstream.append(text)
                tried.append(text)
                continue
            }
            let name = placeholder(given ?? "id", besides: names)
            let isInt = segment.allSatisfy { $0.isASCII && $0.isNumber } && segment.count < 16
            parameters.append((name, isInt ? "Int" : "String"))
            local.append("{\(name)}")
            upstream.append("{\(name)}")
            tried.append(given == nil ? segment : "1")
        }
        let end = path.hasSuffix("/") && !segments.isEmpty ? "/" : ""
        func target(_ parts: [String]) -> String { "/" + parts.joined(separator: "/") + (parts.isEmpty ? "" : end) }
        (self.path, upstreamPath, sample) = (target(local), target(upstream), target(tried))
    }

    /// A name that no other parameter has.
    private func placeholder(_ wanted: String, besides names: [String]) -> String {
        let taken = names + parameters.map(\.name) + secretParameters.map(\.name)
        var (name, number) = (wanted, 2)
        while taken.contains(name) {
            name = "\(wanted)\(number)"
            number += 1
        }
        return name
    }

    /// With `%` for what no path has (RFC 3986 §3.3), and for what means something in one of a page or in the quotes of
    /// a shell. What has it already stays.
    private static func encoded(_ segment: String) -> String {
        let strange = "|^`<>[]\\{}*'".unicodeScalars
        let parts = segment.unicodeScalars.map { scalar -> String in
            strange.contains(scalar) ? "%" + String(scalar.value, radix: 16, uppercase: true) : String(scalar)
        }
        return parts.joined()
    }

    private static func decoded(_ segment: String) -> String {
        guard segment.contains("%") else { return segment }
        return Array(segment.utf8).withUnsafeBytes { Encoded.decoded($0) } ?? segment
    }

    /// `id` of `{id}`.
    private static func braced(_ segment: String) -> String? {
        guard segment.hasPrefix("{"), segment.hasSuffix("}") else { return nil }
        let name = segment.dropFirst().dropLast()
        let isWhole = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        return isWhole && name.first?.isLetter == true ? String(name) : nil
    }

    private static func isVersion(_ segment: String) -> Bool {
        segment.first == "v" && segment.count < 5 && segment.dropFirst().first?.isNumber == true
    }

    private static func isBase(_ segment: String) -> Bool {
        segment == "api" || segment == "rest" || isVersion(segment)
    }

    /// Numbers, UUIDs, and other long hexadecimal texts.
    private static func isIdentifier(_ segment: String) -> Bool {
        if segment.allSatisfy({ $0.isASCII && $0.isNumber }) { return true }
        guard segment.count >= 16, segment.contains(where: \.isNumber) else { return false }
        return segment.allSatisfy { $0.isASCII && ($0.isHexDigit || $0 == "-") }
    }

    // MARK: - Queries

    private static func pairs(_ query: Substring) -> [(name: String, value: String, text: Substring)] {
        query.split(separator: "&").compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map { part in Array(part.utf8).withUnsafeBytes { Encoded.decoded($0) } }
            guard let name = decoded.first ?? nil, !name.isEmpty else { return nil }
            return (name, (decoded.count > 1 ? decoded[1] : nil) ?? "", pair)
        }
    }

    static func names(in query: Substring) -> [String] { pairs(query).map(\.name) }

    mutating func take(query: Substring) throws(Fault) {
        var kept: [Substring] = []
        let pairs = Self.pairs(query)
        for (name, value, text) in pairs {
            // The example command must not bring a secret of the page into a shell's history.
            let isShown = !Self.isSecret(name) && !RandomText.matches(value) && !Self.hasSecret(address: value)
            if isShown { kept.append(text) }
            if parameters.contains(where: { $0.name == name }) || secretParameters.contains(where: { $0.name == name })
            {
                continue
            }
            if Self.isSecret(name) {
                secretParameters.append((name, try secret(Self.word(name), value)))
                continue
            }
            let values = pairs.filter { $0.name == name }.map(\.value)
            parameters.append((name, values.count > 1 ? "[\(Self.type(of: values))]" : Self.type(of: values) + "?"))
        }
        // It stands in the quotes of a shell.
        let query = kept.joined(separator: "&").split(separator: "'", omittingEmptySubsequences: false)
        if !kept.isEmpty { sample += "?" + query.joined(separator: "%27") }
    }

    private static func type(of values: [String]) -> String {
        if values.allSatisfy({ !$0.isEmpty && $0.count < 16 && $0.allSatisfy { $0.isASCII && $0.isNumber } }) {
            return "Int"
        }
        return values.allSatisfy { $0 == "true" || $0 == "false" } ? "Bool" : "String"
    }
}
