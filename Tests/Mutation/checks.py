"""What the compiler refuses, found module by module and before the build, where one that fails hides all behind it."""

import json
import re
import subprocess

REFUSED = re.compile(r"(Sources/[\w+./-]+\.(?:swift|c|h)):(\d+):\d+: error:")
# Of a compiler's arguments: those that make files. The second ones have a value.
MAKING = {
    "-emit-dependencies", "-emit-module", "-incremental", "-c", "-enable-batch-mode", "-serialize-diagnostics",
    "-parseable-output", "-emit-objc-header",
}
MAKING_AT = {"-emit-module-path", "-output-file-map", "-index-store-path", "-emit-objc-header-path"}


def places(text):
    """Where the compiler found errors: paths with lines from 0."""
    return {(match[1], int(match[2]) - 1) for match in REFUSED.finditer(text)}


def refusals(tree, folder, under):
    """The places that the compiler refuses in one module. Those below must have been built before."""
    if folder == "Sources/CSIMD":
        commands = [
            ["clang", "-std=gnu17", "-fsyntax-only", "-ferror-limit=0", "-I", str(tree / folder / "include"), str(path)]
            for path in sorted((tree / folder).glob("*.c"))]
    else:
        commands = swift_commands(tree, folder)
    found = set()
    for command in commands:
        result = subprocess.run([*under, *command], cwd=tree, capture_output=True, text=True)
        found |= places(result.stdout + result.stderr)
    return found


def swift_commands(tree, folder):
    """The build's own command for a module, with the files left unmade. None where nothing has been built yet."""
    manifest = tree / ".build" / "debug.yaml"
    if not manifest.exists():
        return []
    module = folder.rpartition("/")[2]
    for line in manifest.read_text().splitlines():
        if line.startswith("    args: [") and f'"-module-name","{module}",' in line and '"-emit-module"' in line:
            break
    else:
        return []
    kept, skips = [], False
    for argument in json.loads(line.removeprefix("    args: ")):
        if skips or argument in MAKING or argument.startswith(("@", "-j")):
            skips = False
        elif argument in MAKING_AT:
            skips = True
        else:
            kept.append(argument)
    return [kept + ["-typecheck"] + [str(path) for path in sorted((tree / folder).rglob("*.swift"))]]
