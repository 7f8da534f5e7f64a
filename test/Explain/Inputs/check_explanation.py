"""Checks that the totals of an explanation are what its rows add up to.

usage: check_explanation.py EXPLANATION.json
"""

import json
import sys


def main():
    explanation = json.load(open(sys.argv[1]))
    assert explanation["version"] == 1
    assert list(explanation["entries"]) == ["f", "quiet"]
    for entry in explanation["entries"].values():
        rows, totals = entry["collectives"], entry["totals"]
        assert totals["count"] == sum(row["count"] for row in rows)
        for key in ("elements", "bytes_per_rank"):
            assert totals[key] == sum(row["count"] * row[key] for row in rows), key
        estimate = sum(row["count"] * row["est_us"] for row in rows)
        assert abs(totals["est_us"] - estimate) < 0.001 * (1 + totals["count"])
    rows = explanation["entries"]["f"]["collectives"]
    assert [row["dynamic"] for row in rows] == [False, False, False, True, False, False]
    assert rows[3]["axes"] == ["dp", "tp"]


if __name__ == "__main__":
    main()
