internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// `GET /metrics`, `/healthz` and `/readyz`, on the admin socket and at the address of `admin:`.
extension AdminSocket {
    static let monitorPaths = ["/metrics", "/healthz", "/readyz"]

    /// Answers a request that is one of these.
    /// - Returns: whether it is.
    func monitor(_ exchange: Exchange) throws(Problem) -> Bool {
        guard let path = try readPath(of: exchange, among: Self.monitorPaths) else { return false }
        switch path {
        case "/metrics":
            guard scrapes.count < Self.scrapesMax else {
                throw Problem(.overloaded, detail: "\(Self.scrapesMax) others are told the metrics at present.")
            }
            begin(MetricsWork(metricsPage(for: exchange), for: exchange))
        case "/healthz": exchange.answerText(Array("ok\n".utf8))
        default:
            let isReady = !corridor.loop.isDraining
            exchange.answerText(Array((isReady ? "ready\n" : "draining\n").utf8), status: isReady ? 200 : 503)
        }
        return true
    }

    /// The path of a request for one of `paths`, which are read-only; nil where it is for another path.
    func readPath(of exchange: Exchange, among paths: [String]) throws(Problem) -> String? {
        let path = String(decoding: exchange.request.head.path, as: UTF8.self)
        guard paths.contains(path) else { return nil }
        let method = exchange.request.head.method
        guard method == .get || method == .head else {
            var problem = Problem(.methodNotAllowed, detail: "'\(path)' is read alone; use GET.")
            problem.allow = ["GET", "HEAD"]
            throw problem
        }
        return path
    }

    /// Answers at the address of `admin:`, where there is nothing else. A request by a foreign host name is refused: a
    /// web page may have caused it (DNS rebinding).
    func monitorAlone(_ exchange: Exchange) throws(Problem) {
        let table = corridor.generation.table
        guard let access = table.monitor else {
            throw Problem(.unknownRoute, detail: "Nothing is told at this address any more: it is not configured.")
        }
        guard table.hosts.servesMonitor(exchange.request.head.authority) else {
            throw Problem(.hostNotServed, detail: "Metrics are told to those who ask this machine by its own name.")
        }
        guard access.admits(exchange.request.head.fields) else {
            var problem = Problem(
                .unauthenticated,
                detail: "A key is needed: 'Authorization: Bearer KEY', of which 'admin: key:' has the digest.")
            problem.fields = [HeaderSetting(name: "WWW-Authenticate", value: "Bearer")]
            throw problem
        }
        if try monitor(exchange) { return }
        throw Problem(
            .unknownRoute,
            detail: "This address answers \(Self.monitorPaths.joined(separator: ", ")), and nothing else.")
    }

    private func metricsPage(for exchange: Exchange) -> MetricsPage {
        publish()
        let families = ownFamilies + corridor.loop.metrics.registry.families
        return MetricsPage(families, as: MetricsText.Format(accepting: exchange.request.head.fields))
    }

    /// Updates the metrics that this loop does not count as they change.
    func publish() {
        let loop = corridor.loop
        let slab = loop.metrics.slab
        slab.set(loop.counters.connections, at: LoopCells.connections)
        slab.set(loop.counters.connectionsHTTP2, at: LoopCells.connectionsHTTP2)
        slab.set(loop.counters.exchangesOpen, at: LoopCells.exchanges)
        slab.set(loop.counters.fillsOpen, at: LoopCells.fills)
        slab.set(loop.counters.upstreamConnections, at: LoopCells.upstreamConnections)
        slab.set(loop.counters.watchers, at: LoopCells.watchers)
        slab.set(loop.counters.watched, at: LoopCells.watched)
        slab.set(loop.room.waiting, at: LoopCells.waitingBytes)
        slab.set(loop.counters.drift, at: LoopCells.unlistedValues)
        for upstream in corridor.generation.upstreams { upstream.publish(at: loop.now) }
    }

    // MARK: - What all loops share

    private var ownFamilies: [MetricFamily] {
        let registry = corridor.loop.metrics.registry
        return [
            MetricFamily("sluice_build", .info, "What runs.", labels: [("version", registry.release)], "1"),
            MetricFamily(
                "sluice_start_time_seconds", .gauge, unit: "seconds", "When it began, in seconds since 1970.",
                "\(registry.startedAt)"),
            MetricFamily(
                "sluice_bindings", .gauge, "Bindings that are served.", "\(corridor.generation.table.routes.count)"),
        ] + cacheFamilies + gateFamilies + credentialFamilies
    }

    private var cacheFamilies: [MetricFamily] {
        let usage = loopCache.store.usage
        let counts = loopCache.shared.counts
        return [
            MetricFamily("sluice_cache_entries", .gauge, "Answers that are stored in memory.", "\(usage.entries)"),
            MetricFamily(
                "sluice_cache_memory_bytes", .gauge, unit: "bytes", "Bytes that they take.", "\(usage.bytes)"),
            MetricFamily(
                "sluice_cache_memory_limit_bytes", .gauge, unit: "bytes", "Bytes that they may take.",
                "\(usage.bytesMax)"),
            MetricFamily(
                "sluice_cache_evictions", .counter, "Answers that went because others needed their place.",
                "\(usage.evictions)"),
            MetricFamily("sluice_cache_stored", .counter, "Answers that were stored.", "\(counts.stored)"),
            MetricFamily(
                "sluice_cache_validated", .counter, "Stored answers that the upstream found still right.",
                "\(counts.validated)"),
            MetricFamily(
                "sluice_cache_purges", .counter, "Purges that were asked for.", "\(loopCache.store.purges.number)"),
        ]
    }

