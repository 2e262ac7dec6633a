internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Joins the pages of one list into one array, and finds the next page to fetch.
final class PageGathering {
    /// What follows a page.
    enum Next: Equatable {
        case last
        case page(PageAddress)
        case fault(Problem)
    }

    let rule: PageRule
    /// The target of the client's own request.
    let firstTarget: [UInt8]
    private var count = 0
    private var items = ItemCounter()
    /// Whether the held items of the page have been counted before they are sent.
    private var isCounted = false
    private var asked: Set<PageAddress>
    /// Whether the head of the answer and the pages so far have been handed on.
    var isAnswered = false
    /// The page to fetch once the client reads on.
    var waiting: PageAddress?

    // MARK: - Joining

    private enum Place {
        /// The opening bracket of a page comes next.
        case opening
        case firstItem
        case inside
        /// The page has no items.
        case empty
    }

    private var place = Place.opening
    private var hasOpened = false
    private var hasItems = false
    /// The last byte so far, held back because it may be the page's closing bracket.
    private var kept: UInt8?

    init(_ rule: PageRule, _ firstTarget: UnsafeRawBufferPointer) {
        self.rule = rule
        self.firstTarget = Array(firstTarget)
        asked = [.target(Array(firstTarget))]
    }

    /// Counts the held items of a page, which is sent only once the next page is known.
    func count(_ held: borrowing Outbox) {
        guard rule.countsItems else { return }
        held.forEachRun { run, _ in items.count(run) }
        isCounted = true
    }

    /// Hands on the items between the brackets of a page.
    func join(_ held: borrowing Outbox, into out: inout Outbox) {
        let countsItems = rule.countsItems && !isCounted
        held.forEachRun { run, _ in
            if countsItems { items.count(run) }
            join(run, into: &out)
        }
    }

    private func join(_ run: UnsafeRawBufferPointer, into out: inout Outbox) {
        var rest = run[...]
        if place == .opening, let first = rest.first {
            if !hasOpened { out.append("[") }
            hasOpened = true
            rest = rest.dropFirst()
            place = first == UInt8(ascii: "[") ? .firstItem : .empty
        }
        if place == .firstItem {
            rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
            guard let first = rest.first else { return }
            place = first == UInt8(ascii: "]") ? .empty : .inside
            if place == .inside, hasItems { out.append(",") }
            if place == .inside { hasItems = true }
        }
        guard place == .inside, let last = rest.last else { return }
        if let kept { out.append(kept) }
        kept = last
        out.append(UnsafeRawBufferPointer(rebasing: rest.dropLast()))
    }

    /// The page has ended: the held-back byte is its closing bracket, and is dropped.
    func pageEnded() {
        (place, kept) = (.opening, nil)
        items.arrayEnded()
        isCounted = false
    }

    /// The text that follows the last page.
    var ending: StaticString { hasOpened ? "]" : "[]" }

    // MARK: - What follows

    /// Why the page's statement about the end of the list cannot be read; called before any of the page is handed on.
    func fault(of extraction: borrowing AnswerExtraction) -> Problem? {
        guard let ending = rule.policy.ending,
            case .unreadable(let reason) = extraction.pageEnd(ending, PagesPassed(pages: 0, items: 0))
        else { return nil }
        return unreadable(ending.name, reason, of: count + 1)
    }

