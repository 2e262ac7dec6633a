/// What leads from one JSON value to another.
public enum JSONDifference: Sendable, Equatable {
    /// They say the same, however they are written.
    case none
    /// A patch that makes the second value of the first.
    case patch([UInt8])
    /// No patch of this kind says it, and the second value has to be told as a whole.
    case whole

    /// A merge patch (RFC 7396).
    ///
    /// It has no word for a member whose value is null, because null takes members away: ``whole`` then.
    /// - Parameters:
    ///   - old: a JSON text; what is none, or has a key twice, is ``whole``.
    ///   - new: another one.
    /// - Complexity: linear in both texts times their depth.
    public static func mergePatch(from old: [UInt8], to new: [UInt8]) -> JSONDifference {
        guard let old = JSONOutline(old), let new = JSONOutline(new) else { return .whole }
        if old.isSame(old.root, as: new.root, of: new) { return .none }
        var writer = MergePatchWriter(old: old, new: new)
        return writer.write(old.root, new.root) ? .patch(writer.out) : .whole
    }

    /// A JSON patch (RFC 6902) of the operations add, remove and replace.
    ///
    /// Elements of arrays are compared from both ends: what is between is replaced one by one.
    /// - Parameters: as above.
    /// - Complexity: linear in both texts times their depth.
    public static func jsonPatch(from old: [UInt8], to new: [UInt8]) -> JSONDifference {
        guard let old = JSONOutline(old), let new = JSONOutline(new) else { return .whole }
        var writer = JSONPatchWriter(old: old, new: new)
        writer.compare(old.root, new.root, at: [])
        return writer.isEmpty ? .none : .patch(writer.whole)
    }
}
