import CSIMD

/// Compiles values that are one of several objects: an object table for each combination of the slices' alternatives.
extension PlanCompiler {
    private static let tablesMost = 256

    /// - Returns: the number of the choice; negative if no demand is for one.
    mutating func choice(_ demands: [Demand]) throws(PlanError) -> Int32 {
        // Slices of the same shape choose alike and share a chooser.
        var groups: [(shape: Int, numbers: [Int])] = []
        for (number, demand) in demands.enumerated() {
            guard let shape = demand.shape, shapes.shapes[shape].choice != nil else { continue }
            if let known = groups.firstIndex(where: { $0.shape == shape }) {
                groups[known].numbers.append(number)
            } else {
                groups.append((shape, [number]))
            }
        }
        if groups.isEmpty { return -1 }
        var choosers: [Chooser] = []
        var alternatives: [[Int]] = []
        for group in groups {
            guard let choice = shapes.shapes[group.shape].choice else { continue }
            var shapesOfGroup = [choice.otherwise]
            var ways: [Way] = []
            for way in choice.ways {
                let number = shapesOfGroup.dropFirst().firstIndex(of: way.shape) ?? shapesOfGroup.count
                if number == shapesOfGroup.count { shapesOfGroup.append(way.shape) }
                ways.append(Way(text: builder.store(way.text), form: way.form, alternative: Int32(number)))
            }
            var chooser = Chooser(
                ways: builder.range(from: builder.ways.count, to: builder.ways.count + ways.count),
                count: Int32(shapesOfGroup.count), slices: 0, sought: builder.expectation(choice.sought))
            builder.ways += ways
            chooser.key = choice.key.map { builder.store($0) } ?? TextRange(start: 0, count: -1)
            for number in group.numbers { chooser.slices |= 1 << UInt64(demands[number].slice) }
            choosers.append(chooser)
            alternatives.append(shapesOfGroup)
        }
        var count = 1
        for kinds in alternatives {
            // Asked after each factor: the whole product might overflow.
            count *= kinds.count
            guard count <= Self.tablesMost else { throw .tooManyKinds }
        }
        var tables: [Int32] = []
        for number in 0..<count {
            var rest = number
            var chosen = demands
            for (group, shapes) in zip(groups, alternatives) {
                for demand in group.numbers { chosen[demand].choose(shapes[rest % shapes.count]) }
                rest /= shapes.count
            }
            tables.append(try object(chosen))
        }
        let table = ChoiceTable(
            choosers: builder.range(from: builder.choosers.count, to: builder.choosers.count + choosers.count),
            tables: builder.range(from: builder.chosen.count, to: builder.chosen.count + count))
        builder.choosers += choosers
        builder.chosen += tables
        builder.choices.append(table)
        return Int32(builder.choices.count - 1)
    }
}

extension PlanCompiler.Demand {
    /// Sets the value's shape to that of an alternative.
    fileprivate mutating func choose(_ shape: Int) {
        if case .value(_, let op) = role { role = .value(shape: shape, op: op) }
    }
}
