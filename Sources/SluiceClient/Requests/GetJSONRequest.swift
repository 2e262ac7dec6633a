// A kind of content and a kind of answer at once.

public typealias GetStatusRequest = BodilessRequest & StatusResponseRequest
public typealias GetJSONRequest = BodilessRequest & JSONResponseRequest
public typealias GetStringRequest = BodilessRequest & StringResponseRequest
public typealias GetDataRequest = BodilessRequest & DataResponseRequest

public typealias JSONStatusRequest = JSONBodyRequest & StatusResponseRequest
public typealias JSONJSONRequest = JSONBodyRequest & JSONResponseRequest
public typealias JSONStringRequest = JSONBodyRequest & StringResponseRequest
public typealias JSONDataRequest = JSONBodyRequest & DataResponseRequest

public typealias StringStatusRequest = StringBodyRequest & StatusResponseRequest
public typealias StringJSONRequest = StringBodyRequest & JSONResponseRequest
public typealias StringStringRequest = StringBodyRequest & StringResponseRequest
public typealias StringDataRequest = StringBodyRequest & DataResponseRequest

public typealias DataStatusRequest = DataBodyRequest & StatusResponseRequest
public typealias DataJSONRequest = DataBodyRequest & JSONResponseRequest
public typealias DataStringRequest = DataBodyRequest & StringResponseRequest
public typealias DataDataRequest = DataBodyRequest & DataResponseRequest

public typealias MultipartStatusRequest = MultipartBodyRequest & StatusResponseRequest
public typealias MultipartJSONRequest = MultipartBodyRequest & JSONResponseRequest
public typealias MultipartStringRequest = MultipartBodyRequest & StringResponseRequest
public typealias MultipartDataRequest = MultipartBodyRequest & DataResponseRequest
