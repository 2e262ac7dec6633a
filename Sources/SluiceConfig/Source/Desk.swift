/// What every section may need while it is read.
struct Desk {
    var reader: ConfigurationReader
    var findings: Findings
    /// Names under `clients:`.
    var clientNames: [String] = []

    /// A file named in the configuration: absolute as it is, else under `$CREDENTIALS_DIRECTORY` where it is there,
    /// else beside the configuration.
    func resolve(_ name: String) -> String {
        if name.hasPrefix("/") { return name }
        if let directory = reader.credentialsDirectory {
            let path = "\(directory)/\(name)"
            if reader.surroundings.permissions(path) != nil { return path }
        }
        return beside(name)
    }

    /// A name beside the configuration, unless it is absolute.
    func beside(_ name: String) -> String {
        guard !name.hasPrefix("/"), let slash = reader.path.lastIndex(of: "/") else { return name }
        return String(reader.path[...slash]) + name
    }

    /// Checks a file that must be there; one that holds a secret must be closed to others.
    ///
    /// - Returns: the full path.
    func file(_ node: SourceNode, isSecret: Bool) -> String? {
        guard let name = text(node, what: "a file name") else { return nil }
        let path = resolve(name)
        switch reader.surroundings.contents(path) {
        case .failure(let unreadable):
            let place = reader.credentialsDirectory == nil ? "beside the configuration" : "in $CREDENTIALS_DIRECTORY"
            findings.mistake(
                at: node.place, "file '\(path)' cannot be read: \(unreadable.reason)",
                expected: "a readable file" + (name.hasPrefix("/") ? "" : " \(place)"))
            return nil
        case .success(let bytes):
            if bytes.allSatisfy({ $0 <= 0x20 }) {
                findings.mistake(at: node.place, "file '\(path)' is empty", expected: "its content")
                return nil
            }
        }
        // Anyone on the machine could otherwise use the credential (DESIGN: files with sane permissions).
        if isSecret, let permissions = reader.surroundings.permissions(path), permissions & 0o007 != 0 {
            findings.mistake(
                at: node.place, "file '\(path)' holds a secret and is open to every user",
                expected: "permissions 0600 or 0640", suggestion: .advice("run: chmod 600 \(path)"))
            return nil
        }
        return path
    }
}
