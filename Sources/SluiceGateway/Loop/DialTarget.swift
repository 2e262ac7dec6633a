public import SluiceContract

/// Where a link wants to be connected to.
public class DialTarget {
    /// Of its upstream.
    public final let settings: Upstream
    public final let origin: Upstream.Origin

    init(_ settings: Upstream, _ origin: Upstream.Origin) {
        self.settings = settings
        self.origin = origin
    }
}
