internal import SluiceContract
internal import SluiceHTTP

/// An answer that is a page of a list: its items go to the consumer, and the next page is fetched.
extension FetchAnswer {
    /// Sends the held bytes of a page after the pages before it.
    func streamPage(_ pages: PageGathering, _ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) {
        if !pages.isAnswered {
            pages.isAnswered = true
            // The client gets all pages, and needs no link to another.
            fetch.response.fields.markAll(.link)
            answerSlice(fetch, consumer, route, length: nil)
        }
        var held = Outbox()
        extraction.takeHeld(into: &held)
        var joined = Outbox()
        pages.join(held, into: &joined)
        if !joined.isEmpty { consumer.answerBody(moving: &joined) }
    }

    /// A page has arrived, and is valid.
    func pageExtracted(_ pages: PageGathering, _ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) {
        guard let endpoint = fetch.endpoint else { return }
        if extraction.value == .absent, !(route.isValueOptional && route.defaultBody == nil) {
            return fetch.fail(Judge.missingValue(route, upstream: fetch.upstreamName))
        }
        fetch.win(consumer)
        if let problem = pages.fault(of: extraction) {
            restoreTarget(pages, consumer)
            return fetch.fail(problem)
        }
        if pages.rule.endsEmpty {
            // Only its items tell whether the page is the last one.
            streamPage(pages, fetch, consumer, route)
        } else {
            pages.count(extraction.held)
        }
        let next = pages.next(after: extraction, fetch.response.fields, consumer.request, endpoint)
        if case .fault(let problem) = next {
            restoreTarget(pages, consumer)
            return fetch.fail(problem)
        }
        if !pages.rule.endsEmpty { streamPage(pages, fetch, consumer, route) }
        pages.pageEnded()
        guard case .page(let page) = next else {
            restoreTarget(pages, consumer)
            UnsafeRawBufferPointer.withBytes(of: pages.ending) { consumer.answerBody($0, lifetime: .call) }
            return finish(fetch, consumer)
        }
        ask(for: page, pages, fetch, consumer, route)
    }

    /// Fetches the next page, once the client has read enough of the pages before it.
    private func ask(
        for page: PageAddress, _ pages: PageGathering, _ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route
    ) {
        if fetch.reader.isBehind {
            pages.waiting = page
            return
        }
        consumer.request.ask(for: page, pages.rule, route)
        consumer.depend(on: HeaderBlock(), route)
        fetch.askAnew()
    }

    /// The client has read enough.
    /// - Returns: whether a page was waiting for that, and is fetched now.
    func asksWaitingPage(_ fetch: Fetch) -> Bool {
        guard let pages, let page = pages.waiting, let consumer = fetch.consumer, let route = fetch.route else {
            return false
        }
        pages.waiting = nil
        ask(for: page, pages, fetch, consumer, route)
        return true
    }

    private func restoreTarget(_ pages: PageGathering, _ consumer: FetchConsumer) {
        consumer.request.target.replace(by: pages.firstTarget)
    }
}
