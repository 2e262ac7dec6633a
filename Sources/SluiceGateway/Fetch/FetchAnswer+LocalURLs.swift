internal import SluiceContract
internal import SluiceHTTP

/// URLs in JSON that goes out, said in the gateway's own (`local-urls:`).
extension FetchAnswer {
    /// Edits what is held of a value.
    /// - Returns: bytes of it; nil where nothing is edited.
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

    /// Edits a piece of an answer that passes.
    func passEdited(_ bytes: UnsafeRawBufferPointer, _ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) {
        guard let editor = localURLs else { return consumer.answerBody(bytes) }
        var edited = Outbox()
        edit(bytes, into: &edited, editor, fetch, consumer, route)
        if !edited.isEmpty { consumer.answerBody(moving: &edited) }
    }

    /// Whether an answer that passes is JSON that is edited: all of a document, and nothing else.
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
