/// An item of the query: nothing where the value is nil, one for each element of a list.
public typealias QueryItem<Value: ParameterValue> = RequestParameter<InQuery, Value>
