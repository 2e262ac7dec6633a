import SluiceContract

/// A constraint made ready for looking at values.
struct ValueLimit: Sendable {
    private let range: Constraint.Range?
    private let pattern: TextPattern?
    let isUnique: Bool
    /// Whether nothing need be counted while an array goes by but its elements.
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

    /// - Parameter text: of a number, or of a string without quotes and escapes.
    func accepts(_ text: UnsafeBufferPointer<UInt8>, isNumber: Bool) -> Bool {
        if let range {
            let isInside = isNumber ? range.contains(text) : range.contains(Self.length(text))
            if !isInside { return false }
        }
        return pattern?.matches(text) ?? true
    }

    func accepts(count: Int) -> Bool { range?.contains(count) ?? true }

    /// In code points: every byte but those that continue a sequence (RFC 3629 §3).
    private static func length(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        text.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
    }
}
