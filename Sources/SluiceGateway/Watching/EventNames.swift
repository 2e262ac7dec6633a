/// Reads a stream of server-sent events for their names (WHATWG HTML §9.2.6), to find the wanted ones.
struct EventNames {
    /// Name of the wanted events; nil is any.
    private let wanted: [UInt8]?
    private var line: [UInt8] = []
    private var isCut = false
    private var name: [UInt8] = []
    private var hasData = false
    /// A line feed after a carriage return ends no line of its own.
    private var isBehindReturn = false

    /// A longer line holds no event name that is looked for.
    private static let lineMax = 1024

    init(_ wanted: [UInt8]?) {
        self.wanted = wanted
    }

    /// - Returns: how many wanted events have ended in these bytes.
    mutating func feed(_ bytes: UnsafeRawBufferPointer) -> Int {
        var count = 0
        for byte in bytes {
            let wasBehindReturn = isBehindReturn
            isBehindReturn = byte == 0x0D
            if byte == 0x0A, wasBehindReturn { continue }
            guard byte == 0x0A || byte == 0x0D else {
                if line.count < Self.lineMax { line.append(byte) } else { isCut = true }
                continue
            }
            if endLine() { count += 1 }
            line.removeAll(keepingCapacity: true)
            isCut = false
        }
        return count
    }

    /// - Returns: whether the line ends a wanted event.
    private mutating func endLine() -> Bool {
        guard line.isEmpty else {
            let field = line.prefix { $0 != UInt8(ascii: ":") }
            var value = line.dropFirst(field.count + 1)
            if value.first == 0x20 { value = value.dropFirst() }
            if field.elementsEqual("event".utf8), !isCut { name = Array(value) }
            if field.elementsEqual("data".utf8) { hasData = true }
            return false
        }
        defer { (name, hasData) = ([], false) }
        // Without data no event is dispatched; without a name it is a `message`.
        guard hasData else { return false }
        return wanted.map { $0 == (name.isEmpty ? Array("message".utf8) : name) } ?? true
    }
}
