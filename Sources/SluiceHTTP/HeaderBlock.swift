internal import Glibc

/// Ordered list of fields over one flat byte storage.
///
/// Duplicates are kept; names keep their case and compare without regard to it (RFC 9110 §5.1, §5.3). A block is reused
/// without allocation: ``removeAll()`` keeps the capacity, ``releaseMemory()`` gives it back. Pointers handed out stay
/// valid until the next mutation. The accessors are inlinable: the corridor walks the fields several times for each
/// exchange, and a call would cost more than the accessor itself.
public struct HeaderBlock: ~Copyable {
    /// The place of one field in the storage; 16 bytes.
    public struct Field: Sendable {
        public var nameOffset: UInt32
        public var nameCount: UInt16
        public var id: FieldID
        /// Bit 0 is the mark: not forwarded.
        public var flags: UInt8
        public var valueOffset: UInt32
        public var valueCount: UInt32
    }

    @usableFromInline
    var storage: UnsafeMutableRawPointer?
    private var storageCapacity = 0
    @usableFromInline
    var fields: UnsafeMutablePointer<Field>?
    private var fieldCapacity = 0
    @usableFromInline
    var fieldCount = 0
    @usableFromInline
    var storageCount = 0

    public init() {}

    deinit {
        free(storage)
        free(fields)
    }

    /// Number of fields.
    @inlinable
    public var count: Int { fieldCount }

    /// Bytes of storage in use.
    @inlinable
    public var byteCount: Int { storageCount }
    /// The most bytes of a field's name.
    public static let nameBytesMax = Int(UInt16.max)

    @inlinable
    public subscript(index: Int) -> Field {
        precondition(index >= 0 && index < fieldCount, "no such field")
        return fields![index]
    }

    @inlinable
    public func name(_ index: Int) -> UnsafeRawBufferPointer {
        let field = self[index]
        return bytes(at: Int(field.nameOffset), count: Int(field.nameCount))
    }

    @inlinable
    public func value(_ index: Int) -> UnsafeRawBufferPointer {
        let field = self[index]
        return bytes(at: Int(field.valueOffset), count: Int(field.valueCount))
    }

    public mutating func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        append(FieldID(name: name), name: name, value: value)
    }

    /// Appends a field under its canonical name.
    public mutating func append(_ id: FieldID, value: UnsafeRawBufferPointer) {
        precondition(id != .other, "a field needs a name")
        append(id, name: UnsafeRawBufferPointer(id.canonicalName), value: value)
    }

    public mutating func append(_ id: FieldID, _ value: StaticString) {
        append(id, value: UnsafeRawBufferPointer(value))
    }

    public mutating func append(_ id: FieldID, text: String) {
        var text = text
        text.withUTF8 { append(id, value: UnsafeRawBufferPointer($0)) }
    }

    private mutating func append(_ id: FieldID, name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        precondition(name.count <= Self.nameBytesMax, "field name too long")
        let nameOffset = appendBytes(name)
        let valueOffset = appendBytes(value)
        appendField(
            Field(
                nameOffset: nameOffset, nameCount: UInt16(name.count), id: id, flags: 0, valueOffset: valueOffset,
                valueCount: UInt32(value.count)))
    }

    /// Takes over all fields of `other` with their marks, and all other bytes of its storage, at the same offsets.
    public mutating func copy(_ other: borrowing HeaderBlock) {
        removeAll()
        appendBytes(other.bytes(at: 0, count: other.byteCount))
        for index in 0..<other.count { appendField(other[index]) }
    }

    /// Sets the mark: the field is not forwarded.
    public mutating func mark(_ index: Int) {
        precondition(index >= 0 && index < fieldCount, "no such field")
        fields![index].flags |= 1
    }

    @inlinable
    public func isMarked(_ index: Int) -> Bool {
        self[index].flags & 1 != 0
    }

    /// Removes the fields for which `isUnwanted` returns true.
    public mutating func removeAll(where isUnwanted: (FieldID, _ name: UnsafeRawBufferPointer) -> Bool) {
        let base = storage
        removeFields { field in
            isUnwanted(
                field.id,
                UnsafeRawBufferPointer(start: base.map { $0 + Int(field.nameOffset) }, count: Int(field.nameCount)))
        }
    }

    /// Forgets the fields and their bytes, keeps the memory.
    public mutating func removeAll() {
        fieldCount = 0
        storageCount = 0
    }

    /// Forgets everything and gives the memory back.
    public mutating func releaseMemory() {
        removeAll()
        free(storage)
        storage = nil
        storageCapacity = 0
        free(fields)
        fields = nil
        fieldCapacity = 0
    }
}

