internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// An answer that is cut and checked: the value that ``AnswerExtraction`` finds goes to the consumer.
extension FetchAnswer {
    /// Where other bindings want values of the same answer, they are cut in the same pass (``SiblingGroup``).
    func beginExtraction(_ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) {
        if fetch.response.status >= 400 {
            // An error is not a page, even if an earlier attempt began to gather pages.
            pages = nil
        } else if let rule = route.pages, pages == nil {
            pages = PageGathering(rule, consumer.request.target.bytes)
        }
        consumer.request.generation.cells(of: route).add(at: BindingCells.checked)
        let own = route.answerPlan(for: fetch.response.status)
        if let place = route.siblings, consumer.hasSiblings {
            let shared = SharedSlices(count: place.group.members.count, bytesMax: route.binding.holdBytes)
            beginExtraction(place.answerPlan, route, sharing: shared)
        } else if let own {
            own { plan in
                beginExtraction(plan, route)
                if let rule = route.localURLs, fetch.response.status < 400 { localURLs = LocalURLEditor(rule) }
                if let head = plan.head { extraction.lead(head.read(fetch.response)) }
            }
        }
        own? { plan in
            if let drift = plan.drift { look(by: drift) }
        }
    }

    /// Begins a drift watch; one that was begun for another page ends.
    private func look(by plan: DriftPlan) {
        extraction.takeWatch()?.end(loop)
        if let watch = DriftWatch(plan, loop) { extraction.look(by: watch) }
    }

    func beginExtraction(_ plan: AnswerPlan, _ route: Route, sharing shared: SharedSlices? = nil) {
        extraction.begin(
            plan, loop.takeExtractor(plan.plan), holdBytes: route.binding.holdBytes, endsEarly: route.binding.early,
            sharing: shared)
    }

    func extract(_ bytes: UnsafeRawBufferPointer, _ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) {
        let outcome = extraction.feed(bytes)
        if outcome == .failed { return failExtraction(fetch, consumer, route, isWhole: false) }
        carryOut(outcome, fetch, consumer, route)
        if extraction.rows?.isSpoilt == true { return failExtraction(fetch, consumer, route, isWhole: false) }
        if extraction.isProvenEarly {
            fetch.leaveRest()
            answerExtracted(fetch, consumer, route)
        }
    }

    func endExtraction(_ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) {
        let outcome = extraction.finish()
        if outcome == .failed { return failExtraction(fetch, consumer, route, isWhole: true) }
        carryOut(outcome, fetch, consumer, route)
        guard extraction.isActive else { return }
        if extraction.rows?.isSpoilt == true { return failExtraction(fetch, consumer, route, isWhole: true) }
        answerExtracted(fetch, consumer, route)
    }

    private func carryOut(
        _ outcome: AnswerExtraction.Outcome, _ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route
    ) {
        switch outcome {
        case .held, .failed: break
        case .outgrown:
            fetch.win(consumer)
            if let pages { return streamPage(pages, fetch, consumer, route) }
            answerSlice(fetch, consumer, route, length: nil)
            _ = editHeld(fetch, consumer, route)
            handOver(to: consumer)
        case .streams where pages != nil:
            if let pages { streamPage(pages, fetch, consumer, route) }
        case .streams:
            _ = editHeld(fetch, consumer, route)
            handOver(to: consumer)
        }
    }

    /// The held bytes are taken out of the state first: a consumer whose client falls behind calls back into it
    /// (``pause()``).
    func handOver(to consumer: FetchConsumer) {
        var held = Outbox()
        extraction.takeHeld(into: &held)
        consumer.answerBody(moving: &held)
    }

    /// Sends the head of an answer that is a slice, or stands in for one.
    /// - Parameter length: bytes of the slice; nil where they are not known yet.
    func answerSlice(_ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route, length: Int?) {
        prepareExtracted(fetch, consumer, route, length: length)
        consumer.answer(
            status: fetch.response.status, reason: fetch.response.reason, fields: fetch.response.fields,
            framing: length.map { .length($0) } ?? .stream)
    }

    func prepareExtracted(_ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route, length: Int?) {
        AnswerFields.prepareExtracted(
            &fetch.response, for: consumer.request, route, fetch.attempt.borrowedEndpoint, loop)
        if let compression = route.binding.compression, !consumer.request.isFill {
            consumer.negotiateCoding(compression, &fetch.response.fields, length: length)
        }
    }

    // MARK: - The end of the document

    /// Every slice is valid.
    private func answerExtracted(_ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) {
        if route.graphQL != nil, asksInFull(fetch, consumer, route) { return }
        if let problem = reportedError(fetch, route), !extraction.keepsData { return fetch.fail(problem) }
        if let watch = extraction.watch { noteWatched(watch, fetch, consumer, route) }
        if let pages { return pageExtracted(pages, fetch, consumer, route) }
        if extraction.hasUnusableToken, extraction.value != .streamed, let path = route.binding.keep?.bearer {
            fetch.win(consumer)
            keepToken(fetch)
            return fetch.fail(Judge.missingToken(at: path, upstream: fetch.upstreamName, isUnusable: true))
        }
        switch extraction.value {
        case .streamed: keepToken(fetch)
        case .held(let count):
            fetch.win(consumer)
            keepToken(fetch)
            let edited = editHeld(fetch, consumer, route)
            if route.then?.update != nil, fetch.response.status < 300 { consumer.proved(extraction.heldBytes) }
            answerSlice(fetch, consumer, route, length: edited ?? count)
            handOver(to: consumer)
        case .absent where route.isValueOptional && route.defaultBody == nil:
            fetch.win(consumer)
            keepToken(fetch)
            answerSlice(fetch, consumer, route, length: 4)
            UnsafeRawBufferPointer.withBytes(of: "null") { consumer.answerBody($0) }
        case .absent:
            keepToken(fetch)
            shareSlices(fetch, consumer, route, isPrepared: false)
            return fetch.fail(Judge.missingValue(route, upstream: fetch.upstreamName))
        }
        shareSlices(fetch, consumer, route, isPrepared: true)
        finish(fetch, consumer)
    }

