/// Bounds of `local-urls:`.
public enum LocalURLPaths {
    /// Paths and their parts: while a document is read, each is a bit.
    public static let partsMax = 64
}
