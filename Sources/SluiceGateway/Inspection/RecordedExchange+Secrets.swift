public import SluiceContract
internal import SluiceHTTP

extension RecordedExchange {
    /// The exchange as it would be recorded, whoever has written it down: without fields that frame a message or carry
    /// credentials, without what echoes them, and without members of bodies that sound like those.
    /// - Parameters:
    ///   - leftOut: names that are left out as well.
    ///   - kept: names of members of the answer that are kept, though they sound like credentials.
    /// - Returns: nil where a secret could not be taken out.
    public func withoutSecrets(leftOut: Set<String> = [], kept: Set<String> = []) -> RecordedExchange? {
        var result = self
        let names = Set(leftOut.map { $0.lowercased() })
        var mask = CredentialMask()
        for field in requestFields + fields where isSecret(field) {
            let id = Array(field.name.utf8).withUnsafeBytes { FieldID(name: $0) }
            Array(field.value.utf8).withUnsafeBytes { SecretField.insert($0, of: id, into: &mask) }
        }
        if let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) {
            Array(target.utf8[target.utf8.index(after: mark)...]).withUnsafeBytes {
                SecretField.insert(query: $0, into: &mask)
            }
        }
        func cleaned(_ fields: [HeaderSetting]) -> [HeaderSetting] {
            fields.compactMap { field in
                let name = field.name.lowercased()
                if ExchangeRecorder.framing.contains(name) || names.contains(name) || isSecret(field) { return nil }
                let value = Array(field.value.utf8).withUnsafeBytes { QueryMask.text($0) }
                return HeaderSetting(name: field.name, value: mask.applied(to: value))
            }
        }
        result.requestFields = cleaned(requestFields)
        result.fields = cleaned(fields)
        let rule = RecordedBody(leftOut: leftOut)
        result.target = rule.masked(
            target: mask.applied(to: Array(target.utf8).withUnsafeBytes { QueryMask.text($0) }))
        guard let requestBody = rule.masked(requestBody, mask),
            let body = RecordedBody.ofAnswer(without: leftOut, keeping: kept).masked(self.body, mask)
        else { return nil }
        (result.requestBody, result.body) = (requestBody, body)
        result.leftOut = leftOut.sorted()
        return result
    }

    private func isSecret(_ field: HeaderSetting) -> Bool {
        let id = Array(field.name.utf8).withUnsafeBytes { FieldID(name: $0) }
        return Array(field.value.utf8).withUnsafeBytes { SecretField.isOne(id, field.name, $0) }
    }
}
