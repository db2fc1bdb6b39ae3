#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far `sinew info` agrees with the verdicts of Khronos' glTF validator.

    agreement.py VALIDATOR SINEW [--list]

VALIDATOR is a checkout of github.com/KhronosGroup/glTF-Validator, whose test/ has models with the
validator's report beside each; SINEW is the program. Prints a table in Markdown: what became of the
valid files, and of the faulty ones by the validator's first error. With --list also the files that
are valid and refused, and those that are faulty and read without a word. The exit status is 1 if
there is a valid file that is refused, a crash, or a file that takes longer than ten seconds.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys

OUTCOMES = ("read", "listed", "refused", "crashed")


def outcome(program: str, model: pathlib.Path) -> tuple[str, str]:
    """What the program makes of a model, and its message: read without a word, read with problems
    listed, refused, or crashed."""
    try:
        run = subprocess.run([program, "info", "--json", str(model)], capture_output=True, timeout=10, check=False)
    except subprocess.TimeoutExpired:
        return "crashed", "no answer within ten seconds"
    message = run.stderr.decode(errors="replace").strip()
    if run.returncode == 3:
        return "refused", message
    if run.returncode not in (0, 1):
        return "crashed", f"exit status {run.returncode}: {message}"
    # Those of the file have a JSON pointer; of its surface the validator says nothing.
    problems = [p for p in json.loads(run.stdout)["problems"] if p.startswith("/")]
    return ("listed", "; ".join(problems)) if problems else ("read", "")


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("validator", type=pathlib.Path)
    arguments.add_argument("program")
    arguments.add_argument("--list", action="store_true")
    options = arguments.parse_args()
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    to_list = []
    reports = sorted((options.validator / "test").rglob("*.report.json"))
    if not reports:
        sys.exit(f"{options.validator}: no reports under test/")
    for report in reports:
        model = report.with_name(report.name.removesuffix(".report.json"))
        verdict = json.loads(report.read_text())["issues"]
        errors = [m["code"] for m in verdict["messages"] if m["severity"] == 0]
        what, message = outcome(options.program, model)
        kind = errors[0] if errors else "valid"
        # A reader of 2.0 must not read it.
        later = "asks for a reader of a later version" in message
        if kind == "valid" and what == "refused" and later:
            kind = "valid for later versions"
        counts[kind][what] += 1
        if (what == "read" and errors) or (what == "refused" and kind == "valid") or what == "crashed":
            to_list.append(f"{what:<8} {kind:<40} {model.relative_to(options.validator)} {message}")
    total = collections.Counter()
    print("| validator's first error | files | " + " | ".join(OUTCOMES) + " |")
    print("|---|---|" + "---|" * len(OUTCOMES))
    valid, later = counts.pop("valid"), counts.pop("valid for later versions", collections.Counter())
    if later:
        print(f"| none: valid for glTF 2.1 | {later.total()} | | | {later.total()} | |")
    for kind, found in [("none: valid", valid), *sorted(counts.items())]:
        print(f"| {kind} | {found.total()} | " + " | ".join(str(found[o] or "") for o in OUTCOMES) + " |")
        if kind in counts:
            total += found
    print(f"| all with errors | {total.total()} | " + " | ".join(str(total[o] or "") for o in OUTCOMES) + " |")
    if options.list:
        print("\n" + "\n".join(to_list))
    return 1 if valid["refused"] or valid["crashed"] or total["crashed"] else 0


if __name__ == "__main__":
    sys.exit(main())
