/// What a program declares of a bound property.
public struct RestDeclaration: Sendable, Hashable {
    /// The local path, as it was written, with places for parameters: `fruits/{id}`.
    public var path: String
    /// What the places of the path are filled with; all others are items of the query.
    public var params: QueryItems
    /// Whether the upstream's credential goes with it. The gateway holds and sends it; a program never does. Without,
    /// a call is one before there is a credential: a sign-in, whose answer is the gateway's to keep.
    public var bearer: Bool
    /// What is held after a value was sent.
    public var answer: RestAnswer
    /// What a gateway made of the property serves; GET and POST where the program says nothing. A client may try any.
    public var methods: Set<HTTPMethod>
    /// POST is among the methods though the program did not say so, and a credential goes with it.
    package let isPostUnasked: Bool

    init(path: String, params: QueryItems, bearer: Bool, answer: RestAnswer?, methods: Set<HTTPMethod>?) {
        self.path = path
        self.params = params
        self.bearer = bearer
        self.answer = answer ?? (bearer ? .response : .echo)
        self.methods = methods ?? [.get, .post]
        isPostUnasked = methods == nil && bearer
    }
}
