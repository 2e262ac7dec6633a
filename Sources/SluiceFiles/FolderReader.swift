internal import Glibc

/// Reads folders.
public enum FolderReader {
    /// The most names that a folder may have; more are an error.
    public static let namesMax = 10_000

    /// The names in a folder except `.` and `..`, in no order.
    public static func names(in folder: String) throws(FileReader.Failure) -> [String] {
        guard let stream = opendir(folder) else { throw FileReader.Failure(code: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            if names.count == namesMax { throw FileReader.Failure(code: EFBIG) }
            names.append(name)
        }
        return names
    }

    /// The path with all links followed; nil if it leads nowhere.
    public static func target(of path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
