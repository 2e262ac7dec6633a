import CSIMD
import SluiceContract

/// The demands of several slices on one object, by key.
private struct ObjectDraft {
    struct Entry {
        var key: String
        /// Slices that fail if the key is there twice.
        var owners: UInt64 = 0
        var demands: [PlanCompiler.Demand] = []
        var actions: [KeyAction] = []
    }

    var entries: [Entry] = []
    var numbers: [String: Int] = [:]

    mutating func number(of key: String) -> Int {
        if let number = numbers[key] { return number }
        numbers[key] = entries.count
        entries.append(Entry(key: key))
        return entries.count - 1
    }
}

extension PlanCompiler {
    /// Table of the object's keys; -1 if no demand looks inside.
    mutating func object(_ demands: [Demand]) throws(PlanError) -> Int32 {
        var draft = ObjectDraft()
        // All keys are collected before the first is filled in: a key that one slice names is an undeclared one to
        // another.
        for demand in demands {
            for key in keys(named: demand) {
                let number = draft.number(of: key)
                draft.entries[number].owners |= owners(with: demand.slice)
            }
        }
        // The keys added from here on are names that keys are renamed to. They need no bit: they are faults anyway.
        let named = draft.entries.count
        for demand in demands { for key in namesGiven(by: demand) { _ = draft.number(of: key) } }
        var other = ObjectDraft.Entry(key: "")
        var table = ObjectTable()
        let composed = try composed(demands, after: named, &table)
        for (number, demand) in demands.enumerated() {
            for entry in draft.entries.indices { fill(&draft.entries[entry], demand, composed[number], isNamed: true) }
            fill(&other, demand, composed[number], isNamed: false)
            if let shape = demand.shape, let object = shapes.shapes[shape].object, object.others == .drop,
                !object.isComposed
            {
                table.leavingOut |= 1 << UInt64(demand.slice)
            }
        }
        table.editor = editor(of: draft.entries + [other], table.leavingOut)
        if draft.entries.isEmpty, other.demands.isEmpty, other.actions.isEmpty, table.composing == 0 { return -1 }
        let bits = named + composed.reduce(0) { $0 + $1.count }
        var members: [Member] = []
        for (number, entry) in draft.entries.enumerated() {
            members.append(try member(entry, bit: number < named ? number : -1, table))
        }
        for number in 0..<named {
            if bits <= 64 {
                members[number].mask = 1 << UInt64(number)
            } else {
                members[number].isWalked = false
            }
        }
        var otherMember = try member(other, bit: -1, table)
        otherMember.key = TextRange()
        let start = builder.members.count
        builder.members.append(contentsOf: members)
        table.members = builder.range(from: start, to: builder.members.count)
        table.other = Int32(builder.members.count)
        builder.members.append(otherMember)
        table.seenWords = Int32((bits + 63) / 64)
        table.endings = endings(demands, draft.numbers, composed)
        for number in table.endings.indices where builder.endings[number].bit < 64 {
            table.endingBits |= 1 << UInt64(builder.endings[number].bit)
        }
        builder.hashMembers(of: &table)
        builder.objects.append(table)
        return Int32(builder.objects.count - 1)
    }

    private func keys(named demand: Demand) -> [String] {
        switch demand.role {
        case .leftOut: return []
        case .value(let shape, _), .unique(let shape):
            guard let object = shapes.shapes[shape].object else { return [] }
            return object.fields.map(\.keyIn)
        case .step(let component, let part, _):
            guard case .key(let key) = step(component, demand.slice, part) else { return [] }
            return [key]
        }
    }

    /// The names that keys are renamed to, which no undeclared key may have.
    private func namesGiven(by demand: Demand) -> [String] {
        guard let shape = demand.shape, let object = shapes.shapes[shape].object else { return [] }
        return object.others == .pass && !object.isComposed ? object.namesGiven : []
    }

    /// For each demand, the numbers of the object's parts if the demand composes it. Their bits follow those of the
    /// keys.
    private mutating func composed(
        _ demands: [Demand], after keys: Int, _ table: inout ObjectTable
    ) throws(PlanError) -> [[Int]] {
        var bit = keys
        var composed: [[Int]] = []
        for demand in demands {
            composed.append([])
            guard let shape = demand.shape, let object = shapes.shapes[shape].object, object.isComposed else {
                continue
            }
            table.composing |= 1 << UInt64(demand.slice)
            composed[composed.count - 1] = try parts(of: shape, object, from: bit)
            bit += object.fields.count
        }
        return composed
    }

    /// The numbers of a composed object's parts, whose bits begin at `bit`. They are made once, so that an object that
    /// may contain itself has finitely many.
    private mutating func parts(of shape: Int, _ object: ObjectShape, from bit: Int) throws(PlanError) -> [Int] {
        let key = ComposedObject(shape: shape, bit: bit)
        if let known = composedObjects[key] { return known }
        let start = parts.count
        for (number, field) in object.fields.enumerated() {
            let shape = try Self.wanted(field.shape, at: field.path, field.type, shapes)
            parts.append(Part(path: field.path, shape: shape, type: field.type, isNullAbsent: field.mayBeNull))
            builder.parts.append(
                PartTable(text: builder.store(JSONText.quote(field.keyOut) + ":"), bit: Int32(bit + number)))
        }
        let made = Array(start..<parts.count)
        composedObjects[key] = made
        return made
    }

