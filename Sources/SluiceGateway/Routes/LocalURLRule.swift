internal import SluiceContract
internal import SluiceJSON

/// `local-urls:` of a binding, compiled. All paths are followed at once: a set of bits says how far along each path a
/// place in the document is.
final class LocalURLRule: Sendable {
    typealias Places = UInt64

    private enum Step {
        case key([UInt8])
        case index(Int)
        case wildcard
        /// A path ends here: the value at this place is rewritten.
        case end
    }

    /// All paths, one behind the other, each with its end.
    private let steps: [Step]
    /// The places that the root of the document has on the paths.
    let root: Places
    private let ends: Places
    /// The most bytes that a key on some path can take, with quotes and escapes.
    let keyBytesMax: Int

    /// nil where the binding has none.
    init?(_ binding: Binding) {
        if binding.localURLs.isEmpty { return nil }
        var steps: [Step] = []
        var (root, ends): (Places, Places) = (0, 0)
        for path in binding.localURLs {
            guard steps.count + path.components.count < LocalURLPaths.partsMax else { break }
            root |= 1 << Places(steps.count)
            for component in path.components {
                switch component.step {
                case .key(let key): steps.append(.key(Array(key.utf8)))
                case .index(let index): steps.append(.index(index))
                case .wildcard, .last, .first: steps.append(.wildcard)
                }
            }
            ends |= 1 << Places(steps.count)
            steps.append(.end)
        }
        (self.steps, self.root, self.ends) = (steps, root, ends)
        keyBytesMax = steps.reduce(0) { if case .key(let key) = $1 { max($0, key.count) } else { $0 } } * 6 + 2
    }

    func hasEnd(_ places: Places) -> Bool { places & ends != 0 }

    /// - Parameter key: as the document writes it, with quotes.
    func member(_ key: [UInt8], of places: Places) -> Places {
        let text: [UInt8]
        if key.contains(UInt8(ascii: "\\")) {
            text = JSONText.unquote(String(decoding: key, as: UTF8.self)).map { Array($0.utf8) } ?? []
        } else {
            text = Array(key.dropFirst().dropLast())
        }
        return following(places) { if case .key(let wanted) = $0 { wanted == text } else { false } }
    }

    func element(_ index: Int, of places: Places) -> Places {
        following(places) { step in
            switch step {
            case .index(let wanted): wanted == index
            case .wildcard: true
            case .key, .end: false
            }
        }
    }

    private func following(_ places: Places, _ fits: (Step) -> Bool) -> Places {
        var (rest, result): (Places, Places) = (places, 0)
        while rest != 0 {
            let bit = rest.trailingZeroBitCount
            rest &= rest &- 1
            if fits(steps[bit]) { result |= 1 << Places(bit + 1) }
        }
        return result
    }
}
