internal import CSIMD
internal import Glibc

/// The set of vector instructions that JSON is read with: the widest that the machine has, or a narrower one that the
/// environment names, so that one machine measures all that it has. Results are the same with each.
public enum VectorSet {
    /// The environment variable that names one.
    public static let variable = "SLUICE_VECTORS"

    /// What its makers call the one that is used; `none` where every byte is read by itself.
    public static var name: String { String(cString: sluice_json_kernel.preferred.name) }

    /// What is wrong with the environment's wish, and what may be wished for; nil where nothing is.
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
    /// The one for the widest vectors that this machine has, but for what the environment wishes. A constant, as its
    /// two pointers' targets are.
    nonisolated(unsafe) static let preferred =
        VectorSet.wish.flatMap(VectorSet.named) ?? sluice_json_kernel_widest().pointee
}
