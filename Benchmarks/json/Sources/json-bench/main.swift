import CPeers
import CSIMD
import CSIMDReplay
import Foundation
import SluiceContract
import SluiceJSON

// Prints GB/s of this thread's CPU time, the best of several rounds in which the contestants take turns.
//
//     json-bench [--kernel KERNEL] FOLDER [NAME [CONTESTANT [SECONDS]]]
//     json-bench --record FILE FOLDER NAME CONTESTANT
//     json-bench --passes COUNT FOLDER NAME CONTESTANT
//
// FOLDER holds twitter.json, citm_catalog.json, github_events.json, update-center.json, apache_builds.json and
// canada.json. With NAME only documents whose names begin so are run; with CONTESTANT that one alone is run, for four
// seconds or so many, for a profiler.
// KERNEL is a set of instructions that this machine has; without it, it is the widest. With --record, what two passes
// ask of the kernel is written down, for `instructions`. With --passes the document is gone through so many times: the
// difference between two counts of instructions is what a pass costs.

func usage() -> Never {
    print("usage: json-bench [--kernel KERNEL] FOLDER [NAME [CONTESTANT [SECONDS]]]")
    print("       json-bench --record FILE FOLDER NAME CONTESTANT")
    print("       json-bench --passes COUNT FOLDER NAME CONTESTANT")
    exit(64)
}

var arguments = CommandLine.arguments
var kernel = sluice_json_kernel_widest().pointee
if arguments.count > 2, arguments[1] == "--kernel" {
    var number = 0
    while let next = sluice_json_kernel_at(number), String(cString: next.pointee.name) != arguments[2] { number += 1 }
    guard let chosen = sluice_json_kernel_at(number) else { usage() }
    kernel = chosen.pointee
    // The peer takes the same.
    let names = ["avx2": "haswell", "sse2": "westmere", "none": "fallback"]
    if let name = names[arguments[2]], !peers_simdjson_choose(name) { usage() }
    arguments.removeSubrange(1...2)
}
if arguments.count == 6, arguments[1] == "--record" {
    // AVX2's, because templates are AVX-512's alone.
    guard
        let number = (0..<4).first(where: { number in
            sluice_json_kernel_at(number).map { String(cString: $0.pointee.name) == "avx2" } ?? false
        }), let reference = sluice_json_kernel_at(number), sluice_replay_begin(arguments[2], reference)
    else { usage() }
    kernel = sluice_replay_kernel()
    let workloads = try Workloads.all(in: URL(fileURLWithPath: arguments[3])) { $0 == arguments[4] }
    guard let workload = workloads.first else { usage() }
    try Contest(workload, kernel).record(arguments[5])
    exit(sluice_replay_end() ? 0 : 1)
}
if arguments.count == 6, arguments[1] == "--passes" {
    let workloads = try Workloads.all(in: URL(fileURLWithPath: arguments[3])) { $0 == arguments[4] }
    guard let workload = workloads.first, let times = Int(arguments[2]) else { usage() }
    try Contest(workload, kernel).pass(arguments[5], times: times)
    exit(0)
}
guard arguments.count > 1 else { usage() }
let workloads = try Workloads.all(in: URL(fileURLWithPath: arguments[1])) {
    arguments.count < 3 || $0.hasPrefix(arguments[2])
}
print("kernel: \(String(cString: kernel.name)), simdjson: \(String(cString: peers_simdjson_name()))")
let table = Table()
for workload in workloads {
    let contest = try Contest(workload, kernel)
    if arguments.count > 3 {
        try contest.profile(arguments[3], seconds: arguments.count > 4 ? Double(arguments[4]) ?? 4 : 4)
    } else {
        table.add(workload, contest.run())
    }
}
table.printTargets()
