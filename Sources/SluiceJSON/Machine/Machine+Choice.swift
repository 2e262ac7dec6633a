import CSIMD

/// Values that are one of several objects: looks ahead for which one it is.
extension Machine {
    /// The table of the object at `p`; nil if more of the object has to come first, so that its bytes have to be held.
    @inline(never)
    mutating func choose(_ p: BytePointer, _ node: UnsafeMutablePointer<Node>) -> Int32? {
        if peek.choice < 0 {
            peek.begin(node.pointee.choice, tables)
            if peek.advance(p, chunkEnd, tables, bytesMost: limits.choiceBytes) == nil {
                heldFrom = p
                return nil
            }
        }
        if peek.isTooFar { checker.refuseFar(peek, offset(of: p), limits.choiceBytes, frames) }
        let table = peek.table(tables)
        peek.end()
        return table
    }
}