    /// Where requests in flight are limited: at bindings and at upstreams.
    private var gateFamilies: [MetricFamily] {
        let table = corridor.generation.table
        let bindings = table.routes.compactMap { route in
            route.meter?.gate.map { (scope: "binding", name: route.binding.name, gate: $0) }
        }
        let upstreams = zip(table.configuration.upstreams, table.upstreamMeters).compactMap { upstream, meter in
            meter.gate.map { (scope: "upstream", name: upstream.name, gate: $0) }
        }
        let gates = bindings + upstreams
        func family(_ name: String, _ help: String, _ value: @escaping (InFlightGate) -> Int) -> MetricFamily {
            MetricFamily(name, .gauge, help, rows: gates.count) { row, out in
                out.sample(
                    name, .gauge, [("scope", gates[row].scope), ("name", gates[row].name)], "\(value(gates[row].gate))")
            }
        }
        return [
            family("sluice_in_flight_requests", "Requests in flight, where they are limited.") { $0.inFlight },
            family("sluice_in_flight_limit", "How many there may be.") { $0.limit.limit },
            family("sluice_queued_requests", "Requests that wait for their turn there.") { $0.waiting },
        ]
    }

    private var credentialFamilies: [MetricFamily] {
        let reports = credentialBoard?.reports ?? []
        func family(
            _ name: String, unit: String? = nil, _ help: String, _ value: @escaping (CredentialReport) -> Int?
        ) -> MetricFamily {
            let rows = reports.filter { value($0) != nil }
            return MetricFamily(name, .gauge, unit: unit, help, rows: rows.count) { row, out in
                let labels: MetricsText.Labels = [("credential", rows[row].name), ("kind", rows[row].kind)]
                if let value = value(rows[row]) { out.sample(name, .gauge, labels, "\(value)") }
            }
        }
        let vaults = corridor.generation.credentials
        func counter(_ name: String, _ help: String, _ value: @escaping (CredentialVault) -> Int) -> MetricFamily {
            MetricFamily(name, .counter, help, rows: vaults.count) { row, out in
                out.sample(
                    name, .counter, [("credential", vaults[row].name)], "\(value(vaults[row].vault))")
            }
        }
        let loop = corridor.loop
        // A token that is being renewed, or whose renewal fails, is shown until it expires.
        let usable = Dictionary(vaults.map { ($0.name, $0.vault.isUsable(at: loop.now, unix: loop.unixSeconds)) }) {
            first, _ in first
        }
        return [
            family("sluice_credential_ready", "1 while the credential can be shown.") {
                usable[$0.name] ?? ($0.state == .ready) ? 1 : 0
            },
            family("sluice_credential_failing", "1 while the last attempt to renew it has failed.") {
                $0.state == .failing ? 1 : 0
            },
            family("sluice_credential_sign_in_needed", "1 while somebody has to sign in.") {
                $0.state == .signInNeeded ? 1 : 0
            },
            family(
                "sluice_credential_obtained_timestamp_seconds", unit: "seconds", "When it was obtained, since 1970."
            ) { $0.obtainedAt },
            family(
                "sluice_credential_expiry_timestamp_seconds", unit: "seconds", "When it expires, since 1970."
            ) { $0.expiresAt },
            counter("sluice_credential_renewals", "Times that a secret came for it.") { $0.renewals },
            counter("sluice_credential_failures", "Times that it was found that none is to be had.") { $0.failures },
        ]
    }
}

extension MetricsText.Format {
    /// The format that a scraper prefers (RFC 9110 §12.5.1); the older one where it does not say.
    init(accepting fields: borrowing HeaderBlock) {
        var openMetrics = 0.0
        var plain = 0.0
        for index in 0..<fields.count where fields[index].id == .accept {
            var elements = ListIterator(fields.value(index), honoursQuotes: true)
            while let element = elements.next() {
                let parts = String(decoding: element, as: UTF8.self).lowercased().split(separator: ";")
                    .map { $0.filter { $0 != " " && $0 != "\t" } }
                let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
                switch parts.first {
                case "application/openmetrics-text"?: openMetrics = max(openMetrics, weight)
                case "text/plain"?, "text/*"?, "*/*"?: plain = max(plain, weight)
                default: break
                }
            }
        }
        self = openMetrics > 0 && openMetrics >= plain ? .openMetrics : .prometheus
    }
}

extension Exchange {
    func answerText(_ bytes: [UInt8], status: Int = 200, type: StaticString = "text/plain; charset=utf-8") {
        var fields = HeaderBlock()
        UnsafeRawBufferPointer.withBytes(of: type) { fields.append(.contentType, value: $0) }
        loop.date.withUnsafeBytes { fields.append(.date, value: $0) }
        fields.append(.cacheControl, "no-store")
        answer(status: status, reason: .empty, fields: fields, framing: .length(bytes.count))
        bytes.withUnsafeBytes { answerBody($0, lifetime: .call) }
        answerEnd()
    }
}
