/// A header field of the request: nothing where the value is nil, one field for each element of a list.
///
/// Without a name of its own, `ifNoneMatch` is `If-None-Match`.
public typealias RequestHeader<Value: ParameterValue> = RequestParameter<InHeader, Value>