    /// Adds the demands and actions for one key that follow from a demand on the object.
    /// - Parameter composed: the object's parts, if the demand composes it.
    private mutating func fill(
        _ entry: inout ObjectDraft.Entry, _ demand: Demand, _ composed: [Int], isNamed: Bool
    ) {
        let slice = Int32(demand.slice)
        switch demand.role {
        case .leftOut: break
        case .step(let component, let part, let collected):
            guard isNamed, step(component, demand.slice, part) == .key(entry.key) else { return }
            entry.demands.append(self.demand(demand.slice, after: component + 1, part: part, collected: collected))
        case .value(let number, _), .unique(let number):
            guard let object = shapes.shapes[number].object else { return }
            if object.isComposed {
                for part in composed where isNamed && parts[part].path[0].step == .key(entry.key) {
                    entry.demands.append(self.demand(demand.slice, after: 1, part: part, collected: false))
                }
                return
            }
            if isNamed, let field = object.fields.first(where: { $0.keyIn == entry.key }) {
                if object.others == .drop {
                    entry.demands.append(
                        Demand(slice: demand.slice, role: .value(shape: field.shape, op: Demand.Op(kind: .keep))))
                } else if let part = self.demand(demand.slice, part: field.shape) {
                    entry.demands.append(part)
                }
                if field.keyOut != field.keyIn {
                    let text = builder.store(JSONText.quote(field.keyOut))
                    entry.actions.append(KeyAction(slice: slice, kind: .rename, text: text))
                } else if object.others == .drop {
                    entry.actions.append(KeyAction(slice: slice, kind: .pass))
                }
                return
            }
            switch object.others {
            case .pass:
                if isNamed, object.namesGiven.contains(entry.key) {
                    entry.actions.append(KeyAction(slice: slice, kind: .collide))
                }
            case .reject: entry.actions.append(KeyAction(slice: slice, kind: .reject))
            case .values(let shape):
                if let part = self.demand(demand.slice, part: shape) { entry.demands.append(part) }
            case .drop:
                entry.demands.append(Demand(slice: demand.slice, role: .leftOut))
                entry.actions.append(KeyAction(slice: slice, kind: .leaveOut))
            }
        }
    }

    /// The one slice that has actions on keys; -1 if none or several have.
    private func editor(of entries: [ObjectDraft.Entry], _ leavingOut: UInt64) -> Int32 {
        let slices = entries.reduce(leavingOut) { all, entry in
            entry.actions.reduce(all) { $0 | 1 << UInt64($1.slice) }
        }
        return slices.nonzeroBitCount == 1 ? Int32(slices.trailingZeroBitCount) : -1
    }

    private mutating func member(
        _ entry: ObjectDraft.Entry, bit: Int, _ table: ObjectTable
    ) throws(PlanError) -> Member {
        var member = Member(bit: Int32(bit))
        member.key = builder.store(key: entry.key)
        member.node = try node(entry.demands)
        member.owners = entry.owners
        member.again = try node(entry.demands.filter { entry.owners & 1 << UInt64($0.slice) == 0 })
        let start = builder.actions.count
        builder.actions.append(contentsOf: entry.actions)
        member.actions = builder.range(from: start, to: builder.actions.count)
        member.isWalked = entry.actions.isEmpty
        if table.editor >= 0, entry.actions.count == 1,
            let action = walkAction(entry.actions[0].kind, leavesOut: table.leavingOut != 0)
        {
            member.isWalked = true
            member.walkAction = action
        }
        return member
    }

    /// The walk's code for the action (`sluice_json_action`); nil if the walk cannot carry it out.
    private func walkAction(_ kind: KeyAction.Kind, leavesOut: Bool) -> UInt8? {
        let kept = leavesOut ? UInt8(SLUICE_JSON_KEEP.rawValue) : 0
        return switch kind {
        case .pass: kept
        case .rename: UInt8(SLUICE_JSON_RENAME.rawValue) | kept
        case .leaveOut: UInt8(SLUICE_JSON_LEAVE_OUT.rawValue)
        case .reject, .collide: nil
        }
    }

    private mutating func endings(
        _ demands: [Demand], _ numbers: [String: Int], _ composed: [[Int]]
    ) -> TableRange {
        let start = builder.endings.count
        for (demand, composed) in zip(demands, composed) {
            let slice = Int32(demand.slice)
            switch demand.role {
            case .leftOut: break
            case .step(let component, let part, let collected):
                guard case .key(let key) = step(component, demand.slice, part), let bit = numbers[key] else { continue }
                // A part that is missing is handled at the end of the composed object.
                if part >= 0, !collected { continue }
                var ending = ObjectEnding(bit: Int32(bit), slice: slice, kind: .absent)
                if collected {
                    guard let wanted = expectation(behind: component, of: demand.slice, part) else { continue }
                    ending.kind = .required
                    ending.expected = builder.expectation("\(JSONText.quote(key)): \(wanted)")
                }
                builder.endings.append(ending)
            case .value(let number, _), .unique(let number):
                for (index, field) in (shapes.shapes[number].object?.fields ?? []).enumerated() {
                    let isPart = !composed.isEmpty
                    guard let bit = isPart ? Int(builder.parts[composed[index]].bit) : numbers[field.keyIn] else {
                        continue
                    }
                    if let text = field.defaultJSON {
                        let member = builder.store(JSONText.quote(field.keyOut) + ":" + text)
                        builder.endings.append(
                            ObjectEnding(
                                bit: Int32(bit), slice: slice, kind: isPart ? .insertPart : .insert, text: member))
                    } else if field.isRequired {
                        let expected =
                            field.whenMissing
                            ?? "\(JSONText.quote(field.keyIn)): \(shapes.shapes[field.shape].expected)"
                        builder.endings.append(
                            ObjectEnding(
                                bit: Int32(bit), slice: slice, kind: .required,
                                expected: builder.expectation(expected)))
                    }
                }
            }
        }
        return builder.range(from: start, to: builder.endings.count)
    }
}
