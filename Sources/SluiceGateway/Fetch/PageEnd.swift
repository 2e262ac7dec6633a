internal import SluiceContract
internal import SluiceJSON

/// How much of a list has been read, up to and including the last page.
struct PagesPassed {
    var pages: Int
    var items: Int
}

/// What a page says about the end of its list.
enum PageEnd: Equatable {
    case last
    /// More pages follow, or the reference to the next page decides.
    case open
    /// The field cannot be read; the rest of a sentence says why.
    case unreadable(String)

    init(
        _ ending: PagePolicy.Ending, _ noted: NotedSlices, _ slice: Int, _ extractor: Extractor, _ passed: PagesPassed
    ) {
        if let fault = noted.fault(slice, extractor) {
            self = .unreadable(fault)
            return
        }
        switch ending {
        case .more: self = noted.saysSomething(slice, extractor) ? .open : .last
        case .last: self = noted.saysSomething(slice, extractor) ? .last : .open
        case .total: self = Self.reached(passed.items, of: noted.reading(slice, extractor))
        case .totalPages: self = Self.reached(passed.pages, of: noted.reading(slice, extractor))
        }
    }

    /// A total that is absent is not known (yet); the list still ends when no page follows.
    private static func reached(_ count: Int, of total: NotedSlices.Reading) -> PageEnd {
        switch total {
        case .nothing: return .open
        case .string(let text), .plain(let text):
            guard let total = Double(text), total >= 0 else { return .unreadable("is no number") }
            return Double(count) >= total ? .last : .open
        case .unreadable(let reason): return .unreadable(reason)
        }
    }
}
