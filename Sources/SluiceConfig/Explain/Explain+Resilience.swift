import SluiceContract

extension Explain {
    /// What an upstream says of endpoints that fail.
    static func resilience(_ upstream: Upstream, _ writer: inout YAMLWriter) {
        if let breaker = upstream.breaker {
            writer.mapping("breaker") { writer in
                writer.raw("failures", String(breaker.failures))
                writer.key("errors", "\(breaker.errorPercent)%")
                writer.raw("requests", String(breaker.requestsMin))
                writer.key("window", Quantity.text(breaker.window))
                writer.key("rest", Quantity.text(breaker.rest))
                writer.key("rest-max", Quantity.text(breaker.restMax))
                writer.key("slow-start", Quantity.text(breaker.slowStart))
                if !breaker.refuses { writer.key("resting-max", "\(breaker.restingPercentMax)%") }
                writer.raw("refuse", String(breaker.refuses))
            }
        }
        if let health = upstream.health {
            writer.mapping("health") { writer in
                writer.key("path", health.path)
                writer.key("every", Quantity.text(health.every))
                writer.key("timeout", Quantity.text(health.timeout))
                writer.raw("healthy", String(health.healthy))
                writer.raw("unhealthy", String(health.unhealthy))
            }
        }
        writer.mapping("retry-budget") { writer in
            writer.key("share", "\(upstream.retryBudget.sharePercent)%")
            writer.raw("per-second", String(upstream.retryBudget.perSecond))
        }
    }

    /// What a binding says of requests that fail or take long.
    static func resilience(_ binding: Binding, _ writer: inout YAMLWriter) {
        if let retry = binding.retry {
            if retry == .off {
                writer.raw("retry", "false")
            } else {
                writer.mapping("retry") { writer in
                    writer.raw("attempts", String(retry.attempts))
                    writer.raw("on", "[\(RetrySection.text(retry.on))]")
                    writer.key("backoff", Quantity.text(retry.backoff))
                    writer.key("backoff-max", Quantity.text(retry.backoffMax))
                    writer.key("body-max", Quantity.text(bytes: retry.bodyBytesMax))
                }
            }
        }
        if let hedge = binding.hedge { writer.key("hedge", HedgeSection.text(hedge)) }
    }
}
