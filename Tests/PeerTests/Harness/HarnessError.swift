/// Why a test could not go on; the subject of a test never throws this.
struct HarnessError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// How long anything is waited for before the test is given up; no test measures time by it.
enum Patience {
    static let seconds = 15
    static let milliseconds = Int32(seconds * 1000)
}
