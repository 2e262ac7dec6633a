/// The version of the project.
public enum SluiceVersion {
    public static let text = "0.2.0"
}
