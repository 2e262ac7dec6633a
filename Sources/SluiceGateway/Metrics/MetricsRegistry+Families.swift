internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// The counters of the loops, as metric families.
extension MetricsRegistry {
    var families: [MetricFamily] {
        bindingFamilies + driftFamily + upstreamFamilies + endpointFamilies + loopFamilies + traceFamilies
    }

    /// A name, and its slabs on all loops.
    private typealias Row = (name: String, slabs: [CounterSlab])

    private func rows(_ subject: Subject, used: (([CounterSlab]) -> Bool)? = nil) -> [Row] {
        entries(subject).filter { !$0.isOfParts(subject) }.map { (name: $0.name, slabs: $0.all) }
            .filter { used?($0.slabs) ?? true }
    }

    // MARK: - Bindings

    private var bindingFamilies: [MetricFamily] {
        let rows = rows(.binding)
        let buckets = buckets
        let times: [(String, String, Int)] = [
            (
                "sluice_request_duration_seconds", "Time from a request's head to the end of its answer.",
                BindingCells.wholeTime
            ),
            (
                "sluice_request_gateway_duration_seconds",
                "The part of it that no upstream was at work: queues, connecting, waits before retries, bodies.",
                BindingCells.gatewayTime(buckets)
            ),
            (
                "sluice_request_upstream_duration_seconds",
                "The part of it that upstreams were at work, where one was asked.", BindingCells.upstreamTime(buckets)
            ),
        ]
        let counts: [MetricFamily] = [
            MetricFamily("sluice_requests", .counter, "Finished requests.", rows: rows.count) { row, out in
                Self.writeRequests(rows[row], &out)
            },
            Self.counter(
                "sluice_request_body_bytes", unit: "bytes", "Bytes of requests' bodies.", rows,
                BindingCells.receivedBytes),
            Self.counter(
                "sluice_answer_body_bytes", unit: "bytes", "Bytes of answers' bodies.", rows, BindingCells.sentBytes),
            MetricFamily(
                "sluice_part_requests", .counter,
                "Requests that composed answers have made of bindings, by what came of them.", rows: rows.count
            ) { row, out in
                for (outcome, cell) in [("answered", BindingCells.parts), ("failed", BindingCells.failedParts)] {
                    let count = rows[row].slabs.sum(cell)
                    if count == 0 { continue }
                    out.sample(
                        "sluice_part_requests", .counter, [("binding", rows[row].name), ("outcome", outcome)],
                        "\(count)")
                }
            },
            MetricFamily("sluice_problems", .counter, "Requests that ended in a problem.", rows: rows.count) {
                row, out in
                for kind in Problem.Kind.allCases {
                    let count = rows[row].slabs.sum(BindingCells.problem(kind))
                    if count == 0 { continue }
                    out.sample(
                        "sluice_problems", .counter, [("binding", rows[row].name), ("kind", kind.rawValue)], "\(count)")
                }
            },
            MetricFamily(
                "sluice_cache_requests", .counter, "Requests to bindings with a cache, by what it did with them.",
                rows: rows.count
            ) { row, out in Self.writeCache(rows[row], &out) },
        ]
        let exemplars = exemplars
        let histograms = times.map { name, help, cell in
            MetricFamily(name, .histogram, unit: "seconds", help, rows: rows.count) { row, out in
                let known = cell == BindingCells.wholeTime ? exemplars.all(of: rows[row].name) : []
                Self.write(name, [("binding", rows[row].name)], rows[row].slabs, buckets, at: cell, &out, known)
            }
        }
        return counts + watchFamilies(rows) + histograms
    }

    private func watchFamilies(_ rows: [Row]) -> [MetricFamily] {
        let polls = MetricFamily(
            "sluice_watch_polls", .counter, "Requests for those who watch, by what came of them.", rows: rows.count
        ) { row, out in
            for (outcome, cell) in [("answered", BindingCells.polls), ("failed", BindingCells.failedPolls)] {
                let count = rows[row].slabs.sum(cell)
                if count == 0 { continue }
                out.sample(
                    "sluice_watch_polls", .counter, [("binding", rows[row].name), ("outcome", outcome)], "\(count)")
            }
        }
        return [
            polls, Self.counter("sluice_watch_events", "Events that they were told.", rows, BindingCells.watchEvents),
            Self.counter(
                "sluice_watch_changes_skipped", "Changes that they were not told by themselves, being behind.", rows,
                BindingCells.skippedChanges),
        ]
    }

    private static func writeRequests(_ row: Row, _ out: inout MetricsText) {
        for method in Method.allCases {
            for digit in 0..<BindingCells.classCount {
                let count = row.slabs.sum(BindingCells.requests(method, status: digit * 100))
                if count == 0 { continue }
                let name = method == .other ? "other" : method.name.description
                out.sample(
                    "sluice_requests", .counter,
                    [("binding", row.name), ("method", name), ("status", digit == 0 ? "none" : "\(digit)xx")],
                    "\(count)")
            }
        }
    }

