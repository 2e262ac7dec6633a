internal import SluiceContract
internal import SluiceGateway
internal import SluiceHTTP

/// One finished exchange as an entry of the journal, in its native protocol (systemd.io, "Native Journal Protocol"):
/// `FIELD=value` and a line end, or, where the value has a line end in it, the field's name, a line end, the value's
/// length in eight bytes, the value and a line end.
enum JournalEntry {
    /// Longer values are cut: an entry has to fit a datagram.
    static let valueBytesMax = 8 << 10

    /// Appends the entry.
    /// - Parameter time: milliseconds since 1970 when the exchange ended.
    static func append(_ entry: borrowing AccessEntry, at time: Int64, _ shape: AccessShape, to record: inout [UInt8]) {
        var message: [UInt8] = []
        switch shape.format {
        case .json: appendSummary(entry, shape.query, to: &message)
        case .combined: CombinedLine.append(entry, at: time, query: shape.query, to: &message)
        }
        append("MESSAGE", message, to: &record)
        append("PRIORITY", String(level(entry).rawValue).utf8, to: &record)
        append("SYSLOG_IDENTIFIER", "sluice".utf8, to: &record)
        append("SLUICE_CLIENT", entry.client.isEmpty ? Array("unix".utf8) : entry.client, to: &record)
        append("SLUICE_METHOD", entry.method, to: &record)
        var target: [UInt8] = []
        QueryMask.forEachRun(of: entry.target, shape.query) { target += $0 }
        append("SLUICE_TARGET", target, to: &record)
        append("SLUICE_PROTOCOL", entry.version.text.utf8, to: &record)
        append("SLUICE_STATUS", entry.status, to: &record)
        append("SLUICE_BYTES", entry.bytes, to: &record)
        append("SLUICE_BYTES_IN", entry.receivedBytes, to: &record)
        append("SLUICE_DURATION_USEC", Int(clamping: entry.nanoseconds / 1000), to: &record)
        append("SLUICE_BINDING", entry.binding, to: &record)
        if let upstream = entry.upstream {
            append("SLUICE_UPSTREAM", upstream.name, to: &record)
            append("SLUICE_ATTEMPTS", upstream.attempts, to: &record)
            append("SLUICE_UPSTREAM_USEC", Int(clamping: upstream.nanoseconds / 1000), to: &record)
        }
        if let cache = entry.cache {
            append("SLUICE_CACHE", cache.isCollapsed ? "collapsed" : cache.outcome, to: &record)
            append("SLUICE_CACHE_DETAIL", cache.detail, to: &record)
        }
        append("SLUICE_CLIENT_NAME", entry.clientName, to: &record)
        append("SLUICE_CREDENTIAL", entry.credential, to: &record)
        append("SLUICE_TRACE", entry.traceID?.description, to: &record)
        append("SLUICE_PROBLEM", entry.problem?.rawValue, to: &record)
    }

    /// `GET /fruits 200`, and the problem behind that.
    private static func appendSummary(
        _ entry: borrowing AccessEntry, _ query: LogSettings.Query, to message: inout [UInt8]
    ) {
        message += entry.method
        message.append(UInt8(ascii: " "))
        QueryMask.forEachRun(of: entry.target, query) { message += $0 }
        message += entry.status > 0 ? " \(entry.status)".utf8 : " left".utf8
        if let problem = entry.problem { message += " \(problem.rawValue)".utf8 }
    }

    /// A client's fault is no failure of the gateway.
    private static func level(_ entry: borrowing AccessEntry) -> JournalStream.Level {
        guard let problem = entry.problem else { return .info }
        return problem.source == .client ? .notice : .warning
    }

    private static func append(_ name: StaticString, _ value: String?, to record: inout [UInt8]) {
        if let value { append(name, value.utf8, to: &record) }
    }

    private static func append(_ name: StaticString, _ number: Int, to record: inout [UInt8]) {
        append(name, String(number).utf8, to: &record)
    }

    private static func append(
        _ name: StaticString, _ whole: some Collection<UInt8>, to record: inout [UInt8]
    ) {
        var value = Array(whole.prefix(valueBytesMax))
        // Not within a character, else the journal would take it for no text.
        if value.count < whole.count {
            while let last = value.popLast(), last & 0xC0 == 0x80 {}
        }
        record += UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        if value.contains(0x0A) {
            record.append(0x0A)
            withUnsafeBytes(of: UInt64(value.count).littleEndian) { record += $0 }
        } else {
            record.append(UInt8(ascii: "="))
        }
        record += value
        record.append(0x0A)
    }
}
