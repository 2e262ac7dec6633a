public import SluiceContract

/// `Accept-Encoding`: which codings a recipient accepts, with weights (RFC 9110 §12.5.3).
///
/// Weights are in thousandths, because that is all that a qvalue can say (§12.4.2). An element with a malformed qvalue
/// is ignored: its meaning is unknown.
public struct AcceptEncoding: Sendable {
    /// In the order of `ContentCoding.allCases`; nil where the field does not name the coding.
    private var weights: (Int16?, Int16?, Int16?, Int16?) = (nil, nil, nil, nil)
    private var identity: Int16?
    private var any: Int16?

    public init(_ fields: borrowing HeaderBlock) {
        for index in 0..<fields.count where fields[index].id == .acceptEncoding {
            var elements = ListIterator(fields.value(index))
            while let element = elements.next() { read(element) }
        }
    }

    private mutating func read(_ element: UnsafeRawBufferPointer) {
        let end = element.place(of: UInt8(ascii: ";"))
        let name = element.part(0, end).trimmed
        guard let weight = Self.weight(element.part(end, element.count)) else { return }
        if name.equalsIgnoringCase("*") {
            any = weight
        } else if name.equalsIgnoringCase("identity") {
            identity = weight
        } else if let coding = ContentCoding(name) {
            switch coding {
            case .gzip: weights.0 = weight
            case .deflate: weights.1 = weight
            case .brotli: weights.2 = weight
            case .zstd: weights.3 = weight
            }
        }
    }

    /// `OWS ";" OWS "q=" qvalue`. An empty text means a weight of 1.
    private static func weight(_ text: UnsafeRawBufferPointer) -> Int16? {
        if text.isEmpty { return 1000 }
        let parameter = text.part(1, text.count).trimmed
        guard parameter.count > 2, parameter[0].lowercased == UInt8(ascii: "q"), parameter[1] == UInt8(ascii: "=")
        else { return nil }
        return qvalue(parameter.part(2, parameter.count))
    }

    /// `( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] )` (RFC 9110 §12.4.2).
    static func qvalue(_ text: UnsafeRawBufferPointer) -> Int16? {
        guard text.count <= 5, text[0] == UInt8(ascii: "0") || text[0] == UInt8(ascii: "1") else { return nil }
        if text.count > 1, text[1] != UInt8(ascii: ".") { return nil }
        var weight = Int16(text[0] - UInt8(ascii: "0")) * 1000
        var unit: Int16 = 100
        for digit in text.dropFirst(2) {
            guard digit.isDigit else { return nil }
            weight += Int16(digit - UInt8(ascii: "0")) * unit
            unit /= 10
        }
        return weight <= 1000 ? weight : nil
    }

    /// The recipient's weight for a coding, from 0 (not accepted) to 1000.
    public func weight(of coding: ContentCoding) -> Int {
        let own =
            switch coding {
            case .gzip: weights.0
            case .deflate: weights.1
            case .brotli: weights.2
            case .zstd: weights.3
            }
        return Int(own ?? any ?? 0)
    }

    /// The recipient's weight for a body without a coding. If the field mentions neither `identity` nor `*`, such a
    /// body is accepted, but any coding that the field names is preferred.
    public var identityWeight: Int { Int(identity ?? any ?? 1) }

    /// The best of the codings that can be offered; nil stands for a body without a coding.
    /// - Parameters:
    ///   - offered: in the order of one's own preference, which decides between equals.
    ///   - isWorthwhile: whether compressing the body pays; if not, a coding is chosen only if the recipient refuses
    ///     `identity`.
    public func best(of offered: [ContentCoding], isWorthwhile: Bool) -> ContentCoding? {
        var best: ContentCoding?
        var bestWeight = 0
        for coding in offered where weight(of: coding) > bestWeight {
            best = coding
            bestWeight = weight(of: coding)
        }
        // If the client accepts none of the offered codings, the answer goes out without a coding, even if the client
        // refuses `identity` too (§12.5.3): an answer that the client may be able to read is of more use than a 406.
        if identityWeight == 0 { return best }
        return isWorthwhile && bestWeight >= identityWeight ? best : nil
    }
}
