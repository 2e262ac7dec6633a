extension Binding {
    /// Whether requests by some of its methods have content (RFC 9110 §9.3.1, §9.3.2).
    package var takesContent: Bool { methods.isEmpty || !Set(methods).isSubset(of: ["GET", "HEAD"]) }
}
