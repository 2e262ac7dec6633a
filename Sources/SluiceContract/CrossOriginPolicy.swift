/// Which pages of other origins may use a binding, and what they may see (`cors:`; the CORS protocol of the Fetch
/// standard).
public struct CrossOriginPolicy: Hashable, Sendable {
    public var origins: Origins
    /// Request fields that a page may send; nil allows whatever it asks for.
    public var headers: [String]?
    /// Response fields that a page may read beside the safelisted ones.
    public var expose: [String] = []
    /// Whether cookies and other credentials of the browser may come along.
    public var credentials = false
    /// How long a browser may remember the answer to a preflight.
    public var maxAge: Duration = .seconds(600)
    /// Whether a page of the public network may reach in here (`Access-Control-Allow-Private-Network`).
    public var privateNetwork = true

    public init(_ origins: Origins) {
        self.origins = origins
    }

    public enum Origins: Hashable, Sendable {
        case any
        /// `scheme://host[:port]` in lower case, without the scheme's usual port; or `null`.
        case list([String])
    }
}
