internal import SluiceContract
internal import SluiceHTTP
internal import SluiceSigning

/// The request target for the upstream. Secrets are markers until the head is written (``RouteSecrets``).
struct RequestTarget: ~Copyable {
    private var scratch = ByteScratch()

    var bytes: UnsafeRawBufferPointer { scratch.bytes }

    mutating func append(_ run: UnsafeRawBufferPointer) { scratch.append(run) }

    mutating func append(_ run: [UInt8]) { scratch.append(run) }

    mutating func removeAll() { scratch.removeAll() }

    mutating func releaseMemory() { scratch.releaseMemory() }

    mutating func replace(by other: [UInt8]) {
        scratch.removeAll()
        scratch.append(other)
    }

    var withoutQuery: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: scratch.bytes.prefix { $0 != UInt8(ascii: "?") })
    }

    /// Removes the query, and keeps the path.
    /// - Returns: the query, with its `?`; nil where there is none.
    mutating func takeQuery() -> [UInt8]? {
        let start = withoutQuery.count
        guard start < scratch.count else { return nil }
        defer { scratch.removeLast(scratch.count - start) }
        return Array(scratch.bytes(start..<scratch.count))
    }

    // MARK: - Writing

    /// Writes path, values and query in one pass, with each value encoded as a whole. Parameters are in their declared
    /// order, so that equal requests have equal targets.
    /// - Returns: whether the target is complete; otherwise the GraphQL query, with the parameters as its variables,
    ///   follows.
    mutating func write(
        _ route: Route, _ head: borrowing RequestHead, _ path: borrowing RequestPath,
        _ values: borrowing ParameterValues
    ) -> Bool {
        // By position: a walk over the parts would count references to them, which all loops share.
        for number in 0..<route.target.parts.count {
            switch route.target.parts[number] {
            case .text(let start, let count):
                route.target.letters.withUnsafeBytes { letters in
                    scratch.append(UnsafeRawBufferPointer(rebasing: letters[Int(start)..<Int(start + count)]))
                }
            case .rest:
                if let rest = path.rest { scratch.append(rest) }
            case .parameter(let position):
                let index = Int(position)
                if let marker = route.parameters[index].marker {
                    scratch.append(marker)
                    continue
                }
                for entry in values.entries where entry.parameter == index {
                    encode(values.bytes(entry), as: .pathSegment)
                }
            }
        }
        if route.passesQuery {
            if head.hasQuery {
                scratch.append(UInt8(ascii: "?"))
                scratch.append(head.query)
            }
            return true
        }
        if route.graphQL != nil { return false }
        var separator = UInt8(ascii: "?")
        for (index, parameter) in route.parameters.enumerated()
        where parameter.location == .query && !parameter.isInPath {
            writeQuery(index, parameter, values, &separator)
        }
        if values.extraQuery.count > 0 {
            scratch.append(separator)
            scratch.append(UnsafeRawBufferPointer(rebasing: values.extraQuery.bytes[1...]))
        }
        return true
    }

    private mutating func writeQuery(
        _ index: Int, _ parameter: RouteParameter, _ values: borrowing ParameterValues, _ separator: inout UInt8
    ) {
        var isFirst = true
        for entry in values.entries where entry.parameter == index {
            if isFirst || parameter.style != .comma {
                writeName(parameter, &separator)
                scratch.append(UInt8(ascii: "="))
            } else {
                scratch.append(UInt8(ascii: ","))
            }
            if let marker = parameter.marker {
                scratch.append(marker)
            } else {
                encode(values.bytes(entry), as: .queryValue)
            }
            isFirst = false
        }
        guard isFirst, let text = parameter.absentText else { return }
        writeName(parameter, &separator)
        scratch.append(UInt8(ascii: "="))
        scratch.append(text)
    }

    private mutating func writeName(_ parameter: RouteParameter, _ separator: inout UInt8) {
        scratch.append(separator)
        separator = UInt8(ascii: "&")
        scratch.append(parameter.upstreamName)
        if parameter.isList, parameter.style == .brackets { scratch.append("%5B%5D") }
    }

    private mutating func encode(_ value: UnsafeRawBufferPointer, as place: PercentEncoding.Component) {
        scratch.withSpare(value.count * 3) { PercentEncoding.encode(value, as: place, into: $0) }
    }

    // MARK: - Its secrets

    /// The whole target, with its secrets.
    /// - Parameters:
    ///   - secret: the value for a marker, by the marker's position.
    ///   - pair: a credential that is sent as a parameter.
    func whole(_ count: Int, secret: (Int) -> [UInt8], pair: SecretBytes?) -> [UInt8] {
        var whole: [UInt8] = []
        for byte in scratch.bytes {
            if byte > RouteSecrets.inTargetMax || byte == 0 || Int(byte) > count {
                whole.append(byte)
            } else {
                whole += PercentEncoding.encoded(secret(Int(byte) - 1))
            }
        }
        if let pair {
            whole.append(UInt8(ascii: whole.contains(UInt8(ascii: "?")) ? "&" : "?"))
            pair.withUnsafeBytes { whole += $0 }
        }
        return whole
    }
}
