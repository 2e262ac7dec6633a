/// Looks ahead in an object, byte by byte and across chunks, for what tells which alternative it is: the value of a
/// key, or the presence of a key. It does not check the grammar: if the bytes are not JSON, it stops, and the machine
/// reports the fault.
struct ObjectPeek {
    private enum State {
        case opening, beforeKey, inKey, beforeColon, beforeValue, inString, inPlain, inNested
    }

    /// Number of the choice being made; negative if there is none.
    private(set) var choice: Int32 = -1
    private(set) var isDecided = false
    /// Whether the limit was reached before every chooser had its alternative.
    private(set) var isTooFar = false
    /// The alternative of each chooser, or -1 while it is unknown.
    private var alternatives: [Int32] = []
    private var state = State.opening
    /// The key or value that is being read.
    private var text: [UInt8] = []
    private var isEscaped = false
    private var hasEscapes = false
    private var depth = 0
    private var isInText = false
    /// The choosers, as bits, that are decided by the value that comes next.
    private var wanting: UInt64 = 0
    /// How many bytes have been read.
    private var count = 0

    mutating func begin(_ choice: Int32, _ tables: PlanTables) {
        self.choice = choice
        isDecided = false
        isTooFar = false
        alternatives.removeAll(keepingCapacity: true)
        for _ in tables.choices[Int(choice)].choosers.indices { alternatives.append(-1) }
        state = .opening
        count = 0
    }

    mutating func end() { choice = -1 }

    /// The document has ended: choosers that are undecided stay so.
    mutating func giveUp() { isDecided = true }

    /// - Returns: where looking ahead stopped, once the choice is decided; nil if more bytes are needed.
    mutating func advance(
        _ start: BytePointer, _ end: BytePointer, _ tables: PlanTables, bytesMost: Int
    ) -> BytePointer? {
        if isDecided { return start }
        var p = start
        while p < end {
            if count == bytesMost {
                isTooFar = true
                isDecided = true
                return p
            }
            take(p.pointee, tables)
            p += 1
            count += 1
            if isDecided { return p }
        }
        return nil
    }

    /// The table of the object, in ``PlanTables/objects``.
    func table(_ tables: PlanTables) -> Int32 {
        let choice = tables.choices[Int(self.choice)]
        var number = 0
        var stride = 1
        for (index, chooser) in choice.choosers.indices.enumerated() {
            number += stride * Int(max(alternatives[index], 0))
            stride *= Int(tables.choosers[chooser].count)
        }
        return tables.chosen[Int(choice.tables.start) + number]
    }

    /// Whether the chooser at this index of the choice is undecided.
    func isWanting(_ index: Int) -> Bool { alternatives[index] < 0 }

    // MARK: Bytes

    private mutating func take(_ byte: UInt8, _ tables: PlanTables) {
        let isSpace = byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
        switch state {
        case .opening: state = .beforeKey
        case .beforeKey:
            if isSpace || byte == UInt8(ascii: ",") { return }
            guard byte == UInt8(ascii: "\"") else { return isDecided = true }
            beginText()
            state = .inKey
        case .inKey:
            guard takeText(byte) else { return }
            keyEnded(tables)
            state = .beforeColon
        case .beforeColon:
            if byte == UInt8(ascii: ":") { state = .beforeValue } else if !isSpace { isDecided = true }
        case .beforeValue:
            if !isSpace { beginValue(byte) }
        case .inString:
            guard takeText(byte) else { return }
            valueEnded(tables, .string)
            state = .beforeKey
        case .inPlain:
            guard isSpace || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") else { return text.append(byte) }
            valueEnded(tables, .plain)
            state = .beforeKey
            if byte == UInt8(ascii: "}") { isDecided = true }
        case .inNested: takeNested(byte)
        }
    }

    private mutating func beginValue(_ byte: UInt8) {
        beginText()
        switch byte {
        case UInt8(ascii: "\""): state = .inString
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth = 1
            isInText = false
            state = .inNested
        default:
            state = .inPlain
            text.append(byte)
        }
    }

    private mutating func takeNested(_ byte: UInt8) {
        if isInText {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInText = false
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isInText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            guard depth == 0 else { return }
            settle()
            state = .beforeKey
        default: break
        }
    }

    // MARK: Texts

    private mutating func beginText() {
        text.removeAll(keepingCapacity: true)
        isEscaped = false
        hasEscapes = false
    }

    /// - Returns: whether the string has ended.
    private mutating func takeText(_ byte: UInt8) -> Bool {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
            hasEscapes = true
        } else if byte == UInt8(ascii: "\"") {
            return true
        }
        text.append(byte)
        return false
    }

    /// The text without its escapes; nil if they are malformed.
    private mutating func unescaped() -> [UInt8]? {
        if !hasEscapes { return text }
        let quoted = [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
        guard quoted.withUnsafeBytes({ JSONCheck.isValid($0) }) else { return nil }
        return text.withUnsafeBufferPointer { Array(JSONText.text(of: $0).utf8) }
    }

    private mutating func keyEnded(_ tables: PlanTables) {
        wanting = 0
        guard let key = unescaped() else { return }
        for (index, number) in tables.choices[Int(choice)].choosers.indices.enumerated() where alternatives[index] < 0 {
            let chooser = tables.choosers[number]
            if chooser.key.count < 0 {
                if let found = Self.way(key, .any, chooser, tables) { alternatives[index] = found }
            } else if tables.holds(key, chooser.key) {
                wanting |= 1 << UInt64(index)
            }
        }
        isDecided = !alternatives.contains(-1)
    }

    private mutating func valueEnded(_ tables: PlanTables, _ form: Way.Form) {
        if wanting == 0 { return }
        let value = unescaped()
        for (index, number) in tables.choices[Int(choice)].choosers.indices.enumerated()
        where wanting & 1 << UInt64(index) != 0 {
            alternatives[index] = value.flatMap { Self.way($0, form, tables.choosers[number], tables) } ?? 0
        }
        wanting = 0
        isDecided = !alternatives.contains(-1)
    }

    /// An array or object has ended: if it is the value of a telling key, it matches no alternative.
    private mutating func settle() {
        for index in alternatives.indices where wanting & 1 << UInt64(index) != 0 { alternatives[index] = 0 }
        wanting = 0
        isDecided = !alternatives.contains(-1)
    }

    private static func way(
        _ text: [UInt8], _ form: Way.Form, _ chooser: Chooser, _ tables: PlanTables
    ) -> Int32? {
        for number in chooser.ways.indices {
            let way = tables.ways[number]
            if way.form != .any, way.form != form { continue }
            if tables.holds(text, way.text) { return way.alternative }
        }
        return nil
    }
}

extension PlanTables {
    /// Whether this range of the plan's text has the same bytes.
    fileprivate func holds(_ bytes: [UInt8], _ range: TextRange) -> Bool {
        guard bytes.count == Int(range.count) else { return false }
        return bytes.indices.allSatisfy { text[Int(range.start) + $0] == bytes[$0] }
    }
}
