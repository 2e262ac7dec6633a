internal import SluiceContract

/// `rows:`, and what can be made of a text of rows.
struct RowsCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        guard let rows = draft.binding.rows else { return }
        let scope = scope / "rows"
        checkRowsValue(rows, scope)
        if draft.binding.graphQL != nil {
            scope.mistake("an answer of GraphQL is one document", expected: "a binding without 'rows:'")
        }
        if draft.binding.pages != nil {
            (self.scope / "pages").mistake("rows have no pages", expected: "'rows:' or 'pages:'")
        }
        if draft.binding.keep != nil {
            (self.scope / "keep").mistake("rows have no token", expected: "a binding without 'keep:'")
        }
        if case .csv(let table) = rows.format { checkColumns(table, scope / "columns") }
        if rows.delivery == .lines { checkLines(scope) }
    }

    private func checkRowsValue(_ rows: RowPolicy, _ scope: Scope) {
        let values =
            [draft.binding.value].compactMap(\.self) + draft.binding.valueByStatus.filter { $0.key < 400 }.values
        if values.isEmpty, !own.says("value") || !draft.binding.valueByStatus.isEmpty {
            scope.mistake(
                "'rows' has no meaning without 'value:'", expected: "the type of all rows, such as [Fruit]",
                suggestion: .advice("leave 'rows:' out to pass the text through"))
        }
        guard let parent = draft.binding.parent else {
            for value in values where !types.canBeArray(value) {
                scope.mistake(
                    "rows make an array, and the value is \(value)", expected: "a value such as [\(value)]")
            }
            return
        }
        if case .csv = rows.format {
            (self.scope / "parent").mistake("a table has no paths", expected: "a binding without 'parent:'")
        } else if case .key(let key)? = parent.components.first?.step {
            (self.scope / "parent").mistake(
                "rows make an array, in which '\(key)' leads nowhere", at: .value,
                expected: "a path that begins with '*' or an index", suggestion: .didYouMean("*.\(parent)"))
        }
    }

    private func checkColumns(_ table: RowPolicy.Table, _ scope: Scope) {
        guard let columns = table.columns else { return }
        if columns.isEmpty || columns.count > RowPolicy.Table.columnsMax {
            scope.mistake(
                "a table of \(columns.count) columns", at: .value,
                expected: "1 to \(RowPolicy.Table.columnsMax) names")
        }
        for (index, name) in columns.enumerated() {
            if columns[..<index].contains(name) {
                scope[index].mistake("the column '\(name)' stands twice", at: .value, expected: "each name once")
            }
            if name.utf8.count > RowPolicy.Table.nameBytesMax {
                scope[index].mistake(
                    "a column's name of \(name.utf8.count) bytes", at: .value,
                    expected: "\(RowPolicy.Table.nameBytesMax) at most")
            }
        }
    }

    /// Rows that go out before the last one is there.
    private func checkLines(_ scope: Scope) {
        let stars = draft.binding.parent?.components.filter { $0.step == .wildcard }.count ?? 1
        if stars != 1 || draft.binding.parent?.components.first.map({ $0.step != .wildcard }) == true {
            (self.scope / "parent").mistake(
                "rows that go out as they arrive are taken one by one", at: .value,
                expected: "a path with one '*', at its beginning, or 'as: array'")
        }
        if own.says("default") {
            (self.scope / "default").mistake(
                "rows that go out as they arrive have no default",
                expected: "a binding without 'default:', or 'as: array'"
            )
        }
        if own.says("cache"), draft.binding.cache != nil {
            (self.scope / "cache").mistake(
                "rows that go out as they arrive are not stored", expected: "a binding without 'cache:', or 'as: array'"
            )
        }
        if own.says("compress"), draft.binding.compression != nil {
            (self.scope / "compress").mistake(
                "rows that go out as they arrive are not compressed",
                expected: "a binding without 'compress:', or 'as: array'")
        }
        // What was said for all bindings holds for those that it can hold for.
        draft.binding.cache = nil
        draft.binding.compression = nil
    }
}
