import SluiceContract
import SluiceFiles
import SluiceRules

/// What the readers of all sections share.
struct ReadingContext {
    var reader: ConfigurationReader
    var findings: Findings

    /// The path of a file named in the configuration: an absolute name is kept; a relative one is looked up in
    /// `$CREDENTIALS_DIRECTORY`, and else stands for a file beside the configuration.
    func resolve(_ name: String) -> String {
        if name.hasPrefix("/") { return name }
        if let directory = reader.credentialsDirectory {
            let path = "\(directory)/\(name)"
            if reader.surroundings.secretFile(path, directory) != nil { return path }
        }
        return beside(name)
    }

    /// The path of a file beside the configuration; an absolute name is kept.
    func beside(_ name: String) -> String {
        guard !name.hasPrefix("/"), let slash = reader.path.lastIndex(of: "/") else { return name }
        return String(reader.path[...slash]) + name
    }

    /// Checks that a file can be read and is not empty; a file that holds a secret must not be accessible to other
    /// users.
    ///
    /// - Returns: the full path.
    func file(_ node: SourceNode, isSecret: Bool) -> String? {
        guard let name = text(node, what: "a file name") else { return nil }
        let path = resolve(name)
        if reader.secrets == .ignored { return path }
        switch reader.surroundings.contents(path) {
        case .failure(let unreadable):
            // The service manager may provide a file with a relative name, secret or not. A pipe or device at the path
            // exists but is not a file, so it is a mistake.
            if reader.secrets == .reported, isSecret || !name.hasPrefix("/"), reader.surroundings.kind(path) != .other {
                findings.warning(
                    at: node.place, "file '\(path)' cannot be read from here: \(unreadable.reason)",
                    suggestion: .advice(Self.unseen))
                return path
            }
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
        return isSecret && !isClosed(path, node) ? nil : path
    }

    /// The advice where a variable with a secret is not set while a page is checked.
    static let unset = "see that the daemon has it (export, systemd: Environment=); --strict makes this a mistake"
    /// The advice where a file is not found while a page is checked.
    static let unseen = "see that the daemon finds it (systemd: LoadCredential=); --strict makes this a mistake"

    /// Whether other users can neither read nor change the secret in the file at `path`.
    private func isClosed(_ path: String, _ node: SourceNode) -> Bool {
        switch reader.surroundings.secretFile(path, reader.credentialsDirectory)?.verdict {
        case .accepted, nil: return true
        case .suspicious(let objection):
            findings.warning(
                at: node.place, "file '\(path)' holds a secret and \(objection.reason)",
                suggestion: .advice("mount secrets below /run/secrets, or run: \(objection.command) \(path)"))
            return true
        case .refused(let objection):
            findings.mistake(
                at: node.place, "file '\(path)' holds a secret and \(objection.reason)",
                expected: "permissions 0600 or 0640", suggestion: .advice("run: \(objection.command) \(path)"))
            return false
        }
    }
}
