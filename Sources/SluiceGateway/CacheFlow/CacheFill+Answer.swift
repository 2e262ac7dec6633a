internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// The answer arrives: whether it is stored, and which readers get it.
extension CacheFill {
    func takeHead(
        status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming
    ) {
        if status == 304, let stale = terms.lookup.entry {
            guard stale.isNamed(by: fields) else { return disowned(stale) }
            siblings.take().validate(stale, fields)
            return validated(stale, fields)
        }
        if Problem.staleStatuses.contains(status), serveStale(status) { return }
        judge(status: status, fields)
        switch framing {
        case .empty: draft.length = 0
        case .length(let length):
            draft.length = length
            refuseTooLarge(length)
        case .stream: break
        }
        state = .answering
        guard draft.isStorable else { return relay(status: status, reason: reason, fields, framing) }
        vary(fields)
        letGoOfOthers()
        // The head depends on the pages after the first, and waits for them.
        if draft.length != nil || terms.route.pages != nil, terms.route.cuts(status: status) {
            state = .holding
            return
        }
        answerNow()
    }

    /// Sends the head to all readers; the body follows as it arrives.
    private func answerNow() {
        state = .answering
        if let request = askedRequest { terms.addPages(&draft, of: request, in: loopCache) }
        draft.reserve()
        tellProgress()
        for walk in readers.walks { sendHead(to: walk) }
    }

    /// Whether it may be stored, and what its stored head would be.
    func judge(status: Int, _ fields: borrowing HeaderBlock) {
        let (storability, head) = terms.judge(
            status: status, fields, to: askedRequest, in: loopCache, unstored: &unstored)
        draft.storability = storability
        draft.head = head
    }

    func refuseTooLarge(_ length: Int) {
        if length > loopCache.store.entryBytesMax, draft.isStorable { draft.storability = .refuse(.tooLarge) }
    }

    /// An answer that may not be shared goes to the client that asked; each of the others asks the upstream itself.
    private func relay(
        status: Int, reason: UnsafeRawBufferPointer, _ fields: borrowing HeaderBlock, _ framing: AnswerFraming
    ) {
        let others = closeToOthers()
        if let walk = readers.first {
            walk.note(draft.storability)
            walk.beginOriginal(status: status, reason: reason, fields, framing, terms.route)
        }
        others.consultAgain()
        giveUpIfUnread()
    }

    /// Closes the fill to all but the client that asked first. Returns the other readers, which ask for themselves.
    private func closeToOthers() -> [CacheWalk] {
        flights.markUncacheable(in: loopCache)
        subscribers.tellLast { $0.releaseAll(isUncacheable: true) }
        detach()
        return readers.take { $0.status.isCollapsed }
    }

    /// Takes the head of a further response that the answer is made of.
    func take(another response: borrowing ResponseHead) {
        if response.status >= 400 { isErrorForAll = terms.isForAll(response, loop) }
        guard source.isAnswering, draft.isStorable else {
            for walk in readers.walks { walk.reader.join(response) }
            return
        }
        // An error is no part of the answer: the fetch fails, and nothing is stored.
        if response.status >= 400 { return }
        // A page after the first.
        terms.restrict(&draft, by: response, loop)
        if draft.isStorable { return }
        closeToOthers().breakOff()
        if state == .holding { answerNow() }
        giveUpIfUnread()
    }

    /// First stores a marker of what selects among this target's answers, so that later requests find the variant
    /// (RFC 9111 §4.1).
    func vary(_ fields: borrowing HeaderBlock) {
        guard let request = askedRequest, draft.head != nil,
            let place = draft.place.vary(by: fields, terms, of: request, in: loopCache)
        else { return }
        if loopCache.find(place)?.variance != draft.place.variance,
            let marker = draft.marker(at: place, now: loop.now)
        {
            loopCache.keep(marker, terms.cache, since: terms.purgeNumber)
        }
        flights.add(draft.place.key, for: self)
    }

    /// Puts the whole answer into the store.
    func store() -> StoredResponse? {
        if let request = askedRequest { terms.addPages(&draft, of: request, in: loopCache) }
        guard let head = draft.head, let entry = draft.entry(isSlice: terms.route.cuts(status: head.status)) else {
            return nil
        }
        if loopCache.keep(entry, terms.cache, since: terms.purgeNumber) { loopCache.tally.stored() }
        loopCache.forgetOlder(than: draft.place, at: terms.lookup.primary)
        return entry
    }

    // MARK: - Body