    private static func writeCache(_ row: Row, _ out: inout MetricsText) {
        let reasons = Reuse.Reason.allCases.map { ($0.rawValue, BindingCells.forwarded($0)) }
        for (outcome, cell) in [("hit", BindingCells.hits)] + reasons + [("collapsed", BindingCells.collapsed)] {
            let count = row.slabs.sum(cell)
            if count == 0 { continue }
            out.sample(
                "sluice_cache_requests", .counter, [("binding", row.name), ("outcome", outcome)], "\(count)")
        }
    }

    private var driftFamily: [MetricFamily] {
        let all = drift.all.filter { $0.finding.kind == .fault }
        return [
            MetricFamily(
                "sluice_type_faults", .counter, "Values of upstreams that are not of their declared type.",
                rows: all.count
            ) { row, out in
                out.sample(
                    "sluice_type_faults", .counter, [("binding", all[row].binding), ("path", all[row].path)],
                    "\(all[row].finding.count)")
            }
        ]
    }

    // MARK: - Upstreams

    private var upstreamFamilies: [MetricFamily] {
        let rows = rows(.upstream)
        let buckets = buckets
        let time = "sluice_upstream_attempt_duration_seconds"
        let counters: [(String, String, Int)] = [
            ("sluice_upstream_retries", "Attempts after one that failed.", UpstreamCells.retries),
            ("sluice_upstream_hedges", "Attempts beside one that took long.", UpstreamCells.hedges),
            (
                "sluice_upstream_retries_refused", "Retries that the budget did not pay for.",
                UpstreamCells.refusedRetries
            ),
            ("sluice_upstream_connections_dialled", "Connections that were opened.", UpstreamCells.dialled),
            (
                "sluice_upstream_connections_reused", "Requests that found a connection with room.",
                UpstreamCells.reused
            ),
        ]
        let attempts: [MetricFamily] = [
            MetricFamily("sluice_upstream_attempts", .counter, "Attempts at upstreams.", rows: rows.count) { row, out in
                for outcome in UpstreamCells.Outcome.allCases {
                    let count = rows[row].slabs.sum(outcome.rawValue)
                    if count == 0 { continue }
                    out.sample(
                        "sluice_upstream_attempts", .counter,
                        [("upstream", rows[row].name), ("outcome", outcome.label)], "\(count)")
                }
            },
            MetricFamily(
                time, .histogram, unit: "seconds", "Time from a request's departure to the end of its answer.",
                rows: rows.count
            ) { row, out in
                Self.write(time, [("upstream", rows[row].name)], rows[row].slabs, buckets, at: UpstreamCells.time, &out)
            },
        ]
        let counts = counters.map { Self.counter($0.0, label: "upstream", $0.1, rows, $0.2) }
        return attempts + counts + connectionFamilies(rows)
    }

    private func connectionFamilies(_ rows: [Row]) -> [MetricFamily] {
        let gauges = [
            ("sluice_upstream_waiting_requests", "Requests that wait for a connection.", UpstreamCells.waiting),
            ("sluice_upstream_streams", "Requests under way over HTTP/2.", UpstreamCells.streams),
            ("sluice_upstream_retry_budget", "Retries that the budget would pay for now.", UpstreamCells.budget),
        ]
        let states = [("idle", UpstreamCells.idleConnections), ("busy", UpstreamCells.busyConnections)]
        let connections: [MetricFamily] = [
            MetricFamily("sluice_upstream_connections", .gauge, "Open connections.", rows: rows.count) { row, out in
                for (state, cell) in states {
                    out.sample(
                        "sluice_upstream_connections", .gauge, [("upstream", rows[row].name), ("state", state)],
                        "\(rows[row].slabs.sum(cell))")
                }
            }
        ]
        return connections + gauges.map { Self.gauge($0.0, label: "upstream", $0.1, rows, $0.2) }
    }

    private var endpointFamilies: [MetricFamily] {
        let rows = rows(.endpoint) { $0.sum(EndpointCells.present) > 0 }
        let gauges = [
            ("sluice_endpoint_loops", "Event loops that serve the endpoint.", EndpointCells.present),
            ("sluice_endpoint_loops_well", "Event loops whose next request may go there.", EndpointCells.well),
            ("sluice_endpoint_loops_open", "Event loops whose circuit breaker is not closed.", EndpointCells.open),
            ("sluice_endpoint_loops_down", "Event loops whose health checks find it unwell.", EndpointCells.down),
        ]
        return gauges.map { name, help, cell in
            MetricFamily(name, .gauge, help, rows: rows.count) { row, out in
                let parts = rows[row].name.split(separator: " ", maxSplits: 1)
                out.sample(
                    name, .gauge,
                    [("upstream", String(parts[0])), ("endpoint", parts.count > 1 ? String(parts[1]) : "")],
                    "\(rows[row].slabs.sum(cell))")
            }
        }
    }

