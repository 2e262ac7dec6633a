import CSIMD
import CSIMDEmulated
import SluiceContract
import Testing

@testable import SluiceJSON

/// A set of vector instructions, as this machine has it or as plain C stands in for it: the text of every set is proven
/// on every machine.
struct Kernel: CustomTestStringConvertible, @unchecked Sendable {
    let functions: sluice_json_kernel
    let isEmulated: Bool

    var name: String { String(cString: functions.name) }
    var testDescription: String { isEmulated ? "\(name), emulated" : name }

    /// Those that this machine can run, the narrowest first.
    static let own = list(sluice_json_kernel_at, isEmulated: false)
    static let all = own + list(sluice_json_kernel_emulated_at, isEmulated: true)

    private static func list(
        _ at: (Int) -> UnsafePointer<sluice_json_kernel>?, isEmulated: Bool
    ) -> [Kernel] {
        var kernels: [Kernel] = []
        while let kernel = at(kernels.count) {
            kernels.append(Kernel(functions: kernel.pointee, isEmulated: isEmulated))
        }
        return kernels
    }

    func extractor(_ plan: Plan) -> Extractor { Extractor(plan, kernel: functions) }
}
