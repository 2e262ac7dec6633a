internal import SluiceContract

/// Generates one value.
struct ValueMaker {
    let types: NamedTypes
    let heights: TypeHeights
    var chance: SplitMix64
    var mood = Mood.usual
    /// How many parts may still be generated before all further ones are made as small as possible.
    private var room = 2_000

    /// What kind of value is wanted.
    enum Mood: CaseIterable {
        /// The smallest: nothing that may be missing, the lowest numbers.
        case least
        /// The largest: everything that may be there, the highest numbers.
        case most
        /// Rare but allowed values.
        case strange
        case usual
    }

    /// Nesting depth from which on values are made as small as their types allow.
    private static let depthMax = 5

    init(_ types: NamedTypes, _ heights: TypeHeights, seed: UInt64) {
        self.types = types
        self.heights = heights
        chance = SplitMix64(seed: seed)
    }

    /// A list begins with one element each of the moods least, most and strange; for any other value the seed picks the
    /// mood.
    mutating func whole(_ type: TypeExpression) -> String? {
        let resolved = types.resolved(type)
        switch resolved {
        case .array(let element): return list(element, nil, isWhole: true, 0)
        case .constrained(.array(let element), let constraint): return list(element, constraint, isWhole: true, 0)
        default:
            mood = chance.pick([.usual, .usual, .usual, .least, .most, .strange])
            return text(resolved, 0)
        }
    }

    mutating func text(_ type: TypeExpression, _ depth: Int) -> String? {
        room -= 1
        switch type {
        case .scalar(let scalar): return self.scalar(scalar)
        case .converted(_, let to): return scalar(to)
        case .literals(let strings): return strings.isEmpty ? nil : JSONText.quote(pick(strings))
        case .open(let strings):
            let isNew = mood == .strange || strings.isEmpty
            return JSONText.quote(isNew ? "not-yet-known" : pick(strings))
        case .constant(let json): return json
        case .constrained(.array(let element), let constraint): return list(element, constraint, isWhole: false, depth)
        case .constrained(let inner, let constraint): return constrained(inner, constraint, depth)
        case .array(let element): return list(element, nil, isWhole: false, depth)
        case .dictionary(let value): return dictionary(value, depth)
        case .optional(let wrapped):
            if isSmall(depth) || mood == .least || mood != .most && chance.oneIn(4) { return "null" }
            return text(wrapped, depth) ?? "null"
        case .null: return "null"
        case .union(let members): return union(members, depth)
        case .object(let object): return self.object(object, nil, depth)
        case .choice(let choice): return self.choice(choice, depth)
        case .named:
            let meaning = types.resolved(type)
            if case .named = meaning { return nil }
            return text(meaning, depth)
        }
    }

    private func isSmall(_ depth: Int) -> Bool { depth >= Self.depthMax || room <= 0 }

    mutating func pick<Element>(_ list: [Element]) -> Element {
        switch mood {
        case .least: list[0]
        case .most: list[list.count - 1]
        case .strange, .usual: chance.pick(list)
        }
    }

    // MARK: - Lists

    private mutating func list(
        _ element: TypeExpression, _ constraint: Constraint?, isWhole: Bool, _ depth: Int
    ) -> String? {
        let least = constraint?.range?.lower.flatMap { Int($0) } ?? 0
        guard least <= Self.elementsMax else { return nil }
        let most = max(least, constraint?.range.flatMap { $0.upper == nil ? nil : $0.greatestCount } ?? least + 8)
        var count = least
        if heights.height(element) < TypeHeights.endless, !isSmall(depth) {
            switch mood {
            case _ where isWhole: count = min(max(least, Int.random(in: 5...8, using: &chance)), most)
            case .least: break
            case .most: count = min(most, least + 5)
            case .strange, .usual: count = min(most, least + Int.random(in: 0...3, using: &chance))
            }
        }
        var items: [String] = []
        var attempts = 0
        while items.count < count, attempts < count * 10 + 10 {
            attempts += 1
            if isWhole { mood = items.count < 3 ? [.least, .most, .strange][items.count] : .usual }
            if attempts > count * 2 { mood = chance.pick([.usual, .strange, .most, .least]) }
            guard let item = text(element, depth + 1) else { return items.count >= least ? joined(items) : nil }
            if constraint?.isUnique == true, items.contains(item) { continue }
            items.append(item)
        }
        return items.count >= least ? joined(items) : nil
    }

    private static let elementsMax = 1_000

    private func joined(_ items: [String]) -> String { "[" + items.joined(separator: ",") + "]" }

    private mutating func dictionary(_ value: TypeExpression, _ depth: Int) -> String {
        let count = isSmall(depth) || mood == .least ? 0 : mood == .most ? 4 : Int.random(in: 1...2, using: &chance)
        var members: [String] = []
        let keys = mood == .strange ? ["", "a b", "ключ", "\"quoted\""] : ["first", "second", "third", "fourth"]
        for key in keys.prefix(count) {
            guard let text = text(value, depth + 1) else { break }
            members.append(JSONText.quote(key) + ":" + text)
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    // MARK: - Alternatives

    private mutating func union(_ members: [TypeExpression], _ depth: Int) -> String? {
        var order = members
        if isSmall(depth) {
            order.sort { heights.height($0) < heights.height($1) }
        } else if mood == .most {
            order.reverse()
        } else if mood != .least {
            order.shuffle(using: &chance)
        }
        for member in order where heights.height(member) < TypeHeights.endless {
            if let text = text(member, depth) { return text }
        }
        return nil
    }

    private mutating func choice(_ choice: ObjectChoice, _ depth: Int) -> String? {
        var order = choice.alternatives
        if isSmall(depth) {
            order.sort { heights.height($0.type) < heights.height($1.type) }
        } else {
            order.shuffle(using: &chance)
        }
        for alternative in order {
            guard case .object(let object) = types.resolved(alternative.type) else { continue }
            if let text = self.object(object, (choice.key, alternative.value), depth) { return text }
        }
        return nil
    }

    // MARK: - Objects

    /// - Parameter told: the field that tells which alternative the object is, and its value.
    private mutating func object(_ object: ObjectType, _ told: (key: String, value: String)?, _ depth: Int) -> String? {
        var members: [String] = []
        if let told, !object.fields.contains(where: { $0.name == told.key }) {
            members.append(JSONText.quote(told.key) + ":" + JSONText.quote(told.value))
        }
        for field in object.fields {
            if field.name == told?.key, let value = told?.value {
                members.append(JSONText.quote(field.name) + ":" + telling(field.type, value))
                continue
            }
            if heights.mayBeAbsent(field), isLeftOut(depth) { continue }
            guard let text = text(field.type, depth + 1) else {
                if heights.mayBeAbsent(field) { continue }
                return nil
            }
            members.append(JSONText.quote(field.name) + ":" + text)
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private mutating func isLeftOut(_ depth: Int) -> Bool {
        if isSmall(depth) { return true }
        return switch mood {
        case .least: true
        case .most: false
        case .strange: chance.oneIn(2)
        case .usual: chance.oneIn(5)
        }
    }

    /// The JSON of the telling field's value: a string, unless the field is a constant, a number or a bool.
    private func telling(_ type: TypeExpression, _ value: String) -> String {
        switch types.resolved(type) {
        case .constant(let json): json
        case .scalar(let scalar) where !scalar.isQuotedText && JSONCheck.isValid(value): value
        default: JSONText.quote(value)
        }
    }
}
