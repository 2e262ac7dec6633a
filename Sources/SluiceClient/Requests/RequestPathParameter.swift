/// What stands at a place of the path: one segment, whatever characters it has.
///
/// Without a name of its own it is called like the property; the path may write that in either way (``KeyCoding``).
public typealias RequestPathParameter<Value: ParameterValue> = RequestParameter<InPath, Value>
