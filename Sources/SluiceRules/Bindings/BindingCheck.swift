internal import SluiceContract

/// One concern of a binding: it looks at the draft, says what is wrong, and leaves out of it what cannot be.
protocol BindingCheck {
    var draft: BindingDraft { get }

    init(draft: BindingDraft)

    func check()
}

extension BindingCheck {
    static func run(_ draft: BindingDraft) { Self(draft: draft).check() }

    // MARK: - What the author says

    var declaration: BindingDeclaration { draft.declaration }
    var own: Layer<Binding> { draft.own }
    var scope: Scope { draft.scope }

    // MARK: - What is known

    var context: BindingDraft.Context { draft.context }
    var upstream: Upstream? { draft.upstream }
    var types: TypeMeanings { draft.types }
    var typeCheck: TypeCheck { draft.typeCheck }
    var sendsJSON: Bool { draft.sendsJSON }
    var hasValue: Bool { draft.hasValue }

    func isDeclared(_ name: String) -> Bool { draft.isDeclared(name) }
}
