import SluiceContract

/// A constraint, compiled for checking values.
struct ValueLimit: Sendable {
    private let range: Constraint.Range?
    private let pattern: TextPattern?
    let isUnique: Bool
    /// The most elements that an array may have; `.max` if there is no limit.
    let greatestCount: Int

    init(_ constraint: Constraint) throws(PlanError) {
        range = constraint.range
        isUnique = constraint.isUnique
        greatestCount = constraint.range?.greatestCount ?? .max
        guard let text = constraint.pattern else {
            pattern = nil
            return
        }
        do throws(TextPattern.Malformed) {
            pattern = try TextPattern(text)
        } catch {
            throw .invalidPattern(text, error.message)
        }
    }

    /// - Parameter text: the text of a number, or of a string without quotes and escapes.
    func accepts(_ text: UnsafeBufferPointer<UInt8>, isNumber: Bool) -> Bool {
        if let range {
            let isInside = isNumber ? range.contains(text) : range.contains(Self.length(text))
            if !isInside { return false }
        }
        return pattern?.matches(text) ?? true
    }

    func accepts(count: Int) -> Bool { range?.contains(count) ?? true }

    /// The length in code points: the number of bytes that are not continuation bytes (RFC 3629 §3).
    private static func length(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        text.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
    }
}
