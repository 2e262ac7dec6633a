internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// `pages:` of a binding, compiled.
struct PageRule: Sendable {
    let policy: PagePolicy
    /// Percent-encoded name of the parameter that leads on; empty where none does.
    let parameter: [UInt8]
    /// In front of every target of the upstream.
    let basePath: [UInt8]

    init?(_ binding: Binding, _ upstream: Upstream) {
        guard let policy = binding.pages else { return nil }
        self.policy = policy
        basePath = Array(upstream.basePath.utf8)
        parameter =
            switch policy.way {
            case .cursor(_, let name), .offset(let name, _), .page(let name): PercentEncoding.encoded(Array(name.utf8))
            case .link, .url: []
            }
    }

    /// Whether a page without items is the last one.
    var endsEmpty: Bool {
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
    let moreSlice: Int?

    init(_ rule: PageRule, from first: Int) {
        var paths: [FieldPath] = []
        switch rule.policy.way {
        case .cursor(let path, _), .url(let path):
            nextSlice = first
            paths.append(path)
        case .link, .offset, .page: nextSlice = nil
        }
        moreSlice = rule.policy.more == nil ? nil : first + paths.count
        if let more = rule.policy.more { paths.append(more) }
        extractions = paths.map { Extraction(path: $0, type: .optional(.scalar(.json))) }
    }
}