    /// A piece of the body goes to the readers. It is kept for the store, and for readers that are behind.
    func take(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {
        if state == .ended { return }
        let start = draft.count
        if draft.isStorable, start + run.count > loopCache.store.entryBytesMax {
            draft.storability = .refuse(.tooLarge)
            detach()
            if state == .holding { answerNow() }
            giveUpIfUnread()
            if state == .ended { return }
        }
        var isNeeded = draft.isStorable
        for walk in readers.walks where walk.hasHead {
            if !walk.pass(run, from: start, lifetime: lifetime) { isNeeded = true }
        }
        if isNeeded { draft.append(run) } else { draft.skip(run.count) }
        for walk in readers.walks where walk.hasHead {
            if walk.position < min(draft.count, walk.end) { read(walk) } else { endPart(walk) }
        }
        if state == .ended { return }
        tellBody(run)
        if !draft.isStorable { draft.forget(before: readers.slowest(of: draft.count)) }
        tellTaken()
    }

    /// Ends a reader that wanted only a part, and has it.
    private func endPart(_ walk: CacheWalk) {
        guard walk.isDone(at: draft.count, isWhole: false), draft.length.map({ walk.end < $0 }) ?? true else { return }
        satisfied(walk)
        walk.fill = nil
        walk.reader.answerEnd()
        giveUpIfUnread()
    }

    /// The answer is complete.
    func complete() {
        let entry = store()
        let isHolding = state == .holding
        tellEnd(entry)
        end()
        for walk in readers.walks {
            if isHolding, let entry {
                readers.remove(walk)
                walk.note(draft.storability)
                walk.take(own: unstored)
                walk.serve(entry)
            } else {
                read(walk)
            }
        }
    }

    // MARK: - Validation

    /// A 304 for `stale`: its fields are brought up to date, its body stays (RFC 9111 §4.3.4).
    func validated(_ stale: StoredResponse, _ update: borrowing HeaderBlock) {
        let newer = stale.updated(
            by: update, terms.cache, isOwn: terms.hasAuthorization, delay: terms.delay(loop), loop
        ) {
            terms.dependencies($0, of: askedRequest, in: loopCache)
        }
        let entry = newer.entry
        switch newer.fate {
        // The request says `no-store`: nothing of its answer is kept (RFC 9111 §5.2.1.5).
        case .replaces where terms.control.flags.contains(.noStore): closeToOthers().consultAgain()
        case .replaces: loopCache.keep(entry, terms.cache, since: terms.purgeNumber, updating: stale)
        case .isOwn: break
        // The update may be for the client alone that was asked for, or select another answer for others (RFC 9111
        // §4.1, §5.2.2.7).
        case .ends:
            loopCache.forget(stale.key)
            closeToOthers().consultAgain()
        }
        loopCache.tally.validated()
        newer.appendUnstored(of: update, terms.cache, to: &unstored)
        let waiting = readers.takeAll()
        tellEnd(entry)
        detach()
        state = .ended
        if !waiting.isEmpty { entry.used() }
        for walk in waiting {
            walk.fill = nil
            walk.status.forwardStatus = 304
            walk.take(own: unstored)
            walk.serve(entry)
        }
    }

    /// A 304 with another validator than the one that was sent: it updates nothing (§4.3.4), and the readers ask anew,
    /// without the stored answer.
    private func disowned(_ stale: StoredResponse) {
        loopCache.store.remove(stale.key)
        // The tiers are not asked for it either: the answer that follows replaces their copy.
        flights.noteAsked(in: loopCache)
        subscribers.tellLast { $0.releaseAll(isUncacheable: false) }
        detach()
        state = .ended
        readers.takeAll().consultAgain()
    }

    // MARK: - Failure

    /// The upstream failed with this status: readers that may have the stale answer get it instead (RFC 5861 §4).
    /// - Returns: whether no reader is left.
    private func serveStale(_ status: Int) -> Bool {
        guard terms.lookup.entry != nil, !readers.isEmpty || !subscribers.isEmpty else { return false }
        let isRead = !readers.isEmpty
        giveStale(status)
        guard isRead, readers.isEmpty else {
            // The readers that are left, here and on other loops, get the upstream's answer.
            subscribers.tellAll { $0.leaderFailed(status) }
            return false
        }
        let problem = Problem(.upstreamError, status: status, detail: "The upstream answered with status \(status).")
        subscribers.tellLast { $0.release(failing: problem) }
        siblings.take().fail(problem)
        detach()
        state = .ended
        // No reader is left, and the rest of the answer would only occupy a place in `concurrency:`.
        loopCache.abandon(self)
        return true
    }

    private func giveStale(_ status: Int) {
        for walk in readers.takeAll() {
            walk.fill = nil
            if !walk.serveStale(terms.cache, status: status) {
                walk.fill = self
                readers.add(walk)
            }
        }
    }

    /// The leader's upstream failed with this status. Readers that may not have the stale answer get the upstream's.
    private func leaderFailed(_ status: Int) {
        giveStale(status)
        guard readers.isEmpty else { return }
        unsubscribe()
        end()
    }

    /// Whether an error of its own request may be answered to other clients (RFC 9111 §3.5).
    var isErrorForOthers: Bool {
        isErrorForAll && (terms.cache.policy.isPrivate || !request.forwardsCredentials(terms.route))
    }

    /// Later requests get the same problem, for a while (`retry-after-error:`).
    func keep(_ problem: Problem) {
        // After a purge the upstream is to be asked.
        if isErrorForOthers, !isOutdated { terms.keep(problem, to: request, in: loopCache) }
    }

    func release(failing problem: Problem) {
        subscribers.tellLast { $0.release(failing: problem) }
        let siblings = self.siblings.take()
        siblings.note(isErrorForAll: isErrorForOthers)
        end()
        siblings.fail(problem)
        for walk in readers.takeAll() {
            walk.fill = nil
            if !walk.hasHead, walk.serveStale(terms.cache, for: problem, isKept: false) { continue }
            walk.reader.fail(problem)
        }
    }
}
