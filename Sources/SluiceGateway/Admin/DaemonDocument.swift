/// A document that the daemon makes about itself, because the gateway knows neither files nor their history. Made on
/// request, on the daemon's own thread.
public enum DaemonDocument: String, CaseIterable, Sendable {
    /// What is bound to what, for programs and people: parameters, types, samples.
    case bindings
    /// The configuration in force, with all defaults.
    case configuration
    /// The outcome of the start and of each reload.
    case reloads

    /// Its path on the admin socket.
    var path: String { "/" + rawValue }

    var contentType: StaticString { self == .configuration ? "text/yaml; charset=utf-8" : "application/json" }
}
