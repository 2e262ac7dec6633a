internal import SluiceContract
internal import SluiceHTTP
internal import SluiceSigning

/// Values that the configuration takes from variables and files, and the key that tells attempts from requests.
extension BoundRequest {
    /// Why the request cannot be sent; nil where all values are there.
    func missingSecret(_ secrets: RouteSecrets) -> Problem? {
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

    /// The target with its secrets in their places, while `body` runs.
    func withTarget(_ route: Route, _ body: (UnsafeRawBufferPointer) -> Void) {
        if route.secrets.inTarget.isEmpty, !route.credentials.isInQuery { return body(target.bytes) }
        var whole: [UInt8] = []
        for byte in target.bytes {
            if byte > RouteSecrets.inTargetMax || byte == 0 || Int(byte) > route.secrets.inTarget.count {
                whole.append(byte)
            } else {
                whole += PercentEncoding.encoded(secretBytes(route.secrets.inTarget[Int(byte) - 1]))
            }
        }
        if route.credentials.isInQuery, let credential = credential(route), !credential.isField,
            let pair = credential.reader.line
        {
            whole.append(UInt8(ascii: whole.contains(UInt8(ascii: "?")) ? "&" : "?"))
            pair.withUnsafeBytes { whole += $0 }
        }
        whole.withUnsafeBytes(body)
    }

    /// A value, for what is being written; nil where there is none.
    func secret(_ number: Int) -> SecretBytes? {
        let value = generation.secrets[number].current
        show(generation.secrets[number].shown)
        return value
    }

    /// A copy of it; empty where there is none.
    func secretBytes(_ number: Int) -> [UInt8] { secret(number)?.withUnsafeBytes { Array($0) } ?? [] }

    /// Renames fields, and gives a request that must not happen twice a key of its own, unless its client did.
    func editFields(_ route: Route, _ random: inout RandomSource) {
        for rename in route.fields.renames { rename.apply(to: &head.fields) }
        guard let field = route.idempotencyField, !upstreamMethod.isIdempotent else { return }
        for index in 0..<head.fields.count where !head.fields.isMarked(index) {
            if head.fields.name(index).equalsIgnoringCase(field), !head.fields.value(index).isEmpty { return }
        }
        let key = Array(Self.uuid(&random).utf8)
        field.withUnsafeBytes { name in key.withUnsafeBytes { head.fields.append(name: name, value: $0) } }
    }

    /// RFC 9562 §5.4.
    private static func uuid(_ random: inout RandomSource) -> String {
        let high = random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        func hex(_ value: UInt64, _ count: Int) -> String {
            let digits = String(value, radix: 16)
            return String(repeating: "0", count: count - digits.utf8.count) + digits
        }
        return [
            hex(high >> 32, 8), hex(high >> 16 & 0xFFFF, 4), hex(high & 0xFFFF, 4), hex(low >> 48, 4),
            hex(low & 0xFFFF_FFFF_FFFF, 12),
        ].joined(separator: "-")
    }

    /// Whether the request may be sent a second time without happening twice (RFC 9110 §9.2.2).
    var maySendAgain: Bool {
        upstreamMethod.isIdempotent || borrowedRoute?({ $0.idempotencyField != nil }) == true
    }
}
