internal import SluiceContract
internal import SluiceSigning

/// Values from variables and files for one request, and all secrets that the request was sent with.
struct RequestSecrets {
    /// Secrets that the upstream may echo.
    private(set) var shown: [CredentialVault.Shown] = []

    /// Notes a secret that the request is sent with.
    mutating func show(_ secret: CredentialVault.Shown?) {
        guard let secret, !shown.contains(where: { $0 === secret }) else { return }
        shown.append(secret)
    }

    /// A value to be written into the request; nil where there is none.
    mutating func value(_ number: Int, of generation: Generation) -> SecretBytes? {
        let value = generation.secrets[number].current
        show(generation.secrets[number].shown)
        return value
    }

    /// A copy of that value; empty where there is none.
    mutating func bytes(_ number: Int, of generation: Generation) -> [UInt8] {
        value(number, of: generation)?.withUnsafeBytes { Array($0) } ?? []
    }

    /// Why the request cannot be sent; nil where all values are available.
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
        for secret in secrets.inPath {
            let isName = generation.secrets[secret].current?.withUnsafeBytes { PathRefusal.isName($0) }
            if isName == true { continue }
            return Problem(.noBearer, detail: "A value that the request's path needs is no name that can stand there.")
        }
        return nil
    }

    mutating func removeAll() {
        if !shown.isEmpty { shown.removeAll(keepingCapacity: true) }
    }
}
