import SluiceContract

/// `health:` of an upstream.
enum HealthSection {
    private static let model = HealthPolicy(path: "/")

    static let section = Section(
        name: "upstream.health", summary: "How endpoints are asked whether they are well",
        keys: [
            .required("path", .text(pattern: "^/"), "Path of the question, from the root of the host"),
            .init("every", .duration, default: Quantity.text(model.every), "How often each event loop asks"),
            .init(
                "timeout", .duration, default: Quantity.text(model.timeout), "For connection and answer together"),
            .init(
                "healthy", .integer(1...100), default: String(model.healthy),
                "Answers of 2xx or 3xx in a row that bring an endpoint back"),
            .init(
                "unhealthy", .integer(1...100), default: String(model.unhealthy),
                "Failures in a row that take it out"),
        ], bareKey: "path")

    static func read(_ node: SourceNode, _ desk: Desk) -> HealthPolicy? {
        var policy = model
        Fields.read(node, section, desk) { fields in
            if let node = fields.required("path"), let path = desk.text(node, what: "a path") {
                let isPath =
                    path.hasPrefix("/") && path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "#") }
                if isPath {
                    policy.path = path
                } else {
                    desk.findings.mistake(at: node.place, "'\(path)' is no path", expected: "a path such as /healthz")
                }
            }
            fields.set("every", &policy.every, desk.wait)
            fields.set("timeout", &policy.timeout, desk.wait)
            fields.set("healthy", &policy.healthy) { desk.integer($0, in: 1...100) }
            fields.set("unhealthy", &policy.unhealthy) { desk.integer($0, in: 1...100) }
        }
        return policy
    }
}
