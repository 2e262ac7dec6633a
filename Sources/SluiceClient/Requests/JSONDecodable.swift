/// A body that is JSON, whatever its answer calls it.
public protocol JSONDecodable: Decodable {}
