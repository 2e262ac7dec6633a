public import SluiceContract

/// Takes one scalar out of a small document: an error's message, a token.
public struct JSONPick: Sendable {
    private let plan: Plan

    /// - Parameter limits: a document beyond them yields nothing.
    public init(_ path: FieldPath, limits: JSONLimits = JSONLimits()) throws(PlanError) {
        plan = try Plan([Extraction(path: path)], types: NamedTypes([]), limits: limits)
    }

    /// The text of the string, number or bool at the path; nil if there is none, or the document is not JSON.
    public func text(in bytes: UnsafeRawBufferPointer) -> String? {
        json(in: bytes).flatMap { Self.text(of: $0) }
    }

    /// The text of a string, number or bool; nil for other values.
    public static func text(of json: String) -> String? {
        switch json.utf8.first {
        case UInt8(ascii: "\""): JSONText.unquote(json)
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "n"), nil: nil
        default: json
        }
    }

    /// The JSON text of the value at the path, whatever its kind; nil if there is none, or the document is not JSON.
    public func json(in bytes: UnsafeRawBufferPointer) -> String? {
        Extractor(plan).onlyValue(of: bytes)
    }

    /// The text of the string, number or bool at `path`.
    public static func text(at path: FieldPath, in bytes: UnsafeRawBufferPointer) -> String? {
        try? JSONPick(path).text(in: bytes)
    }
}

extension Extractor {
    /// Extracts the value of the only extraction of a fresh extractor from a whole document.
    /// - Returns: JSON; nil if there is no such value, or the document is not JSON.
    func onlyValue(of document: UnsafeRawBufferPointer) -> String? {
        var found: [UInt8] = []
        feed(document)
        found.append(pieces: pieces)
        clearPieces()
        finish()
        found.append(pieces: pieces)
        if isFailed || state(of: 0) != .complete { return nil }
        return String(decoding: found, as: UTF8.self)
    }
}

extension [UInt8] {
    mutating func append(pieces: UnsafeBufferPointer<Extractor.Piece>) {
        for piece in pieces { append(contentsOf: UnsafeRawBufferPointer(start: piece.base, count: piece.count)) }
    }
}
