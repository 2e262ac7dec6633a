internal import CSIMD
internal import Glibc

/// The set of vector instructions that JSON is read with: the widest that the machine has, or a narrower one that the
/// environment names, so that one machine can measure all of its sets. Results are the same with each.
public enum VectorSet {
    /// The environment variable that names a set.
    public static let variable = "SLUICE_VECTORS"

    /// The vendor's name of the set in use; `none` if every byte is read by itself.
    public static var name: String { String(cString: sluice_json_kernel.preferred.name) }

    /// The error message if the environment names a set that this machine does not have; else nil.
    public static var refusal: String? { refusal(of: wish) }

    static func refusal(of wish: String?) -> String? {
        guard let wish, named(wish) == nil else { return nil }
        let known = names.joined(separator: ", ")
        return "\(variable)=\(wish): this machine has no such vector instructions; it has \(known)."
    }

    fileprivate static var wish: String? { getenv(variable).map { String(cString: $0) } }

    static func named(_ name: String) -> sluice_json_kernel? {
        names.firstIndex(of: name).flatMap { sluice_json_kernel_at($0)?.pointee }
    }

    private static var names: [String] {
        var names: [String] = []
        while let next = sluice_json_kernel_at(names.count) { names.append(String(cString: next.pointee.name)) }
        return names
    }
}

extension sluice_json_kernel {
    /// The kernel that the environment names, or else the one for the widest vectors that this machine has. A constant,
    /// as the targets of its pointers are.
    nonisolated(unsafe) static let preferred =
        VectorSet.wish.flatMap(VectorSet.named) ?? sluice_json_kernel_widest().pointee
}
