import SluiceContract

/// `cache:` of a binding.
enum CacheSection {
    static let section = Section(
        name: "cache", summary: "What is stored, and for how long",
        keys: [
            .init("fresh", .duration, default: "as the upstream says", "How long an answer is fresh"),
            .init(
                "stale-while-revalidate", .duration, default: "as the upstream says",
                "How long a stale answer is served while a new one is fetched (RFC 5861)"),
            .init(
                "stale-if-error", .duration, default: "as the upstream says",
                "How long a stale answer is served where the upstream fails (RFC 5861)"),
            .init("retry-after-error", .duration, "How long an error is answered without asking again"),
            .init("vary", .oneOrMany(.text()), default: "[]", "Request fields that select among stored answers"),
            .init("key", .oneOrMany(.text()), default: "all parameters", "Parameters that make the cache key"),
            .init("private", .flag, default: "false", "Whether each client has its own entries"),
            .init("tags", .oneOrMany(.text()), default: "[]", "Names for purging"),
        ])

    static let shape = Shape.either([.section(section), .choice(["false"])])

    /// - Returns: nil where the node is wrong; `.some(nil)` where `cache: false` switches an inherited policy off.
    static func read(_ node: SourceNode, _ desk: Desk, base: CachePolicy?) -> CachePolicy?? {
        if ["false", "no", "off"].contains(node.text) { return .some(nil) }
        guard node.entries != nil || node.isNull else {
            desk.findings.mistake(
                at: node.place, "\(node.kind) is no cache policy", expected: "a mapping such as {fresh: 60s}, or false",
                suggestion: ["true", "yes", "on"].contains(node.text)
                    ? .advice("write {} to do what the upstream's answers say")
                    : node.text.flatMap(Quantity.nearestDuration).map { .didYouMean("{fresh: \($0)}") })
            return nil
        }
        var policy = base ?? CachePolicy()
        Fields.read(node, section, desk) { fields in
            fields.set("fresh", &policy.fresh, desk.duration)
            fields.set("stale-while-revalidate", &policy.staleWhileRevalidate, desk.duration)
            fields.set("stale-if-error", &policy.staleIfError, desk.duration)
            fields.set("retry-after-error", &policy.retryAfterError, desk.duration)
            fields.set("private", &policy.isPrivate, desk.flag)
            fields.set("vary", &policy.vary) { node in
                desk.items(node).compactMap { item in
                    guard let name = desk.text(item, what: "a field name") else { return nil }
                    guard Name.isToken(name), name != "*" else {
                        desk.findings.mistake(at: item.place, "'\(name)' is no field name", expected: "a field name")
                        return nil
                    }
                    return name
                }
            }
            fields.set("key", &policy.key) { node in
                desk.items(node).compactMap { desk.text($0, what: "a parameter's name") }
            }
            fields.set("tags", &policy.tags) { node in
                desk.items(node).compactMap { desk.text($0, what: "a tag") }
            }
        }
        return .some(policy)
    }
}
