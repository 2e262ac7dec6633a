internal import SluiceContract
internal import SluiceSigning

/// Values that one request gets from variables and files, and all secrets that it was sent with.
struct RequestSecrets {
    /// What the upstream may echo.
    private(set) var shown: [CredentialVault.Shown] = []

    /// The request goes out with it.
    mutating func show(_ secret: CredentialVault.Shown?) {
        guard let secret, !shown.contains(where: { $0 === secret }) else { return }
        shown.append(secret)
    }

    /// A value, for what is being written; nil where there is none.
    mutating func value(_ number: Int, of generation: Generation) -> SecretBytes? {
        let value = generation.secrets[number].current
        show(generation.secrets[number].shown)
        return value
    }

    /// A copy of it; empty where there is none.
    mutating func bytes(_ number: Int, of generation: Generation) -> [UInt8] {
        value(number, of: generation)?.withUnsafeBytes { Array($0) } ?? []
    }

    /// Why a request cannot be sent; nil where all values are there.
    static func lack(of secrets: RouteSecrets, in generation: Generation) -> Problem? {
        for secret in secrets.all where generation.secrets[secret].current == nil {
            let name =
                switch generation.table.secrets[secret] {
                case .env(let name): "variable '\(name)'"
                case .file(let path): "file '\(path)'"
                case .value: "configuration"
                }
            return Problem(.noBearer, detail: "A value that the request needs could not be read from \(name).")
        }
        return nil
    }

    mutating func removeAll() {
        if !shown.isEmpty { shown.removeAll(keepingCapacity: true) }
    }
}
