import CSIMD

/// Values that are one of several objects: which one is looked for ahead. Where the chunk ends before it is known, the
/// bytes from the object on are held, and gone over once it is.
extension Machine {
    /// Bytes of the document that are held, and the memory of those that have been gone over in this call: pieces may
    /// point into it.
    struct Held {
        var bytes = ByteBuffer()
        private var old: [ByteBuffer] = []

        /// The bytes, to be gone over.
        mutating func take() -> ByteBuffer {
            let taken = bytes
            old.append(taken)
            bytes = ByteBuffer()
            return taken
        }

        mutating func forgetOld() {
            if old.isEmpty { return }
            for buffer in old { buffer.deallocate() }
            old.removeAll()
        }

        mutating func removeAll() {
            forgetOld()
            bytes.removeAll()
        }

        func deallocate() {
            bytes.deallocate()
            for buffer in old { buffer.deallocate() }
        }
    }

    /// The table of the object at `p`; nil where more of it has to come.
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

    /// Goes over what is held as far as it is decided.
    mutating func runHeld() {
        let bytes = held.take()
        guard let base = bytes.base else { return }
        runChunk(BytePointer(base), bytes.count)
    }

    /// Nothing more will come that could tell.
    mutating func giveUpPeeking() {
        while position == .held {
            peek.giveUp()
            runHeld()
        }
    }
}

extension TypeChecker {
    /// What tells the object's alternatives apart has not come early enough.
    mutating func refuseFar(_ peek: ObjectPeek, _ offset: Int, _ bytesMost: Int, _ frames: FrameStack) {
        let choice = tables.choices[Int(peek.choice)]
        let name = path(frames, through: frames.count)
        for (index, number) in choice.choosers.indices.enumerated() where peek.isWanting(index) {
            let chooser = tables.choosers[number]
            let expected = "\(faults.expectations[Int(chooser.sought)]) in the first \(bytesMost) bytes"
            var slices = chooser.slices
            while slices != 0 {
                faults.add(slices.trailingZeroBitCount, name, expected, "an object without it there", offset)
                slices &= slices &- 1
            }
        }
    }
}
