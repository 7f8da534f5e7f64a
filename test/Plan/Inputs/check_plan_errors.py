"""Applies each plan of a list of cases and compares the one error that it gives.

usage: check_plan_errors.py TP_OPT PROGRAM CASES
"""

import re
import subprocess
import sys


def read_cases(path):
    """Yields one dictionary per paragraph: plan, error, and maybe options, note."""
    for paragraph in open(path).read().strip().split("\n\n"):
        yield dict(line.split(": ", 1) for line in paragraph.split("\n"))


def check(tp_opt, program, case):
    """Returns what is wrong with the answer to this case, or None."""
    with open("plan.json", "w") as file:
        # A text that only a careless reader would recurse on.
        file.write(case["plan"].replace("DEEP", "[" * 100000) + "\n")
    options = f"plan=plan.json {case.get('options', '')}"
    run = subprocess.run(
        [tp_opt, program, f"--tp-apply-plan={options}"], capture_output=True, text=True
    )
    errors = re.findall(r"^.*error: .*$", run.stderr, re.M)
    if run.returncode != 1 or len(errors) != 1:
        return f"exit code {run.returncode}, {len(errors)} errors\n{run.stderr}"
    place = re.match(r"(\d+:\d+): (.*)", case["error"])
    wanted = f"plan.json:{place[1]}: error: {place[2]}" if place else case["error"]
    if wanted not in errors[0]:
        return f"wanted {wanted}\n{run.stderr}"
    if "note" in case and not re.search(r"note: .*" + re.escape(case["note"]), run.stderr):
        return f"wanted note {case['note']}\n{run.stderr}"
    return None


def main():
    tp_opt, program, cases = sys.argv[1:]
    bad = 0
    for case in read_cases(cases):
        problem = check(tp_opt, program, case)
        if problem:
            bad += 1
            print(f"{case['plan']}\n{problem}")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
