internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// The admin socket: requests that the gateway answers out of itself, in the same corridor as all others.
extension Exchange {
    /// What does the admin socket say?
    func administer() -> Step {
        guard let client = sink?.client, let access = client.admin else { preconditionFailure("no admin socket") }
        guard access.admits(client.credentials) else {
            let who = client.credentials.map { "User \($0.user)" } ?? "Somebody unknown"
            return refused(
                Problem(
                    .forbidden,
                    detail:
                        "\(who) may not administer this gateway; user \(access.owner), which it runs as, and root may.")
            )
        }
        do throws(Problem) {
            switch try AdminRequest(request) {
            case .list(let query): begin(AdminWork(query, for: self))
            case .purge(let purge): begin(AdminWork(requests(for: purge), for: self))
            case .explain(let question): answerJSON(try gateway.explain(question))
            case .stats: answerJSON(gateway.cacheStatistics)
            case .reload:
                let work = AdminWork(reloadFor: self)
                adminWork = work
                guard gateway.reload(for: work) else {
                    throw Problem(.unknownRoute, detail: "Nobody reloads this gateway.")
                }
            }
            return .rest
        } catch {
            return refused(error)
        }
    }

    private func begin(_ work: AdminWork) {
        adminWork = work
        gateway.begin(work)
    }

    /// A target is purged by what stands on the label, and by what a request for it would find: another spelling of the
    /// same may have been the one that was stored.
    private func requests(for purge: PurgeRequest) -> [PurgeRequest] {
        guard case .target(let target) = purge.selection else { return [purge] }
        let keys = gateway.storedKeys(CacheQuestion(method: "GET", target: target))
        return [purge] + keys.map { PurgeRequest(.key($0), isSoft: purge.isSoft) }
    }

    func answerList(_ found: [JSONValue], _ query: CacheQuery, next: MemoryStore.Place, in store: MemoryStore) {
        if query.isDetailed, found.isEmpty {
            return fail(
                Problem(
                    .notStored, status: 404,
                    detail: gateway.placesBehindMemory.isEmpty
                        ? "Nothing is stored under that; 'sluice cache list' shows what is."
                        : "Nothing of that is in memory; what other tiers have is shown once it has been asked for."
                ))
        }
        var members: [(String, JSONValue)] = [("entries", .array(found))]
        members.append(("behind_memory", .array(gateway.placesBehindMemory.map { .string($0) })))
        if !query.isDetailed {
            let isFull = found.count >= query.limit
            members.append(("next", isFull ? .string(next.text) : .null))
        }
        answerJSON(.object(members))
    }

    func answerJSON(_ value: JSONValue, status: Int = 200) {
        var fields = HeaderBlock()
        fields.append(.contentType, "application/json")
        gateway.date.withUnsafeBytes { fields.append(.date, value: $0) }
        fields.append(.cacheControl, "no-store")
        let bytes = Array((value.text + "\n").utf8)
        answer(status: status, reason: .empty, fields: fields, framing: .length(bytes.count))
        bytes.withUnsafeBytes { answerBody($0, lifetime: .call) }
        answerEnd()
    }
}

extension Gateway {
    /// Where answers may lie that memory does not have, and no list shows: `disk`, `shared`.
    fileprivate var placesBehindMemory: [String] {
        (desk.shared.tiers?.places ?? []).map { $0.rawValue.lowercased() }
    }

    /// `GET /cache/stats`.
    var cacheStatistics: JSONValue {
        let usage = desk.store.usage
        let counts = desk.shared.counts
        return .object([
            ("entries", .number(usage.entries)), ("bytes", .number(usage.bytes)),
            ("bytes_max", .number(usage.bytesMax)), ("hits", .number(counts.hits)),
            ("misses", .number(counts.misses)), ("collapsed", .number(counts.collapsed)),
            ("stored", .number(counts.stored)), ("validated", .number(counts.validated)),
            ("evictions", .number(usage.evictions)), ("purges", .number(Int(clamping: desk.store.purges.number))),
        ])
    }
}
