import SluiceContract

extension KeyStyle {
    /// The keys of a field in the input document and in the output.
    func keys(of field: ObjectType.Field, _ direction: Extraction.Direction) -> (in: String, out: String) {
        let (upstream, local) = keys(of: field)
        return direction == .fromUpstream ? (upstream, local) : (local, upstream)
    }
}
