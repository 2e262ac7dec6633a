/// What the daemon around the gateway tells of itself, and the gateway cannot: it knows neither files nor their
/// history. Made when somebody asks, on the daemon's own thread.
public enum DaemonDocument: String, CaseIterable, Sendable {
    /// What is bound to what, for programs and people: parameters, types, samples.
    case bindings
    /// The configuration in force, with all defaults.
    case configuration
    /// What became of the start and of each reload.
    case reloads

    /// Where the admin socket has it.
    var path: String { "/" + rawValue }

    var contentType: StaticString { self == .configuration ? "text/yaml; charset=utf-8" : "application/json" }
}
