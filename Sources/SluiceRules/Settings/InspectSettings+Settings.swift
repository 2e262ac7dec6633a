public import SluiceContract

extension InspectSettings: Layered {
    public static let usual = InspectSettings()

    /// A longer list is of no use.
    private static let lastMax = 1000
    /// Secrets are looked for in all of it, on the event loop.
    private static let bodyBytesMax = 64 << 10

    public static let settings: [Setting<InspectSettings>] = [
        .count("last", \.last, in: 1...lastMax, "How many exchanges are kept"),
        .size("bodies", \.bodyBytes, in: 0...bodyBytesMax, "How much of each body is kept"),
    ]
}
