internal import SluiceContract
internal import SluiceHTTP
internal import SluiceSigning

extension CredentialPresentation {
    /// The secret as a field line, or as a pair of the query.
    func written(_ secret: SecretBytes) -> SecretBytes? {
        secret.withUnsafeBytes { secret in
            switch self {
            case .field(let name, let prefix):
                let start = Array("\(name): \(prefix)".utf8)
                return SecretBytes(capacity: start.count + secret.count + 2) { line in
                    line.copyBytes(from: start)
                    line[start.count...].copyBytes(from: secret)
                    line[(start.count + secret.count)...].copyBytes(from: [0x0D, 0x0A])
                    return line.count
                }
            case .query(let name):
                let start = Array("\(name)=".utf8)
                return SecretBytes(capacity: start.count + secret.count * 3) { pair in
                    pair.copyBytes(from: start)
                    let rest = UnsafeMutableRawBufferPointer(rebasing: pair[start.count...])
                    return start.count + PercentEncoding.encode(secret, as: .queryValue, into: rest)
                }
            case .signature: return nil
            }
        }
    }
}
