internal import SluiceContract

/// `then:` of a binding, compiled for serving.
final class ThenRoute: Sendable {
    /// Names of what is invalidated, as in ``CacheRoute/writtenNames`` of those bindings.
    let names: [[UInt8]]
    /// The local target whose stored answer the written value replaces; nil where it replaces none.
    let update: [Piece]?

    enum Piece: Sendable {
        case text([UInt8])
        /// A placeholder of the write's path, by its position.
        case capture(Int)
    }

    /// nil where the binding has no `then:`.
    init?(_ binding: Binding, _ bindings: [Binding]) {
        guard let effect = binding.then else { return nil }
        names = effect.invalidate.map(Self.name(ofBinding:)) + effect.tags.map(Self.name(ofTag:))
        let placeholders = binding.path.placeholders
        update = effect.update.flatMap { name in bindings.first { $0.name == name } }.map { read in
            var pieces: [Piece] = []
            for segment in read.path.segments {
                pieces.append(.text([UInt8(ascii: "/")]))
                for part in segment {
                    switch part {
                    case .text(let text): pieces.append(.text(Array(text.utf8)))
                    case .placeholder(let name):
                        if let position = placeholders.firstIndex(of: name) { pieces.append(.capture(position)) }
                    }
                }
            }
            return pieces.isEmpty ? [.text([UInt8(ascii: "/")])] : pieces
        }
    }

    // MARK: - Names

    /// Names of bindings and of tags never collide, because their first words differ.
    static func name(ofBinding name: String) -> [UInt8] { Array("binding \(name)".utf8) }
    static func name(ofTag tag: String) -> [UInt8] { Array("tag \(tag)".utf8) }
}
