public import SluiceContract

/// The effective configuration as YAML: every default filled in, secrets redacted.
public enum Explain {
    /// Reads back as the same configuration, but for what was redacted.
    public static func yaml(_ configuration: Configuration) -> String {
        var writer = YAMLWriter()
        writer.key("drain", Quantity.text(configuration.drain))
        return writer.text
    }
}
