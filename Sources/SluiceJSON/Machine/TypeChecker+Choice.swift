import CSIMD

extension TypeChecker {
    /// Reports that the keys that tell the object's alternatives apart have not come within the limit.
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
