extension JSONBodyRequest where Body == Self {
    /// A request that is `Encodable` and has no `body` is its own: its properties are the members.
    public var body: Self { self }
}
