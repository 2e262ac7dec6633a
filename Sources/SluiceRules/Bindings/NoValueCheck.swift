internal import SluiceContract

/// Keys that have no effect on answers that pass through; what was inherited of them is left out in silence.
struct NoValueCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        if !hasValue && !own.says("value") {
            let usual = Binding.usual
            // Bodies that are signed are held, too.
            let holdsBodies = draft.binding.takesContent
            if !holdsBodies { draft.binding.holdBytes = usual.holdBytes }
            draft.binding.early = usual.early
            draft.binding.reportCount = usual.reportCount
            draft.binding.compression = nil
            for name in ["early", "hold", "report", "compress", "drift", "on-drift"] where own.says(name) {
                if name == "hold", holdsBodies { continue }
                (scope / name).warning("'\(name)' has no effect without 'value:'")
            }
        }
    }
}
