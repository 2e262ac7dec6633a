internal import SluiceContract

/// What a binding says of its settings, on top of what it inherits.
struct BindingSettingsCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        draft.binding.keys = upstream?.keys ?? .verbatim
        // What a binding says of these, it says on top of its upstream.
        if own.says("timeout") {
            draft.binding.timeout = (upstream ?? context.composed.upstream).timeout
        }
        if own.says("error") {
            draft.binding.error = upstream?.error ?? ErrorPaths()
            draft.binding.reportedError = upstream?.reportedError ?? ReportedError()
        }
        draft.binding.add(own, scope)
        if !own.tells("unknown-params") {
            if !draft.tellsUnknownParameters {
                draft.binding.unknownParameters = draft.binding.path.hasRest ? .pass : .reject
            }
            // What lies below a `**` is the upstream's own affair, its query included.
            if draft.binding.upstreamPath.hasRest { draft.binding.unknownParameters = .pass }
        }
        if let grants = draft.binding.grants, own.tells("allow") { grants.check(scope / "allow", context.clientNames) }
    }
}
