"""Medians over rounds, a Markdown table for eyes, JSON for later."""

import json
from dataclasses import asdict
from statistics import median

BASELINE = "nginx"


def loaded_table(scenario, samples):
    """`samples` holds one list per gateway, round by round."""
    lines = [
        f"### {scenario.name}: {scenario.title}",
        "",
        f"| gateway | CPU µs/request | × {BASELINE} | requests/s | p50 ms | p99 ms | peak MB | errors |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, rounds in samples.items():
        ratio = ratio_to_baseline(name, samples)
        lines.append(
            f"| {name} | {median(s.cpu_us for s in rounds):,.2f} | {'–' if ratio is None else f'{ratio:.2f}'} "
            f"| {median(s.per_second for s in rounds):,.0f} | {median(s.p50_ms for s in rounds):.2f} "
            f"| {median(s.p99_ms for s in rounds):.2f} | {median(s.peak_bytes for s in rounds) / 1e6:.1f} "
            f"| {sum(s.errors for s in rounds)} |"
        )
    return "\n".join(lines) + "\n"


def ratio_to_baseline(name, samples):
    """Median over the rounds of CPU per request beside the baseline's in the same round."""
    if BASELINE not in samples:
        return None
    return median(own.cpu_us / base.cpu_us for own, base in zip(samples[name], samples[BASELINE]))


def resting_table(scenario, figures):
    lines = [
        f"### {scenario.name}: {scenario.title}",
        "",
        f"| gateway | {scenario.unit} (median) | least | most |",
        "|---|--:|--:|--:|",
    ]
    for name, values in figures.items():
        lines.append(f"| {name} | {median(values):,.1f} | {min(values):,.1f} | {max(values):,.1f} |")
    return "\n".join(lines) + "\n"


def write_json(path, facts, loaded, resting):
    path.write_text(
        json.dumps(
            {
                **facts,
                "loaded": {
                    scenario: {name: [asdict(sample) for sample in rounds] for name, rounds in samples.items()}
                    for scenario, samples in loaded.items()
                },
                "resting": resting,
            },
            indent=1,
        )
    )
