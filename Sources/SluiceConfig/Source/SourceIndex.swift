import SluiceContract
import SluiceRules

/// Finds the place of a finding in the file: turns a key path into a line and a column.
final class SourceIndex {
    private let root: SourceNode
    /// Positions of the entries of long mappings by their keys, so that many findings in one mapping do not take
    /// quadratic time.
    private var positions: [SourceNode.Place: [String: Int]] = [:]
    private static let longMin = 16

    init(_ root: SourceNode) {
        self.root = root
    }

    /// The node that a path leads to; where that is missing, the nearest node around it.
    private struct Spot {
        /// nil for items of lists, and where the last key is missing.
        var key: SourceNode?
        var node: SourceNode
    }

    func keyPlace(of path: ConfigurationPath) -> SourceNode.Place {
        let spot = spot(path)
        return (spot.key ?? spot.node).place
    }

    func place(of finding: Finding) -> SourceNode.Place {
        let spot = spot(finding.path)
        switch finding.anchor {
        case .key: return (spot.key ?? spot.node).place
        case .value: return spot.node.place
        case .endOfKey(let end): return (spot.key ?? spot.node).place(ofEnd: end)
        case .endOfValue(let end): return spot.node.place(ofEnd: end)
        case .type: return Self.type(spot.node, finding.path).place
        case .innerType: return Self.type(spot.node, finding.path).innermost.place
        case .nameInType(let name): return Self.type(spot.node, finding.path).innermost.place(ofTypeName: name)
        }
    }

    private func spot(_ path: ConfigurationPath) -> Spot {
        var spot = Spot(node: root)
        for segment in path.segments {
            switch segment {
            case .index(let index):
                // A single item may be written without its list.
                if let items = spot.node.items, items.indices.contains(index) {
                    spot = Spot(node: items[index])
                } else {
                    spot.key = nil
                }
            case .key(let name):
                guard let entry = entry(name, in: spot.node) else { return Spot(node: spot.node) }
                spot = Spot(key: entry.key, node: entry.value)
            }
        }
        return spot
    }

    /// The entry of a key, in whichever form the mapping around it is written.
    private func entry(_ name: String, in node: SourceNode) -> SourceNode.Mapping.Entry? {
        switch node.content {
        case .mapping(let mapping):
            if let entry = find(name, in: mapping, at: node.place) { return entry }
            // A field that may be absent.
            if let entry = find(name + "?", in: mapping, at: node.place) { return entry }
            // Beside statuses, keys for all statuses may be under 'default'.
            if name == "message" || name == "code" { return node.value("default").flatMap { entry(name, in: $0) } }
            return node.value("type").flatMap { entry(name, in: $0) }
                ?? node.onlyElement.flatMap { entry(name, in: $0) }
        case .sequence:
            return node.onlyElement.flatMap { entry(name, in: $0) }
        case .scalar(let scalar):
            // `Int = 10`
            guard name == "default", let reading = try? TypeNotation.field(scalar.text), reading.defaultText != nil
            else {
                return nil
            }
            var value = node
            value.place = node.place(at: reading.defaultOffset)
            return .init(key: value, value: value)
        }
    }

    private func find(
        _ name: String, in mapping: SourceNode.Mapping, at place: SourceNode.Place
    ) -> SourceNode.Mapping.Entry? {
        guard mapping.entries.count > Self.longMin else { return mapping.entries.first { $0.key.text == name } }
        if positions[place] == nil {
            let names = mapping.entries.enumerated().compactMap { index, entry in entry.key.text.map { ($0, index) } }
            positions[place] = Dictionary(names) { first, _ in first }
        }
        return positions[place]?[name].map { mapping.entries[$0] }
    }

    /// The node of the type itself, within a long form or a mapping by status.
    private static func type(_ node: SourceNode, _ path: ConfigurationPath) -> SourceNode {
        if isField(path) {
            let isParameter = path.segments.dropLast().last == .key("params")
            let section = isParameter ? ParameterSection.section : FieldSection.section
            if TypeTable.isLongForm(node, section), let type = node.value("type") ?? node.value("fixed") { return type }
        } else if ValueReader.isByStatus(node), let type = node.value("default") {
            return type
        }
        return node
    }

    /// Whether the path is that of a parameter or a field, and not of a type by itself.
    private static func isField(_ path: ConfigurationPath) -> Bool {
        guard path.segments.count > 2, case .key(let last)? = path.segments.last else { return false }
        let isOfBinding = path.segments.count == 3 && path.segments.first == .key("bindings")
        let isByStatus = path.segments.count == 4 && path.segments[2] == .key("value") && Int(last) != nil
        return !isOfBinding && !isByStatus
    }
}

extension SourceNode {
    /// The element type of a list, or the value type of a dictionary.
    fileprivate var onlyElement: SourceNode? {
        switch content {
        case .sequence(let items): return items.count == 1 ? items[0] : nil
        case .mapping(let mapping):
            guard mapping.entries.count == 1, ["*", "String"].contains(mapping.entries[0].key.text) else { return nil }
            return mapping.entries[0].value
        case .scalar: return nil
        }
    }

    fileprivate var innermost: SourceNode { onlyElement?.innermost ?? self }

    /// The place where the end of a text begins, such as the path after a method.
    fileprivate func place(ofEnd end: String) -> Place {
        guard let text, text.hasSuffix(end) else { return place }
        return place(at: text.utf8.count - end.utf8.count)
    }

    /// The place of a name in a type's text.
    fileprivate func place(ofTypeName name: String) -> Place {
        guard let text, let reading = try? TypeNotation.field(text) else { return place }
        if let mention = reading.mentions.first(where: { $0.name == name }) { return place(at: mention.offset) }
        // Text that is not a type's name is found literally.
        let start = text.utf8.indices.first { text.utf8[$0...].starts(with: name.utf8) }
        return start.map { place(at: text.utf8.distance(from: text.utf8.startIndex, to: $0)) } ?? place
    }
}
