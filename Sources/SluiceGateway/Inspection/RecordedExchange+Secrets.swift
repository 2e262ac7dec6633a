public import SluiceContract
internal import SluiceHTTP

extension RecordedExchange {
    /// The exchange as `sluice record` would write it, whatever its source: without fields that frame a message or
    /// carry credentials, without echoes of these, and without body members with names typical of credentials.
    /// - Parameter names: what else is left out, and names that only look like those of credentials.
    /// - Returns: nil where a secret could not be removed.
    public func withoutSecrets(_ names: RecordingNames) -> RecordedExchange? {
        var result = self
        let leftOut = Set(names.leftOut.map { $0.lowercased() })
        var mask = CredentialMask()
        for field in requestFields + fields where isSecret(field) {
            let id = Array(field.name.utf8).withUnsafeBytes { FieldID(name: $0) }
            Array(field.value.utf8).withUnsafeBytes { SecretField.insert($0, of: id, into: &mask) }
        }
        if let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) {
            Array(target.utf8[target.utf8.index(after: mark)...]).withUnsafeBytes {
                SecretField.insert(query: $0, except: names.compared, into: &mask)
            }
        }
        func cleaned(_ fields: [HeaderSetting]) -> [HeaderSetting] {
            fields.compactMap { field in
                let name = field.name.lowercased()
                if EndedExchange.framing.contains(name) || leftOut.contains(name) || isSecret(field) { return nil }
                let value = Array(field.value.utf8).withUnsafeBytes { QueryMask.text($0) }
                return HeaderSetting(name: field.name, value: mask.applied(to: value))
            }
        }
        result.requestFields = cleaned(RecordedBody.fields(requestFields, with: requestBody))
        result.fields = cleaned(fields)
        let (asked, answered) = (RecordedBody.ofRequest(names), RecordedBody.ofAnswer(names))
        result.target = mask.applied(to: Array(target.utf8).withUnsafeBytes { asked.masked(target: $0) })
        guard let requestBody = asked.masked(requestBody, type: requestType, mask),
            let body = answered.masked(self.body, type: Self.type(fields), mask)
        else { return nil }
        (result.requestBody, result.body) = (requestBody, body)
        (result.leftOut, result.compared) = (names.leftOut.sorted(), names.compared.sorted())
        return result
    }

    /// The media type of the request's body.
    var requestType: String? { Self.type(requestFields) }

    private static func type(_ fields: [HeaderSetting]) -> String? {
        fields.first { $0.name.lowercased() == "content-type" }?.value
    }

    private func isSecret(_ field: HeaderSetting) -> Bool {
        let id = Array(field.name.utf8).withUnsafeBytes { FieldID(name: $0) }
        return Array(field.value.utf8).withUnsafeBytes { SecretField.isOne(id, field.name, $0) }
    }
}
