// Kinds of contents and of answers under the names that they have in Protoquest.

public typealias GetRequest = BodilessRequest
public typealias JSONEncodingRequest = JSONBodyRequest
public typealias StringEncodingRequest = StringBodyRequest
public typealias RawBodyRequest = DataBodyRequest
public typealias MultipartEncodingRequest = MultipartBodyRequest

public typealias JSONDecodingRequest = JSONResponseRequest
public typealias StringDecodingRequest = StringResponseRequest
public typealias RawDataRequest = DataResponseRequest
public typealias StatusCodeRequest = StatusResponseRequest

public typealias JSONStatusCodeRequest = JSONBodyRequest & StatusResponseRequest
