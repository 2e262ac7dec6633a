/// Invalidations of this gateway that the server has not heard of, as indices of ``SharedMarks``. They stay on record
/// until the server has answered, so that one made while it was away is told even by the process after this one.
struct UntoldMarks {
    private var indices: Set<Int>
    private let record: (@Sendable (_ index: Int, _ isUntold: Bool) -> Void)?

    /// - Parameters:
    ///   - indices: what an earlier process has not told the server.
    ///   - record: called with each change; nil where nothing is kept over a restart.
    init(_ indices: Set<Int> = [], record: (@Sendable (_ index: Int, _ isUntold: Bool) -> Void)? = nil) {
        self.indices = indices
        self.record = record
    }

    var count: Int { indices.count }
    var isEmpty: Bool { indices.isEmpty }
    /// Whether the indices are kept over a restart.
    var isRecorded: Bool { record != nil }

    func contains(_ index: Int) -> Bool { indices.contains(index) }

    mutating func insert(_ index: Int) {
        if indices.insert(index).inserted { record?(index, true) }
    }

    /// Takes all indices, to tell the server; they stay on record.
    mutating func take() -> Set<Int> {
        defer { indices = [] }
        return indices
    }

    /// Puts indices back that could not be told.
    mutating func giveBack(_ taken: Set<Int>) { indices.formUnion(taken) }

    /// The taken indices have been told. Those added again meanwhile have not.
    func told(_ taken: Set<Int>) {
        for index in taken where !indices.contains(index) { record?(index, false) }
    }
}
