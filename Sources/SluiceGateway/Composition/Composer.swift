internal import SluiceContract

/// Makes the carriers of composed answers on one loop.
final class Composer: PartsComposer {
    private let corridor: Corridor

    init(_ corridor: Corridor) {
        self.corridor = corridor
    }

    func carrier(for request: BoundRequest, _ plan: CompositionPlan) -> PartsCarrier {
        ComposedAnswer(request, plan, corridor)
    }
}