// For the parsers and heads of this module, which add bytes and fields separately.
extension HeaderBlock {
    /// Bytes of the storage; they must have been appended.
    @inlinable
    func bytes(at offset: Int, count: Int) -> UnsafeRawBufferPointer {
        guard count > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        precondition(offset >= 0 && offset + count <= storageCount, "bytes outside of the block")
        return UnsafeRawBufferPointer(start: storage! + offset, count: count)
    }

    /// Copies bytes into the storage without making a field of them; returns their offset.
    @discardableResult
    mutating func appendBytes(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        let offset = byteCount
        guard let base = bytes.baseAddress, bytes.count > 0 else { return UInt32(offset) }
        if offset + bytes.count > storageCapacity { grow(to: offset + bytes.count) }
        (storage! + offset).copyMemory(from: base, byteCount: bytes.count)
        storageCount = offset + bytes.count
        return UInt32(offset)
    }

    /// Adds a field as a line of HTTP/1.1, the form in which most peers receive it (``lines(from:)``).
    mutating func appendLine(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        precondition(name.count <= Self.nameBytesMax, "field name too long")
        let nameOffset = storageCount
        let valueOffset = nameOffset + name.count + 2
        let end = valueOffset + value.count + 2
        if end > storageCapacity { grow(to: end) }
        if let base = name.baseAddress { (storage! + nameOffset).copyMemory(from: base, byteCount: name.count) }
        storage!.storeBytes(of: UInt16(0x203a).littleEndian, toByteOffset: valueOffset - 2, as: UInt16.self)
        if let base = value.baseAddress { (storage! + valueOffset).copyMemory(from: base, byteCount: value.count) }
        storage!.storeBytes(of: UInt16(0x0a0d).littleEndian, toByteOffset: end - 2, as: UInt16.self)
        storageCount = end
        appendField(
            Field(
                nameOffset: UInt32(nameOffset), nameCount: UInt16(name.count), id: FieldID(name: name), flags: 0,
                valueOffset: UInt32(valueOffset), valueCount: UInt32(value.count)))
    }

    /// Makes room for `count` bytes, so that appending them does not move the storage.
    mutating func reserveBytes(_ count: Int) {
        if storageCount + count > storageCapacity { grow(to: storageCount + count) }
    }

    /// Adds a field whose bytes are, or will be, in the storage.
    @inline(__always)
    mutating func appendField(_ field: Field) {
        if count == fieldCapacity { growFields() }
        (fields! + fieldCount).initialize(to: field)
        fieldCount += 1
    }

    /// Removes the fields for which `isUnwanted` returns true; the order and the bytes in the storage stay.
    mutating func removeFields(where isUnwanted: (Field) -> Bool) {
        var kept = 0
        for index in 0..<count where !isUnwanted(fields![index]) {
            fields![kept] = fields![index]
            kept += 1
        }
        fieldCount = kept
    }

    private mutating func grow(to needed: Int) {
        precondition(needed <= Int(UInt32.max), "header block too large")
        let capacity = max(512, max(needed, min(storageCapacity * 2, needed + (64 << 10))))
        storage = realloc(storage, capacity)
        precondition(storage != nil, "out of memory")
        storageCapacity = capacity
    }

    private mutating func growFields() {
        fieldCapacity = max(16, fieldCapacity * 2)
        let grown = realloc(fields, fieldCapacity * MemoryLayout<Field>.stride)
        precondition(grown != nil, "out of memory")
        fields = grown!.assumingMemoryBound(to: Field.self)
    }
}
