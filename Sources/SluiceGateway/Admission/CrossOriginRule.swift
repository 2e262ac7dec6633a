internal import SluiceContract
internal import SluiceHTTP

/// `cors:` of a binding, compiled.
struct CrossOriginRule: Sendable {
    private let policy: CrossOriginPolicy
    private let origins: [[UInt8]]
    private let exposed: String
    private let headers: String

    init(_ policy: CrossOriginPolicy) {
        self.policy = policy
        if case .list(let names) = policy.origins { origins = names.map { Array($0.utf8) } } else { origins = [] }
        exposed = policy.expose.joined(separator: ", ")
        headers = (policy.headers ?? []).joined(separator: ", ")
    }

    /// Whether pages of any origin may send requests.
    var isOpen: Bool { policy.origins == .any }

    /// Whether the answer differs from one origin to the next, which caches have to know (RFC 9110 §12.5.5).
    var dependsOnOrigin: Bool { !isOpen || policy.credentials }

    func allows(_ origin: UnsafeRawBufferPointer) -> Bool {
        // A wildcard means every page, not every text (RFC 6454 §6.2).
        if isOpen { return FieldValue.isValid(origin) && origin.count > 0 }
        return origins.contains { origin.equalsIgnoringCase($0) }
    }

    /// Writes the fields that go with every answer to an allowed page.
    func write(origin: UnsafeRawBufferPointer, into fields: inout HeaderBlock) {
        if dependsOnOrigin {
            fields.append(.accessControlAllowOrigin, value: origin)
        } else {
            fields.append(.accessControlAllowOrigin, "*")
        }
        if policy.credentials { fields.append(.accessControlAllowCredentials, "true") }
        if !exposed.isEmpty { fields.append(.accessControlExposeHeaders, text: exposed) }
    }

    func writePreflight(of request: borrowing HeaderBlock, into fields: inout HeaderBlock) {
        if policy.headers != nil {
            if !headers.isEmpty { fields.append(.accessControlAllowHeaders, text: headers) }
        } else if let index = request.firstIndex(of: .accessControlRequestHeaders) {
            var asked = ListIterator(request.value(index))
            var names: [String] = []
            while let name = asked.next() {
                if FieldValue.isToken(name) { names.append(String(decoding: name, as: UTF8.self)) }
            }
            if !names.isEmpty { fields.append(.accessControlAllowHeaders, text: names.joined(separator: ", ")) }
        }
        fields.append(.accessControlMaxAge, text: String(policy.maxAge.components.seconds))
        let asksPrivate = Array("Access-Control-Request-Private-Network".utf8).withUnsafeBytes { name in
            request.firstIndex(of: name).map { request.value($0).elementsEqual("true".utf8) } ?? false
        }
        guard asksPrivate, policy.privateNetwork else { return }
        Array("Access-Control-Allow-Private-Network".utf8).withUnsafeBytes { name in
            Array("true".utf8).withUnsafeBytes { fields.append(name: name, value: $0) }
        }
    }
}
