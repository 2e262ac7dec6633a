internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// One upstream answer for several bindings (``SiblingGroup``). The fill that asks, the lead, opens a fill for each of
/// its siblings: their clients, on this loop or another, find it and wait for this answer, and its value is stored for
/// later requests. An error in one value goes to that value's clients alone.
struct SiblingFills {
    /// The siblings' fills, each with its number in the plan of the group.
    private var parts: [(slice: Int, fill: CacheFill)] = []

    var isEmpty: Bool { parts.isEmpty }

    /// Whether one of them has readers, here or on other loops.
    var isAwaited: Bool { parts.contains { !$0.fill.readers.isEmpty || !$0.fill.subscribers.isEmpty } }

    /// Hands them over: their fate is decided now.
    mutating func take() -> SiblingFills {
        defer { parts = [] }
        return self
    }

    // MARK: - Who they are

    /// Opens the fills of all siblings that no loop is fetching at present.
    static func gather(for lead: CacheFill, _ place: SiblingGroup.Place) {
        let (request, loopCache) = (lead.request, lead.loopCache)
        for part in loopCache.siblings(of: request, place, CacheAsks(request.head.fields)) {
            let flight = part.flight
            if let other = loopCache.fills[flight], adopt(other, part.slice, by: lead) { continue }
            guard loopCache.fills[flight] == nil, !loopCache.notes.isUncacheable(flight, now: loopCache.loop.now),
                loopCache.claim(flight) == nil
            else { continue }
            let fill = CacheFill(
                request, part.route, part.cache, part.lookup, flight: flight, control: lead.terms.control,
                hasAuthorization: lead.terms.hasAuthorization, in: loopCache)
            fill.source = .lead(lead)
            lead.siblings.parts.append((part.slice, fill))
        }
    }

    /// Takes over a fill for another value of the same answer that still waits for the tiers: the lead's request is now
    /// for its clients, too.
    private static func adopt(_ other: CacheFill, _ slice: Int, by lead: CacheFill) -> Bool {
        guard other.source.isTiers, other.lead == nil else { return false }
        // It may have had only readers that wait for the tiers alone.
        guard other.askTiersNoMore() else { return false }
        // Its readers' connections may have ended the lead meanwhile.
        guard lead.state != .ended else {
            other.askUpstream()
            return true
        }
        // They share another client's request now: fields for that client alone are not for them.
        for walk in other.readers.walks { walk.status.isCollapsed = true }
        other.follow(lead)
        lead.siblings.parts.append((slice, other))
        return true
    }

    // MARK: - What the lead has learnt

    /// The document has arrived, and each value in it is proven or not.
    func share(
        _ slices: SharedSlices, of extractor: Extractor, upstream: String, _ response: borrowing ResponseHead
    ) {
        // Its `Location` was mapped for the lead alone.
        let isOwn = response.fields.firstIndex(of: .location) != nil
        for (slice, fill) in parts {
            let route = fill.terms.route
            fill.request.generation.cells(of: route).add(at: BindingCells.checked)
            if isOwn || slices.isTooLong(slice) {
                fill.letGo()
            } else if extractor.isFailed(slice: slice) {
                let problem = Judge.typeFailure(extractor, upstream: upstream, slice: slice)
                fill.loop.noteDrift(problem.faults, of: route.binding.name)
                fill.valueFailed(problem)
            } else if extractor.state(of: slice) == .complete {
                fill.receive(slices.take(slice), response)
            } else if route.isValueOptional, route.defaultBody == nil {
                fill.receive(Array("null".utf8), response)
            } else {
                fill.valueFailed(Judge.missingValue(route, upstream: upstream))
            }
        }
    }

    /// The upstream has validated the lead's stored answer: this validates the siblings' values that were cut from it,
    /// too.
    func validate(_ stale: StoredResponse, _ update: borrowing HeaderBlock) {
        for (_, fill) in parts {
            if let own = fill.terms.lookup.entry, own.isOfSameAnswer(as: stale) {
                fill.validated(own, update)
                fill.end()
            } else {
                fill.letGo()
            }
        }
    }

    /// An error of the lead may be for its client alone.
    func note(isErrorForAll: Bool) {
        for (_, fill) in parts where !isErrorForAll { fill.isErrorForAll = false }
    }

    /// The lead failed before anything was known of the values.
    func fail(_ problem: Problem) {
        for (_, fill) in parts {
            switch problem.kind {
            // An error in the lead's own value does not concern its siblings.
            case .typeMismatch, .missingValue: fill.letGo()
            default: fill.valueFailed(problem)
            }
        }
    }

    /// Releases the siblings that are left, without an answer.
    func letGo() {
        for (_, fill) in parts { fill.letGo() }
    }
}

extension StoredResponse {
    /// Whether both were made from one answer of the upstream, by its validators.
    fileprivate func isOfSameAnswer(as other: StoredResponse) -> Bool {
        func isSame(_ own: UnsafeRawBufferPointer?, _ others: UnsafeRawBufferPointer?) -> Bool {
            guard let own, let others else { return own == nil && others == nil }
            return own.elementsEqual(others)
        }
        return hasValidator && isSame(validatorETag, other.validatorETag)
            && isSame(validatorLastModified, other.validatorLastModified)
    }
}

/// What the lead tells a fill whose value is part of the lead's answer (``SiblingFills``).
extension CacheFill {
    /// Its clients consult the cache again, and one of them asks for all.
    func letGo(isUncacheable: Bool = false) {
        subscribers.tellLast { $0.releaseAll(isUncacheable: isUncacheable) }
        releaseAll(isUncacheable: isUncacheable)
    }

    func valueFailed(_ problem: Problem) {
        if state == .ended { return }
        keep(problem)
        release(failing: problem)
    }

    /// The value is proven.
    func receive(_ value: [UInt8], _ response: borrowing ResponseHead) {
        if state == .ended { return }
        judge(status: response.status, response.fields)
        refuseTooLarge(value.count)
        guard draft.isStorable else { return letGo(isUncacheable: true) }
        vary(response.fields)
        draft.set(value)
        letGoOfOthers()
        let entry = store()
        for walk in readers.walks { walk.note(draft.storability) }
        tellEnd(entry)
        leaderEnded(entry)
    }
}
