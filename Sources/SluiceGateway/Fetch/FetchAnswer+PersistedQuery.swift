internal import SluiceContract
internal import SluiceHTTP

/// A query that is sent as its digest: where the server does not know it, it is sent once in full.
extension FetchAnswer {
    /// The answer is there, or as much of it as will be looked at.
    /// - Parameter error: its body, where its status is that of an error.
    /// - Returns: whether the query goes out once more.
    func asksInFull(
        _ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route, error: UnsafeRawBufferPointer? = nil
    ) -> Bool {
        guard let query = route.graphQL, let persisted = query.persisted, consumer.request.body.form == .usual,
            fetch.attempt.progress.canBeSentAgain, let refusal = refusal(error, fetch.response.fields)
        else { return false }
        // Where there are data the query has been executed, whatever an error beside them says; and some of them may
        // have gone out.
        if error == nil, extraction.hasData { return false }
        if refusal == .unsupported { persisted.noteUnsupported() }
        // The other attempt would hear the same, and both have one request.
        fetch.win(consumer)
        fetch.letGo()
        GraphQLRequest(consumer.request, query, route).change(to: refusal == .unknown ? .whole : .plain)
        fetch.askAnew()
        return true
    }

    private func refusal(
        _ error: UnsafeRawBufferPointer?, _ fields: borrowing HeaderBlock
    ) -> PersistedQuery.Refusal? {
        guard let error else { return extraction.persistedRefusal }
        return PersistedQuery.Refusal(
            message: ErrorBody.text(.path(PersistedQuery.Refusal.message), in: error, fields),
            code: ErrorBody.text(.path(PersistedQuery.Refusal.code), in: error, fields))
    }
}
