internal import SluiceHTTP

/// Which clients may read metrics and health at the address of `admin:`.
struct MonitorAccess: Sendable {
    /// Digests of the keys; empty where no key is needed.
    private let digests: [KeyDigest]

    init(_ digests: [[UInt8]]) {
        self.digests = digests.compactMap { KeyDigest($0) }
    }

    func admits(_ fields: borrowing HeaderBlock) -> Bool {
        if digests.isEmpty { return true }
        var isKnown = false
        for index in 0..<fields.count {
            guard let key = ClientDirectory.key(in: fields, at: index) else { continue }
            let digest = KeyDigest(of: key)
            // Every key is compared, so that the time reveals nothing.
            for known in digests where known == digest { isKnown = true }
        }
        return isKnown
    }
}