    /// The error reported in the answer's body; its value is not checked then.
    private func reportedError(_ fetch: Fetch, _ route: Route) -> Problem? {
        if route.errors.reported == nil { return nil }
        return extraction.reportedError(fetch.response.fields, upstream: fetch.upstreamName)
    }

    /// The binding's value is not as declared. The siblings' values may be valid, once the document has ended; a
    /// document that is broken fails them all.
    private func failExtraction(_ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route, isWhole: Bool) {
        if route.graphQL != nil, asksInFull(fetch, consumer, route) { return }
        if let problem = reportedError(fetch, route) { return fetch.fail(problem) }
        let contentType = fetch.response.fields.firstIndex(of: .contentType).map {
            Shown.text(fetch.response.fields.value($0))
        }
        guard let problem = extraction.problem(upstream: fetch.upstreamName, contentType: contentType) else { return }
        noteDrift(problem, fetch, consumer, route)
        // With a rival, this answer may not be the one that counts.
        if extraction.hasUnusableToken, !fetch.hasRival { keepToken(fetch) }
        if isWhole || extraction.isBroken {
            shareSlices(fetch, consumer, route, isPrepared: extraction.delivery == .streaming)
        }
        fetch.fail(problem)
    }

    /// The answer is not as its binding declares it.
    private func noteDrift(_ problem: Problem, _ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) {
        guard problem.kind == .typeMismatch else { return }
        // The faulty values, and the keys on their paths, may repeat secrets that the upstream was shown.
        let faults = EchoMask.applied(to: problem, of: consumer.request).faults
        loop.noteDrift(faults, of: route.binding.name)
        if fetch.attempt.notes.isOn { fetch.attempt.notes.typeFaults(faults, at: loop.now) }
    }

    /// Notes the drift that a watch has found in an answer that is passed on.
    private func noteWatched(_ watch: DriftWatch, _ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) {
        let faults = watch.faults
        if !faults.isEmpty {
            var problem = Problem(.typeMismatch, detail: "The answer of '\(fetch.upstreamName)' has drifted.")
            problem.faults = faults
            noteDrift(problem, fetch, consumer, route)
        }
        for (kind, faults) in watch.news {
            // New cases are logged by name, and may repeat secrets that the upstream was shown.
            var problem = Problem(.typeMismatch, detail: "")
            problem.faults = faults
            let masked = EchoMask.applied(to: problem, of: consumer.request).faults
            loop.noteDrift(masked, of: route.binding.name, as: kind)
        }
    }

    /// Gives each sibling its value, or the fault in it.
    /// - Parameter isPrepared: whether the answer's fields are already those of a slice.
    private func shareSlices(_ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route, isPrepared: Bool) {
        // With a rival, the other attempt may do better for all siblings.
        guard !fetch.hasRival, let shared = extraction.takeShared(), let extractor = extraction.extractor else {
            return
        }
        if !isPrepared { prepareExtracted(fetch, consumer, route, length: nil) }
        consumer.share(shared, of: extractor, upstream: fetch.upstreamName, fetch.response)
    }

    /// Keeps the token of the answer. One that cannot be sent may be another account's: requests do not go on with the
    /// one before.
    func keepToken(_ fetch: Fetch) {
        guard let position = fetch.borrowedRoute?({ $0.credentials.kept }) ?? nil, let route = fetch.route,
            let credential = fetch.consumer?.request.generation.credentials[position]
        else { return }
        guard let token = extraction.bearerToken else {
            if extraction.hasUnusableToken { forgetToken(credential, route) }
            return
        }
        var secret = CredentialVault.Secret(token)
        if let end = extraction.tokenEnd(now: loop.unixSeconds) {
            secret.usableUntilUnix = end
            // APIs express "never" as years that overflow nanoseconds.
            let seconds = UInt64(min(max(0, end - loop.unixSeconds), 1 << 32))
            secret.usableUntil = loop.now &+ seconds * 1_000_000_000
        }
        credential.vault.keep(secret)
    }

    private func forgetToken(_ credential: CredentialRuntime, _ route: Route) {
        credential.vault.withholdKept(credential.hasEnded)
        if let last = credential.unusableNotedAt, loop.now &- last < GatewayNotice.quietNanoseconds { return }
        credential.unusableNotedAt = loop.now
        loop.notice?(.unusableToken(binding: route.binding.name))
    }
}

extension UnsafeRawBufferPointer {
    static func withBytes(of text: StaticString, _ body: (UnsafeRawBufferPointer) -> Void) {
        body(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
