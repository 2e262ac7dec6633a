internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// An answer that is cut and checked: what ``AnswerExtraction`` finds goes to the consumer.
extension Fetch {
    /// Where values of other bindings are wanted, too, they are cut in the same pass (``SiblingGroup``).
    func beginExtraction(_ consumer: FetchConsumer, _ route: Route) {
        if let place = route.siblings, consumer.hasSiblings {
            let shared = SharedSlices(count: place.group.members.count, bytesMax: route.binding.holdBytes)
            beginExtraction(place.answerPlan, route, sharing: shared)
        } else if let plan = route.answerPlan(for: response.status) {
            beginExtraction(plan, route)
        }
    }

    func beginExtraction(_ plan: AnswerPlan, _ route: Route, sharing shared: SharedSlices? = nil) {
        answer.extraction.begin(
            plan, loop.takeExtractor(plan.plan), holdBytes: route.binding.holdBytes, endsEarly: route.binding.early,
            sharing: shared)
    }

    func extract(_ bytes: UnsafeRawBufferPointer, _ consumer: FetchConsumer, _ route: Route) {
        let outcome = answer.extraction.feed(bytes)
        if outcome == .failed { return failExtraction(consumer, route, isWhole: false) }
        carryOut(outcome, consumer, route)
        if answer.extraction.isProvenEarly {
            let carrier = carrierState.carrier
            carrierState.carrierLeft()
            carrier?.leaveRest()
            answerExtracted(consumer, route)
        }
    }

    func endExtraction(_ consumer: FetchConsumer, _ route: Route) {
        let outcome = answer.extraction.finish()
        if outcome == .failed { return failExtraction(consumer, route, isWhole: true) }
        carryOut(outcome, consumer, route)
        guard borrowedConsumer != nil else { return }
        answerExtracted(consumer, route)
    }

    private func carryOut(_ outcome: AnswerExtraction.Outcome, _ consumer: FetchConsumer, _ route: Route) {
        switch outcome {
        case .held, .failed: break
        case .outgrown:
            win(consumer)
            answerSlice(consumer, route, length: nil)
            handOver(to: consumer)
        case .streams: handOver(to: consumer)
        }
    }

    /// Taken out of the state first: a consumer whose client takes no more looks into it (``pause()``).
    private func handOver(to consumer: FetchConsumer) {
        var held = answer.extraction.takeHeld()
        consumer.answerBody(moving: &held)
    }

    /// The head of an answer that is a slice, or stands for one.
    /// - Parameter length: bytes of it; nil where they are not known yet.
    private func answerSlice(_ consumer: FetchConsumer, _ route: Route, length: Int?) {
        prepareExtracted(consumer, route, length: length)
        consumer.answer(
            status: response.status, reason: response.reason, fields: response.fields,
            framing: length.map { .length($0) } ?? .stream)
    }

    func prepareExtracted(_ consumer: FetchConsumer, _ route: Route, length: Int?) {
        AnswerFields.prepareExtracted(&response, for: consumer.request, route, borrowedEndpoint, loop)
        if let compression = route.binding.compression, !consumer.request.isFill {
            consumer.negotiateCoding(compression, &response.fields, length: length)
        }
    }

    // MARK: - The end of the document

    /// Every slice is proven.
    private func answerExtracted(_ consumer: FetchConsumer, _ route: Route) {
        switch answer.extraction.value {
        case .streamed: keepToken()
        case .held(let count):
            win(consumer)
            keepToken()
            answerSlice(consumer, route, length: count)
            handOver(to: consumer)
        case .absent where route.isValueOptional && route.defaultBody == nil:
            win(consumer)
            keepToken()
            answerSlice(consumer, route, length: 4)
            UnsafeRawBufferPointer.withBytes(of: "null") { consumer.answerBody($0) }
        case .absent:
            keepToken()
            shareSlices(consumer, route, isPrepared: false)
            return fail(Judge.missingValue(route, upstream: upstreamName))
        }
        shareSlices(consumer, route, isPrepared: true)
        finish(consumer)
    }

    /// What the binding wants is not as declared. What its siblings want may be, once the document has ended; a broken
    /// one is broken for all.
    private func failExtraction(_ consumer: FetchConsumer, _ route: Route, isWhole: Bool) {
        let contentType = response.fields.firstIndex(of: .contentType).map { Shown.text(response.fields.value($0)) }
        guard let problem = answer.extraction.problem(upstream: upstreamName, contentType: contentType) else { return }
        if isWhole || answer.extraction.isBroken {
            shareSlices(consumer, route, isPrepared: answer.extraction.delivery == .streaming)
        }
        fail(problem)
    }

    /// Each sibling gets its value, or hears what is wrong with it.
    /// - Parameter isPrepared: whether the answer's fields are already those of a slice.
    private func shareSlices(_ consumer: FetchConsumer, _ route: Route, isPrepared: Bool) {
        // The other attempt may do better, for all of them.
        guard attempts?.rival == nil, let extractor = answer.extraction.extractor,
            let shared = answer.extraction.takeShared()
        else { return }
        if !isPrepared { prepareExtracted(consumer, route, length: nil) }
        consumer.share(shared, of: extractor, upstream: upstreamName, response)
    }

    func keepToken() {
        guard let token = answer.extraction.bearerToken, let upstream else { return }
        upstream.vault.set(token)
    }
}

extension UnsafeRawBufferPointer {
    static func withBytes(of text: StaticString, _ body: (UnsafeRawBufferPointer) -> Void) {
        body(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