    /// What follows a page that has arrived and is valid.
    func next(
        after extraction: borrowing AnswerExtraction, _ fields: borrowing HeaderBlock, _ request: BoundRequest,
        _ endpoint: Endpoint
    ) -> Next {
        // An optional value that is absent is a page without items.
        let isEmpty = place != .inside
        count += 1
        if request.head.method == .head || rule.endsEmpty && isEmpty { return .last }
        var saysMore = false
        if let ending = rule.policy.ending {
            switch extraction.pageEnd(ending, passed(request)) {
            case .last: return .last
            case .open: if case .more = ending { saysMore = true }
            case .unreadable(let reason): return .fault(unreadable(ending.name, reason))
            }
        }
        let target: [UInt8]?
        switch rule.policy.way {
        case .cursor:
            switch extraction.nextPage {
            case .nothing: return saysMore ? .fault(missing("cursor")) : .last
            case .string(let cursor):
                if rule.variable != nil { return ask(for: .variable(Array(JSONText.quote(cursor).utf8))) }
                target = replacing(PercentEncoding.encoded(Array(cursor.utf8)))
            case .plain(let cursor):
                if rule.variable != nil { return ask(for: .variable(Array(cursor.utf8))) }
                target = replacing(PercentEncoding.encoded(Array(cursor.utf8)))
            case .unreadable(let reason): return .fault(unreadable("cursor", reason))
            }
        case .url:
            switch extraction.nextPage {
            case .nothing: return saysMore ? .fault(missing("next")) : .last
            case .string(let url):
                target = Array(url.utf8).withUnsafeBytes { Redirect.target(named: $0, for: request, endpoint) }
            case .plain: return .fault(unreadable("next", "is no URL"))
            case .unreadable(let reason): return .fault(unreadable("next", reason))
            }
        case .link:
            guard let url = LinkField.target(of: "next", in: "link", fields) else { return .last }
            target = url.withUnsafeBytes { Redirect.target(named: $0, for: request, endpoint) }
        case .offset(_, let step): return ask(for: address(of: first(request) + count * step))
        case .page: return ask(for: address(of: first(request) + count))
        }
        guard let target, isBelowBase(target) else {
            return .fault(fault("leads away from the API, or above its base path"))
        }
        return ask(for: .target(request.route.map { LinkTargets.asked(target, $0) } ?? target))
    }

    private func ask(for address: PageAddress) -> Next {
        guard asked.insert(address).inserted else { return .fault(fault("is one that has been read already")) }
        guard count < rule.policy.limit else {
            return .fault(fault("is beyond the \(rule.policy.limit) pages that 'limit:' allows"))
        }
        return .page(address)
    }

    private func address(of number: Int) -> PageAddress {
        let digits = Array(String(number).utf8)
        return rule.variable == nil ? .target(replacing(digits)) : .variable(digits)
    }

    /// How much of the list has been read; items before the page that the client begins at count, where they are known.
    private func passed(_ request: BoundRequest) -> PagesPassed {
        switch rule.policy.way {
        case .offset: PagesPassed(pages: count, items: first(request) + items.count)
        // Pages are counted from 1, or from 0 where the client begins there.
        case .page: PagesPassed(pages: count + max(first(request) - 1, 0), items: items.count)
        case .cursor, .link, .url: PagesPassed(pages: count, items: items.count)
        }
    }

    private func fault(_ reason: String) -> Problem {
        Problem(.badPage, detail: "The page behind page \(count) \(reason).")
    }

    /// More pages may follow, so the pages so far are not taken for the whole list.
    private func unreadable(_ key: String, _ reason: String, of page: Int? = nil) -> Problem {
        Problem(.badPage, detail: "What '\(key):' wants of page \(page ?? count) \(reason).")
    }

    /// A list that says it goes on, but not where, is not taken for a complete one.
    private func missing(_ key: String) -> Problem {
        unreadable(key, "is not there, though 'more:' says that it goes on")
    }

    private func isBelowBase(_ target: [UInt8]) -> Bool {
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        return path.starts(with: rule.basePath + [UInt8(ascii: "/")]) || path.elementsEqual(rule.basePath)
    }

    /// The number that the client begins at. An invalid one has been refused already.
    private func first(_ request: BoundRequest) -> Int {
        if case .number(let number) = PageStart(request, firstTarget, rule) { return number }
        return if case .page = rule.policy.way { 1 } else { 0 }
    }

    /// The client's own target with this value of the paging parameter.
    private func replacing(_ value: [UInt8]) -> [UInt8] {
        let name = rule.parameter + [UInt8(ascii: "=")]
        let kept = PageStart.pairs(of: firstTarget).filter { !rule.leadsOn($0) }
        let path = firstTarget.prefix { $0 != UInt8(ascii: "?") }
        let query = kept.map { Array($0) } + [name + value]
        return path + [UInt8(ascii: "?")] + query.joined(separator: [UInt8(ascii: "&")])
    }
}
