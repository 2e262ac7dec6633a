internal import SluiceContract
internal import SluiceFiles

extension TokenSource {
    /// The current secret.
    func secret(credentialsDirectory: String?) throws(TokenFileError) -> String {
        switch self {
        case .value(let text): return text
        case .env(let name):
            if let text = EnvironmentSecrets.take(name) { return text }
            throw TokenFileError(path: name, reason: "the environment has no such variable")
        case .file(let path): return try TokenReader.read(path: path, credentialsDirectory: credentialsDirectory)
        }
    }
}
