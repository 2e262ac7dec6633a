internal import SluiceContract
internal import SluiceHTTP

/// Rewrites the upstream's URLs in a JSON answer as URLs of the gateway (`local-urls:`).
extension FetchAnswer {
    /// Edits a held value.
    /// - Returns: its length in bytes; nil where nothing is edited.
    func editHeld(_ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) -> Int? {
        guard let editor = localURLs else { return nil }
        var held = Outbox()
        extraction.takeHeld(into: &held)
        var edited = Outbox()
        held.forEachRun { run, _ in edit(run, into: &edited, editor, fetch, consumer, route) }
        let count = edited.count
        extraction.held.append(moving: &edited)
        return count
    }

    /// Edits a piece of an answer that is passed through.
    func passEdited(_ bytes: UnsafeRawBufferPointer, _ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) {
        guard let editor = localURLs else { return consumer.answerBody(bytes) }
        var edited = Outbox()
        edit(bytes, into: &edited, editor, fetch, consumer, route)
        if !edited.isEmpty { consumer.answerBody(moving: &edited) }
    }

    /// Begins editing an answer that is passed through, if it is a complete JSON document.
    func beginEditing(_ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) {
        let status = fetch.response.status
        // A 204 and a 205 have no content, whatever its type (RFC 9110 §15.3.5).
        guard let rule = route.localURLs, (200..<300).contains(status), ![204, 205, 206].contains(status),
            let index = fetch.response.fields.firstIndex(of: .contentType),
            ContentType(fetch.response.fields.value(index))?.isJSON == true
        else { return }
        treatment = .edited
        if consumer.request.head.method != .head { localURLs = LocalURLEditor(rule) }
    }

    private func edit(
        _ run: UnsafeRawBufferPointer, into out: inout Outbox, _ editor: LocalURLEditor, _ fetch: Fetch,
        _ consumer: FetchConsumer, _ route: Route
    ) {
        guard let endpoint = fetch.endpoint else { return out.append(run) }
        editor.edit(run, into: &out) { LocalURL.text(of: $0, for: consumer.request, route, endpoint) }
    }
}
