/// Lines of a stream of server-sent events, put together to events (WHATWG HTML §9.2.6).
struct EventReader {
    struct Event {
        var name = ""
        var data: [UInt8] = []
    }

    private var event = Event()
    private var hasData = false
    /// The latest event ID; sent when reconnecting.
    private(set) var lastID: String?

    /// Takes a line, without its end.
    /// - Returns: the event that it ends.
    mutating func take(_ line: ArraySlice<UInt8>) -> Event? {
        let line = line.last == 0x0D ? line.dropLast() : line
        if line.isEmpty {
            defer { (event, hasData) = (Event(), false) }
            return hasData ? event : nil
        }
        let field = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(field.count + 1)
        if value.first == 0x20 { value = value.dropFirst() }
        switch String(decoding: field, as: UTF8.self) {
        case "event": event.name = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { event.data.append(0x0A) }
            hasData = true
            event.data += value
        case "id": lastID = String(decoding: value, as: UTF8.self)
        default: break
        }
        return nil
    }
}
