/// A body that is a text, in the charset that its answer says.
public typealias PlainDecodable = String
