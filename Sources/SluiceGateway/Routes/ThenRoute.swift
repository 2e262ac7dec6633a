internal import SluiceContract

/// `then:` of a binding, compiled for serving.
final class ThenRoute: Sendable {
    /// What is invalidated, as ``CacheRoute/writtenNames`` of those bindings has it.
    let names: [[UInt8]]
    /// The local target of the answer that the written value becomes; nil where it becomes none.
    let update: [Piece]?

    enum Piece: Sendable {
        case text([UInt8])
        /// Which of the write's placeholders stands there, by its position in the path.
        case capture(Int)
    }

    /// nil where the binding says nothing.
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

    /// No tag is called like a binding: those have a blank.
    static func name(ofBinding name: String) -> [UInt8] { Array("binding \(name)".utf8) }
    static func name(ofTag tag: String) -> [UInt8] { Array("tag \(tag)".utf8) }
}
