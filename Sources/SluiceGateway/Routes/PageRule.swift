internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// `pages:` of a binding, compiled.
struct PageRule: Sendable {
    /// With paths from the root of a page.
    let policy: PagePolicy
    /// Percent-encoded name of the parameter that leads on; empty where none does.
    let parameter: [UInt8]
    /// The same name as it is.
    private let name: [UInt8]
    /// Name of the variable of GraphQL that leads on, in the place of a parameter.
    let variable: [UInt8]?
    /// In front of every target of the upstream.
    let basePath: [UInt8]

    init?(_ binding: Binding, _ upstream: Upstream) {
        guard let policy = binding.pages else { return nil }
        self.policy = binding.graphQL == nil ? policy : policy.below("data")
        basePath = Array(upstream.basePath.utf8)
        let name = policy.parameter.map { Array($0.utf8) }
        self.name = name ?? []
        parameter = PercentEncoding.encoded(self.name)
        variable = binding.graphQL == nil ? nil : name
    }

    /// Whether a pair of a query is the parameter that leads on: a client may percent-encode more of its name than it
    /// has to, and means the same (RFC 3986 §6.2.2.2).
    func leadsOn(_ pair: ArraySlice<UInt8>) -> Bool {
        let written = pair.prefix { $0 != UInt8(ascii: "=") }
        return written.withUnsafeBytes { PercentEncoding.decoded($0, plusIsSpace: true) } == name
    }

    /// Whether it matters how many items have come.
    var countsItems: Bool { if case .total? = policy.ending { true } else { false } }

    /// Whether a page without items is the last one.
    var endsEmpty: Bool { isNumbered }

    /// Whether pages have numbers, which are counted on from where the client begins.
    var isNumbered: Bool {
        switch policy.way {
        case .offset, .page: true
        case .cursor, .link, .url: false
        }
    }
}

/// The slices of a plan that say what follows a page.
struct PageSlices: Sendable {
    let extractions: [Extraction]
    let nextSlice: Int?
    let endingSlice: Int?

    init(_ rule: PageRule, from first: Int) {
        var paths: [FieldPath] = []
        switch rule.policy.way {
        case .cursor(let path, _), .url(let path):
            nextSlice = first
            paths.append(path)
        case .link, .offset, .page: nextSlice = nil
        }
        endingSlice = rule.policy.ending == nil ? nil : first + paths.count
        if let ending = rule.policy.ending { paths.append(ending.path) }
        extractions = paths.map { Extraction(path: $0, type: .optional(.scalar(.json))) }
    }
}
