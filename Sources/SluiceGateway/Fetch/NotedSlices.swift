internal import SluiceContract
internal import SluiceJSON

/// Small values of an answer that only the gateway reads: they tell of errors and of next pages.
final class NotedSlices {
    private let first: Int
    private var texts: [[UInt8]]
    /// The most bytes of one value: a longer one is not read.
    private static let bytesMax = 16 << 10

    /// - Parameters:
    ///   - first: number of the first slice.
    init(from first: Int, count: Int) {
        self.first = first
        texts = Array(repeating: [], count: count)
    }

    func take(_ pieces: UnsafeBufferPointer<Extractor.Piece>) {
        for piece in pieces where piece.slice >= first {
            let index = piece.slice - first
            let room = Self.bytesMax + 1 - texts[index].count
            texts[index].append(contentsOf: UnsafeRawBufferPointer(start: piece.base, count: min(piece.count, room)))
        }
    }

    /// The bytes of a value read so far.
    func bytes(_ slice: Int) -> [UInt8] { texts[slice - first] }

    /// The content of a value, once the document has ended.
    enum Reading: Equatable {
        /// The value is absent, null or an empty string.
        case nothing
        case string(String)
        /// A number or a truth value.
        case plain(String)
        /// The value cannot be read as text; the rest of a sentence says why.
        case unreadable(String)
    }

    func reading(_ slice: Int, _ extractor: Extractor) -> Reading {
        if let fault = fault(slice, extractor) { return .unreadable(fault) }
        if extractor.state(of: slice) != .complete { return .nothing }
        let json = bytes(slice)
        if json.count > Self.bytesMax { return .unreadable("is longer than \(Self.bytesMax) bytes") }
        switch json.first {
        case UInt8(ascii: "n"), nil: return .nothing
        case UInt8(ascii: "["), UInt8(ascii: "{"): return .unreadable("is an array or an object")
        case let first?:
            guard let text = JSONPick.text(of: String(decoding: json, as: UTF8.self)) else {
                return .unreadable("is no text")
            }
            if text.isEmpty { return .nothing }
            return first == UInt8(ascii: "\"") ? .string(text) : .plain(text)
        }
    }

    /// Why a value cannot be read, as the rest of a sentence; nil where it can.
    func fault(_ slice: Int, _ extractor: Extractor) -> String? {
        guard extractor.isFailed(slice: slice) else { return nil }
        // The extractor lists a limited number of faults: this one may be missing.
        guard let fault = extractor.faults(of: slice).first else { return "is not where its path leads" }
        return "cannot be read: expected \(fault.expected) at '\(fault.name)', found \(fault.found)"
    }

    /// The text of a complete string, number or truth value; nil where there is none.
    func text(_ slice: Int, _ extractor: Extractor) -> String? {
        guard extractor.state(of: slice) == .complete, !extractor.isFailed(slice: slice) else { return nil }
        let json = bytes(slice)
        return json.count > Self.bytesMax ? nil : JSONPick.text(of: String(decoding: json, as: UTF8.self))
    }

    /// Whether a value is present, and more than null, false, 0 or empty.
    func saysSomething(_ slice: Int, _ extractor: Extractor) -> Bool {
        guard extractor.state(of: slice) == .complete, !extractor.isFailed(slice: slice) else { return false }
        let json = bytes(slice)
        switch json.first {
        case UInt8(ascii: "n"), UInt8(ascii: "f"), nil: return false
        case UInt8(ascii: "t"): return true
        case UInt8(ascii: "\""): return json.count > 2
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            let inside = json.dropFirst().first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            return inside != UInt8(ascii: "]") && inside != UInt8(ascii: "}")
        default: return Double(String(decoding: json, as: UTF8.self)) != 0
        }
    }
}
