internal import SluiceHTTP

/// `Link` fields (RFC 8288 §3).
enum LinkField {
    /// The target of the first link with this relation, as it is written; nil where there is none.
    static func target(of relation: String, in name: String, _ fields: borrowing HeaderBlock) -> [UInt8]? {
        for index in 0..<fields.count where fields.name(index).equalsIgnoringCase(Array(name.utf8)) {
            if let target = target(of: relation, in: fields.value(index)) { return target }
        }
        return nil
    }

    static func target(of relation: String, in field: UnsafeRawBufferPointer) -> [UInt8]? {
        var pieces = LinkPieces(field)
        var target: Slice<UnsafeRawBufferPointer>?
        // Whether only blanks of the current link have been seen.
        var isStart = true
        while let (kind, bytes) = pieces.next() {
            switch kind {
            case .comma:
                if let target, hasRelation(relation, field[target.endIndex..<bytes.startIndex]) {
                    return inside(target)
                }
                (target, isStart) = (nil, true)
            case .target:
                if isStart { target = bytes }
                isStart = false
            case .quoted, .other:
                if !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { isStart = false }
            }
        }
        guard let target, hasRelation(relation, field[target.endIndex...]) else { return nil }
        return inside(target)
    }

    private static func inside(_ target: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
        Array(target.dropFirst().dropLast())
    }

    private static func hasRelation(_ relation: String, _ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        var parameters = ParameterIterator(UnsafeRawBufferPointer(rebasing: text))
        while let parameter = parameters.next() {
            guard parameter.name.equalsIgnoringCase("rel") else { continue }
            let relations = Array(parameter.value).split { $0 == 0x20 || $0 == UInt8(ascii: "\"") }
            // Relation types are compared without regard to case (RFC 8288 §2.1).
            let isNamed = relations.contains {
                Array($0).withUnsafeBytes { $0.equalsIgnoringCase(Array(relation.utf8)) }
            }
            if isNamed { return true }
        }
        return false
    }
}
