/// The difference between two JSON values.
public enum JSONDifference: Sendable, Equatable {
    /// The values are equal, however they are written.
    case none
    /// A patch that turns the first value into the second.
    case patch([UInt8])
    /// No patch of this kind can express the difference: the second value has to be sent as a whole.
    case whole

    /// A merge patch (RFC 7396).
    ///
    /// A merge patch cannot set a member to null, because null removes members: the result is then ``whole``.
    /// - Parameters:
    ///   - old: a JSON text; if it is not JSON, or has a key twice, the result is ``whole``.
    ///   - new: a JSON text, likewise.
    /// - Complexity: linear in both texts times their depth.
    public static func mergePatch(from old: [UInt8], to new: [UInt8]) -> JSONDifference {
        guard let old = JSONOutline(old), let new = JSONOutline(new) else { return .whole }
        if old.isSame(old.root, as: new.root, of: new) { return .none }
        var writer = MergePatchWriter(old: old, new: new)
        return writer.write(old.root, new.root) ? .patch(writer.out) : .whole
    }

    /// A JSON patch (RFC 6902) of the operations add, remove and replace.
    ///
    /// Arrays are compared from both ends: the elements between the equal ends are compared one by one.
    /// - Parameters: as above.
    /// - Complexity: linear in both texts times their depth.
    public static func jsonPatch(from old: [UInt8], to new: [UInt8]) -> JSONDifference {
        guard let old = JSONOutline(old), let new = JSONOutline(new) else { return .whole }
        var writer = JSONPatchWriter(old: old, new: new)
        writer.compare(old.root, new.root, at: [])
        return writer.isEmpty ? .none : .patch(writer.whole)
    }
}
