internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// `pages:` of a binding, compiled.
struct PageRule: Sendable {
    /// With paths from the root of a page.
    let policy: PagePolicy
    /// Percent-encoded name of the parameter that selects a page; empty where there is none.
    let parameter: [UInt8]
    /// The same name, not encoded.
    private let name: [UInt8]
    /// Name of the GraphQL variable that selects a page; nil where the binding has no GraphQL.
    let variable: [UInt8]?
    /// The upstream's base path, in front of each of its targets.
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

    /// Whether a pair of a query is the parameter that selects a page. A client may percent-encode more of its name
    /// than it has to; the meaning is the same (RFC 3986 §6.2.2.2).
    func leadsOn(_ pair: ArraySlice<UInt8>) -> Bool {
        let written = pair.prefix { $0 != UInt8(ascii: "=") }
        return written.withUnsafeBytes { PercentEncoding.decoded($0, plusIsSpace: true) } == name
    }

    /// Whether the number of items so far decides where the list ends.
    var countsItems: Bool { if case .total? = policy.ending { true } else { false } }

    /// Whether a page without items is the last one.
    var endsEmpty: Bool { isNumbered }

    /// Whether pages have numbers, counted on from the page at which the client begins.
    var isNumbered: Bool {
        switch policy.way {
        case .offset, .page: true
        case .cursor, .link, .url: false
        }
    }
}

/// The slices of a plan that tell which page follows.
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
