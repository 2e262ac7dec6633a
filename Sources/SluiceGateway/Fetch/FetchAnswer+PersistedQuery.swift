internal import SluiceContract
internal import SluiceHTTP

/// A query that is sent as its digest: where the server does not know it, it is sent once in full.
extension FetchAnswer {
    /// The answer has arrived, or as much of it as is read.
    /// - Parameter error: the body of an answer with an error status.
    /// - Returns: whether the query is sent again.
    func asksInFull(
        _ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route, error: UnsafeRawBufferPointer? = nil
    ) -> Bool {
        guard let query = route.graphQL, let persisted = query.persisted, consumer.request.body.form == .usual,
            fetch.attempt.progress.canBeSentAgain, let refusal = refusal(error, fetch.response.fields)
        else { return false }
        // If the answer has data, the query has been executed, whatever an error beside them says; and some of the data
        // may have been sent to the client.
        if error == nil, extraction.hasData { return false }
        if refusal == .unsupported { persisted.noteUnsupported() }
        // The rival would get the same refusal, and both share one request.
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
