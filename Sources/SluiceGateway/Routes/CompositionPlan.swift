internal import SluiceContract
internal import SluiceJSON

/// `parts:` of a binding, compiled for serving. A class, because every composed answer hands it around.
final class CompositionPlan: Sendable {
    let parts: [PartPlan]
    /// Parts that can be requested at once.
    let first: [Int]
    /// Whether some part writes.
    let writes: Bool
    /// All settings of the parts' bindings as text, for cache keys.
    let text: String

    /// nil where the binding has no parts.
    init?(_ binding: Binding, _ common: RouteCommon) throws(PlanError) {
        guard let composition = binding.composition else { return nil }
        let names = Dictionary(zip(composition.parts.map(\.name), 0...)) { first, _ in first }
        let dependencies = composition.dependencies
        let sources = try composition.parts.indices.map { index throws(PlanError) in
            try PartSlices(of: composition.parts[index].name, for: composition.parts, common)
        }
        var parts: [PartPlan] = []
        for (index, part) in composition.parts.enumerated() {
            let reading = PartPlan.Reading(binding: binding, parts: names, slices: sources)
            let dependents = dependencies.indices.filter { dependencies[$0].contains(index) }
            parts.append(
                try PartPlan(
                    part, at: index, waitsFor: dependencies[index].count, dependents: dependents,
                    slices: sources[index], reading, common))
        }
        self.parts = parts
        first = parts.indices.filter { parts[$0].waitsFor == 0 }
        writes = composition.parts.contains(where: \.writes)
        text = common.partsText(of: composition)
    }
}
