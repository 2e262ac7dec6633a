/// What a property holds after its value was sent.
public enum RestAnswer: Sendable, Hashable {
    /// What the API answered; what was sent, where the answer is empty.
    case response
    /// What was sent: for an API that answers something else, such as a sign-in.
    case echo
}
