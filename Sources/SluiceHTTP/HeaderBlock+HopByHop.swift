extension HeaderBlock {
    /// Marks the hop-by-hop fields: every field that `Connection` names, and the fixed set (RFC 9110 §7.6.1).
    ///
    /// `Trailer` is end-to-end and stays; `Proxy-Authenticate` and `Proxy-Authorization` are decided by policy.
    public mutating func markConnectionNominated() {
        for index in 0..<count {
            switch self[index].id {
            case .connection:
                mark(index)
                markNominated(by: index)
            case .keepAlive, .proxyConnection, .te, .transferEncoding, .upgrade, .http2Settings: mark(index)
            default: break
            }
        }
    }

    /// Whether the `Connection` field at `index` names fields that are present and not hop-by-hop in any case.
    public func nominatesOthers(_ index: Int) -> Bool {
        var options = ListIterator(value(index))
        while let option = options.next() {
            for other in 0..<count where other != index && name(other).equalsIgnoringCase(option) {
                switch self[other].id {
                case .keepAlive, .proxyConnection, .te, .transferEncoding, .upgrade, .http2Settings, .trailer: break
                default: return true
                }
            }
        }
        return false
    }

    /// Marks the trailers that `Connection` in the head names: they are hop-by-hop too (RFC 9110 §7.6.1).
    public mutating func markNominated(by head: borrowing HeaderBlock) {
        for index in 0..<head.count where head[index].id == .connection {
            var options = ListIterator(head.value(index))
            while let option = options.next() { markAll(option) }
        }
    }

    /// Whether a `Connection` field names the field at `index`.
    public func isNominated(_ index: Int) -> Bool {
        for connection in 0..<count where self[connection].id == .connection {
            var options = ListIterator(value(connection))
            while let option = options.next() {
                if name(index).equalsIgnoringCase(option) { return true }
            }
        }
        return false
    }

    /// Marks the fields that hold only for the content as received, and not for content that replaces it
    /// (``FieldID/provesContent``).
    public mutating func markProofsOfContent() {
        for index in 0..<count where self[index].id.provesContent { mark(index) }
    }

    /// Marks every field of this kind.
    public mutating func markAll(_ id: FieldID) {
        for index in 0..<count where self[index].id == id { mark(index) }
    }

    /// Marks every field of this name.
    public mutating func markAll(_ wanted: UnsafeRawBufferPointer) {
        let id = FieldID(name: wanted)
        for index in 0..<count where self[index].id == id {
            if id != .other || name(index).equalsIgnoringCase(wanted) { mark(index) }
        }
    }

    /// Marks every field that some origins take for the field of this name (``FieldAlias``).
    public mutating func markAll(alike wanted: UnsafeRawBufferPointer) {
        for index in 0..<count where FieldAlias.isSame(name(index), wanted) { mark(index) }
    }

    /// Marks `X-Forwarded-*` fields that have no ``FieldID``, and aliases of fields that the gateway itself sets.
    public mutating func markForwarded() {
        for index in 0..<count where self[index].id == .other {
            if FieldAlias.isAlias(name(index)) || FieldAlias.isForwarded(name(index)) { mark(index) }
        }
    }

    private mutating func markNominated(by connection: Int) {
        var options = ListIterator(value(connection))
        while let option = options.next() { markAll(option) }
    }
}