    // MARK: - Loops

    private var loopFamilies: [MetricFamily] {
        let rows = rows(.loop)
        let turns = "sluice_loop_turn_duration_seconds"
        let bounds = turnBuckets
        let gauges = [
            ("sluice_exchanges", "Requests under way.", LoopCells.exchanges),
            ("sluice_cache_fills", "Answers on their way into the cache.", LoopCells.fills),
            ("sluice_watchers", "Clients that watch a value.", LoopCells.watchers),
            ("sluice_watched_values", "Values that are watched, or have been a minute ago.", LoopCells.watched),
            (
                "sluice_loop_upstream_connections", "Connections to upstreams, probes included.",
                LoopCells.upstreamConnections
            ),
        ]
        let own: [MetricFamily] = [
            MetricFamily(
                turns, .histogram, unit: "seconds",
                "Time between two waits of an event loop: its sum is how long the loop was busy, and as long as a turn "
                    + "waits what comes during it.", rows: rows.count
            ) { row, out in
                Self.write(turns, [("loop", rows[row].name)], rows[row].slabs, bounds, at: LoopCells.turns, &out)
            },
            Self.counter(
                "sluice_client_connections_accepted", label: "loop", "Clients' connections.", rows, LoopCells.accepted),
            Self.counter(
                "sluice_client_connections_http2", label: "loop", "Of these, those that spoke HTTP/2.", rows,
                LoopCells.acceptedHTTP2),
            Self.counter(
                "sluice_unlisted_values", label: "loop", "Values that the open set they belong to does not have.", rows,
                LoopCells.unlistedValues),
            MetricFamily("sluice_client_connections", .gauge, "Clients' open connections.", rows: rows.count) {
                row, out in
                let http2 = rows[row].slabs.sum(LoopCells.connectionsHTTP2)
                let all = max(rows[row].slabs.sum(LoopCells.connections), http2)
                for (name, count) in [("http/1.1", all - http2), ("h2", http2)] {
                    out.sample(
                        "sluice_client_connections", .gauge, [("loop", rows[row].name), ("protocol", name)], "\(count)")
                }
            },
            Self.gauge(
                "sluice_waiting_bytes", label: "loop", unit: "bytes", "Bytes that wait for slow readers.", rows,
                LoopCells.waitingBytes),
        ]
        return own + gauges.map { Self.gauge($0.0, label: "loop", $0.1, rows, $0.2) }
    }

    // MARK: - Traces

    private var traceFamilies: [MetricFamily] {
        let lost = TraceTally.Loss.allCases.map { (reason: $0.rawValue, count: traces.lostCount($0)) }
        return [
            MetricFamily(
                "sluice_trace_spans_exported", .counter, "Spans that the collector has taken.",
                "\(traces.exportedCount)"),
            MetricFamily(
                "sluice_trace_spans_dropped", .counter, "Spans that it has not, and that are gone.", rows: lost.count
            ) { row, out in
                out.sample(
                    "sluice_trace_spans_dropped", .counter, [("reason", lost[row].reason)], "\(lost[row].count)")
            },
        ]
    }

    // MARK: - Rows

    private static func counter(
        _ name: String, label: StaticString = "binding", unit: String? = nil, _ help: String, _ rows: [Row], _ cell: Int
    ) -> MetricFamily {
        MetricFamily(name, .counter, unit: unit, help, rows: rows.count) { row, out in
            out.sample(name, .counter, [(label, rows[row].name)], "\(rows[row].slabs.sum(cell))")
        }
    }

    private static func gauge(
        _ name: String, label: StaticString, unit: String? = nil, _ help: String, _ rows: [Row], _ cell: Int
    ) -> MetricFamily {
        MetricFamily(name, .gauge, unit: unit, help, rows: rows.count) { row, out in
            out.sample(name, .gauge, [(label, rows[row].name)], "\(rows[row].slabs.sum(cell))")
        }
    }

    /// Writes a histogram, unless all its counts are 0.
    private static func write(
        _ name: String, _ labels: MetricsText.Labels, _ slabs: [CounterSlab], _ buckets: TimeBuckets, at cell: Int,
        _ out: inout MetricsText, _ exemplars: [Exemplars.Exemplar?] = []
    ) {
        let bounds = buckets.all
        let counts = (0...bounds.count).map { slabs.sum(cell + 1 + $0) }
        if counts.allSatisfy({ $0 == 0 }) { return }
        out.histogram(
            name, labels, bounds: bounds, counts: counts, sum: slabs.sum(cell), exemplars: exemplars)
    }
}
