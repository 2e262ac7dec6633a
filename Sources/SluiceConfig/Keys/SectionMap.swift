import SluiceRules

/// The sections to which keys belong, for advice about misplaced keys.
enum SectionMap {
    private struct Place {
        var section: Section
        var label: String
        var depth: Int
    }

    /// Every section, the outer ones first, as messages call it.
    private static let places: [Place] = {
        var places = [Place(section: RootSection.section, label: "the top level", depth: 0)]
        var next = 0
        while next < places.count {
            let outer = places[next]
            next += 1
            for key in outer.section.keys {
                for (section, isNamed) in sections(of: key.shape)
                where !places.contains(where: { $0.section.name == section.name }) {
                    let own = isNamed ? singular[key.name] ?? "a name under '\(key.name):'" : "'\(key.name):'"
                    let label = outer.depth == 0 || isNamed ? own : "\(own) of \(outer.label)"
                    places.append(Place(section: section, label: label, depth: outer.depth + 1))
                }
            }
        }
        return places
    }()

    private static let singular = [
        "upstreams": "an upstream", "bindings": "a binding", "clients": "a client", "credentials": "a credential",
    ]

    private static func sections(of shape: Shape) -> [(Section, isNamed: Bool)] {
        switch shape {
        case .section(let section): [(section, false)]
        case .names(_, let inner): sections(of: inner).map { ($0.0, true) }
        case .list(let inner), .oneOrMany(let inner), .within(let inner, _, _): sections(of: inner)
        case .either(let shapes): shapes.flatMap(sections)
        case .field, .text, .duration, .size, .flag, .integer, .choice, .path, .type, .any: []
        }
    }

    /// The outermost places that have this key, as `under 'limits:'`; nil where there are none, or more than three.
    static func places(of key: String, outside section: Section) -> String? {
        let all = places.filter { $0.section.name != section.name && $0.section.key(key) != nil }
        guard let depth = all.map(\.depth).min() else { return nil }
        let labels = all.filter { $0.depth == depth }.map(\.label)
        return labels.count <= 3 ? (depth == 0 ? "at " : "under ") + labels.joined(separator: " or ") : nil
    }
}
