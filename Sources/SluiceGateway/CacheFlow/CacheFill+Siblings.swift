internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// One upstream answer for several bindings (``SiblingGroup``). Whoever asks opens a fill for each of its siblings,
/// too: clients of theirs, on this loop or another, find it and wait for this answer, and its value is stored for all
/// who come later. What is wrong with one value is told to its own clients alone.
extension CacheFill {
    /// Another binding's part of the same answer.
    struct Sibling {
        /// Number in the plan of the group.
        let slice: Int
        let fill: CacheFill
    }

    /// Whether anybody waits for it.
    var isAwaited: Bool { !readers.isEmpty || !subscribers.isEmpty }

    /// Opens the fills of all siblings that nobody asks for at present.
    func gatherSiblings(_ place: SiblingGroup.Place) {
        for part in loopCache.siblings(of: request, place, CacheAsks(request.head.fields)) {
            let (slice, flight) = (part.slice, part.flight)
            if let other = loopCache.fills[flight], adopt(other, slice) { continue }
            guard loopCache.fills[flight] == nil, !loopCache.notes.isUncacheable(flight, now: loop.now),
                loopCache.claim(flight) == nil
            else { continue }
            let fill = CacheFill(
                request, part.route, part.cache, part.lookup, flight: flight, control: control,
                hasAuthorization: hasAuthorization, in: loopCache)
            fill.source = .lead(self)
            siblings.append(Sibling(slice: slice, fill: fill))
        }
    }

    /// Its clients came for another value of the same answer, and the tiers have not said yet whether they have that:
    /// this one's request is for them, too.
    private func adopt(_ other: CacheFill, _ slice: Int) -> Bool {
        guard other.isAskingTiers, other.lead == nil else { return false }
        // Unless those that wait for the tiers alone were all that there were.
        guard other.askTiersNoMore() else { return false }
        // Its readers' connections may have ended this one meanwhile.
        guard state != .ended else {
            other.askUpstream()
            return true
        }
        other.follow(self)
        siblings.append(Sibling(slice: slice, fill: other))
        return true
    }

    /// The siblings, whose fate is decided now.
    func takeSiblings() -> [Sibling] {
        defer { siblings = [] }
        return siblings
    }

    // MARK: - What the lead learns

    /// The document is there, and each value in it is proven or not.
    func shareValues(
        _ slices: SharedSlices, of extractor: Extractor, upstream: String, _ response: borrowing ResponseHead
    ) {
        // Where it points to was mapped for the lead alone.
        let isOwn = response.fields.firstIndex(of: .location) != nil
        for sibling in takeSiblings() {
            let fill = sibling.fill
            if isOwn || slices.isTooLong(sibling.slice) {
                fill.letGo()
            } else if extractor.isFailed(slice: sibling.slice) {
                let problem = Judge.typeFailure(extractor, upstream: upstream, slice: sibling.slice)
                let loop = fill.loopCache.loop
                loop.metrics.registry.drift.note(
                    problem.faults, of: fill.route.binding.name, at: loop.unixSeconds)
                fill.valueFailed(problem)
            } else if extractor.state(of: sibling.slice) == .complete {
                fill.receive(slices.take(sibling.slice), response)
            } else if fill.route.isValueOptional, fill.route.defaultBody == nil {
                fill.receive(Array("null".utf8), response)
            } else {
                fill.valueFailed(Judge.missingValue(fill.route, upstream: upstream))
            }
        }
    }

    /// The upstream says that the lead's stored answer is still right: that holds for what was cut from the same one.
    func validateSiblings(_ stale: StoredResponse, _ update: borrowing HeaderBlock) {
        for sibling in takeSiblings() {
            if let own = sibling.fill.lookup.entry, own.isOfSameAnswer(as: stale) {
                sibling.fill.validated(own, update)
                sibling.fill.end()
            } else {
                sibling.fill.letGo()
            }
        }
    }

    /// Nothing is to be had for whoever is left.
    func releaseSiblings() {
        for sibling in takeSiblings() { sibling.fill.letGo() }
    }

    // MARK: - What a sibling hears

    /// Its clients ask for themselves: one of them for all.
    private func letGo(isUncacheable: Bool = false) {
        tellRelease(isUncacheable: isUncacheable)
        releaseAll(isUncacheable: isUncacheable)
    }

    /// The lead has come to nothing, before anything was known of this value.
    func leadFailed(_ problem: Problem) {
        switch problem.kind {
        // What is wrong with the lead's own value is no business of a sibling's.
        case .typeMismatch, .missingValue: letGo()
        default: valueFailed(problem)
        }
    }

    private func valueFailed(_ problem: Problem) {
        if state == .ended { return }
        keep(problem)
        release(failing: problem)
    }

    /// The value is proven.
    private func receive(_ value: [UInt8], _ response: borrowing ResponseHead) {
        if state == .ended { return }
        decide(status: response.status, response.fields)
        if value.count > loopCache.store.entryBytesMax, storability == .store { storability = .refuse(.tooLarge) }
        guard storability == .store else { return letGo(isUncacheable: true) }
        vary(response.fields)
        length = value.count
        bytes = value
        letGoOfOthers()
        let entry = store()
        for walk in readers { note(walk) }
        tellEnd(entry)
        leaderEnded(entry)
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

extension LoopCache {
    /// A sibling as this request would ask for it.
    struct SiblingPart {
        /// Number in the plan of the group.
        let slice: Int
        let route: Route
        let cache: CacheRoute
        let lookup: CacheLookup
        let flight: CacheKey
    }

    func siblings(of request: BoundRequest, _ place: SiblingGroup.Place, _ asks: CacheAsks) -> [SiblingPart] {
        var parts: [SiblingPart] = []
        for (slice, member) in place.group.members.enumerated() where slice != place.slice {
            let route = request.generation.table.routes[member]
            guard let cache = route.cache else { continue }
            let lookup = lookUp(request, route, cache)
            parts.append(
                SiblingPart(
                    slice: slice, route: route, cache: cache, lookup: lookup,
                    flight: request.flightKey(lookup.key, asks)))
        }
        return parts
    }

    /// What the siblings of a binding are asked for by, where the upstream is asked at once; with tiers it is not.
    func siblingFlights(of request: BoundRequest, _ route: Route, _ asks: CacheAsks) -> [CacheKey] {
        guard let place = route.siblings, address != nil, shared.tiers == nil else { return [] }
        return siblings(of: request, place, asks).map(\.flight).filter { !notes.isUncacheable($0, now: loop.now) }
    }
}
