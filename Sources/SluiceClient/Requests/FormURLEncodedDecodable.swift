/// A body that is a form, whatever its answer calls it.
public protocol FormURLEncodedDecodable: Decodable {}
