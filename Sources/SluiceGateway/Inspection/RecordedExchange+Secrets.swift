public import SluiceContract
internal import SluiceHTTP

extension RecordedExchange {
    /// The exchange as it would be recorded, whoever has written it down: without fields that frame a message or carry
    /// credentials, and without members of bodies that sound like those.
    /// - Parameter leftOut: names that are left out as well.
    public func withoutSecrets(leftOut: Set<String> = []) -> RecordedExchange {
        var result = self
        let names = Set(leftOut.map { $0.lowercased() })
        func cleaned(_ fields: [HeaderSetting]) -> [HeaderSetting] {
            fields.compactMap { field in
                let name = field.name.lowercased()
                let isHidden =
                    ExchangeRecorder.framing.contains(name) || names.contains(name) || name == "content-encoding"
                    || name == "set-cookie" || SensitiveName.matches(field: name)
                return isHidden ? nil : HeaderSetting(name: name, value: field.value)
            }
        }
        result.requestFields = cleaned(requestFields)
        result.fields = cleaned(fields)
        result.target = Array(target.utf8).withUnsafeBytes { QueryMask.text($0) }
        let body = RecordedBody(leftOut: leftOut)
        (result.requestBody, result.body) = (body.masked(requestBody), body.masked(self.body))
        result.leftOut = leftOut.sorted()
        return result
    }
}
