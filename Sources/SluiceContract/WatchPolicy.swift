/// `watch:` of a binding: clients that ask for `text/event-stream` are told its value now, and each change of it.
public struct WatchPolicy: Hashable, Sendable {
    /// How long the upstream is left alone between two questions, while all is well.
    public var every: Duration = .seconds(10)
    /// What a change is told as.
    public var send: Form = .whole
    /// What is told beside the value, as it happens.
    public var states: [State] = State.allCases
    /// A silence after which a comment shows that the stream is alive.
    public var heartbeat: Duration = .seconds(15)
    /// What the wait after failures does not grow beyond.
    public var backoffMax: Duration = .seconds(300)
    /// Changes that are kept for clients that come back.
    public var history: Int = 100
    /// Path of an event stream of the same upstream; each of its events asks for the value anew.
    public var from: String?
    /// The events of that stream that do; nil is each of them.
    public var event: String?

    public init() {}

    /// How a change is told.
    public enum Form: String, Hashable, Sendable, CaseIterable {
        /// By the new value.
        case whole
        /// RFC 7396.
        case mergePatch = "merge-patch"
        /// RFC 6902.
        case jsonPatch = "json-patch"
    }

    /// How the resource is, beside its value.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// There is no value yet.
        case loading
        /// The upstream was asked, and the value is the same.
        case notModified = "not-modified"
        /// The value is older than it should be.
        case stale
        /// The upstream could not be asked, or has no such value.
        case problem
    }
}

extension Binding {
    /// The binding of the event stream that tells of changes, where `watch:` names one: it is asked with the same
    /// path, and passes through.
    public var watchFeed: Binding? {
        // No upstream event changes what a fixture answers.
        guard let text = watch?.from, composition == nil, fixture == nil, let path = try? PathTemplate(text) else {
            return nil
        }
        var feed = self
        feed.methods = ["GET"]
        feed.upstreamMethod = nil
        feed.upstreamPath = path
        let names = path.placeholders + self.path.placeholders
        feed.parameters = parameters.filter { names.contains($0.name) || names.contains($0.upstreamName ?? $0.name) }
        feed.unknownParameters = .drop
        feed.body = .passThrough
        feed.wrap = []
        (feed.graphQL, feed.parent, feed.value, feed.valueByStatus) = (nil, nil, nil, [:])
        (feed.rows, feed.pages, feed.localURLs, feed.defaultJSON) = (nil, nil, [], nil)
        (feed.cache, feed.hedge, feed.compression, feed.watch) = (nil, nil, nil, nil)
        (feed.concurrency, feed.fixtures) = (nil, [])
        (feed.early, feed.idempotencyKey, feed.keep, feed.answer) = (false, nil, nil, .response)
        return feed
    }
}
