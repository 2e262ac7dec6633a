internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// An answer that is cut for several bindings in one pass (``SiblingGroup``).
extension Fetch {
    /// The plan of the group takes the place of the binding's own where somebody else's value is wanted, too.
    /// - Returns: whether it does.
    func beginSharedExtraction(_ consumer: FetchConsumer, _ route: Route) -> Bool {
        guard let place = route.siblings, consumer.hasSiblings else { return false }
        answer.plan = place.answerPlan
        answer.extractor = loop.takeExtractor(place.group.plan)
        answer.shared = SharedSlices(count: place.group.members.count, bytesMax: route.binding.holdBytes)
        return true
    }

    func takeOthers(_ extractor: Extractor, into shared: SharedSlices) {
        for piece in extractor.pieces where piece.slice != answer.plan?.valueSlice { shared.append(piece) }
    }

    /// Whether what the binding itself wants is not as declared.
    func hasFailed(_ extractor: Extractor) -> Bool {
        guard answer.shared != nil, let slice = answer.plan?.valueSlice else { return extractor.isFailed }
        return extractor.isFailed(slice: slice)
    }

    /// What the binding wants is not as declared. What its siblings want may be, once the document has ended; a broken
    /// one is broken for all.
    func failExtraction(_ extractor: Extractor, _ consumer: FetchConsumer, _ route: Route) {
        let slice = answer.shared == nil ? nil : answer.plan?.valueSlice
        let contentType = response.fields.firstIndex(of: .contentType).map {
            Shown.text(response.fields.value($0))
        }
        let problem = Judge.typeFailure(extractor, upstream: upstreamName, slice: slice, contentType: contentType)
        if answer.isWhole || extractor.failureIsSyntax {
            shareSlices(extractor, consumer, route, isPrepared: answer.isStreaming)
        }
        fail(problem)
    }

    /// The document is whole: each sibling gets its value, or hears what is wrong with it.
    /// - Parameter isPrepared: whether the answer's fields are already those of a slice.
    func shareSlices(_ extractor: Extractor, _ consumer: FetchConsumer, _ route: Route, isPrepared: Bool) {
        // The other attempt may do better, for all of them.
        guard attempts.rival == nil, let shared = answer.shared else { return }
        answer.shared = nil
        if !isPrepared { prepareExtracted(consumer, route, length: nil) }
        consumer.share(shared, of: extractor, upstream: upstreamName, response)
    }
}
