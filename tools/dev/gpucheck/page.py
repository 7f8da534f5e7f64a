"""The rows of a check as one page of text."""

STATES = ("ok", "failed", "below", "skipped", "no time")


RATES = (
    ("products", 1e12, "TFLOP/s"),
    ("others", 1e12, "TFLOP/s"),
    ("memory", 1e9, "GB/s"),
    ("link", 1e9, "GB/s"),
)


def _shortened(text, width):
    return text if len(text) <= width else text[: width - 3] + "..."


def _counts(rows):
    counts = {state: sum(row.state == state for row in rows) for state in STATES}
    return ", ".join(f"{count} {state}" for state, count in counts.items() if count)


def page_text(check):
    """A line per group, each row that is worth one, and the largest kernels."""
    device = check.device
    lines = [
        f"gpu-check of {check.pack['target']}: "
        + (
            f"{device['name']} (compute capability {device['capability']}), {device['count']} of "
            f"them, driver {device['driver']}"
            if device
            else "no device"
        ),
        f"{_counts(check.rows)}; {check.clock.used:.0f} s"
        + "".join(f", {phase['name']} {phase['seconds']:.0f} s" for phase in check.phases),
        *(
            f"  {what}: {rate['value'] / scale:.4g} {unit} ({rate['source']})"
            for what, scale, unit in RATES
            if (rate := check.rates.json().get(what))
        ),
        "",
    ]
    groups = {}
    for row in check.rows:
        groups.setdefault(row.group, []).append(row)
    for group, rows in groups.items():
        if len(rows) > 8:
            found = [row.found for row in rows if row.state == "ok" and row.found is not None]
            worst = f", largest difference {max(found):.1e}" if found else ""
            lines.append(f"{group}: {_counts(rows)}{worst}")
            rows = [row for row in rows if row.state != "ok"]
        for row in rows:
            found = f"difference {row.found:.1e}" if row.found is not None else ""
            detail = row.detail if group in ("speed", "device", "sanitizer") else ", ".join(
                part for part in (row.detail, found) if part
            )  # fmt: skip
            aim = f" (aim {row.aim})" if row.aim else ""
            state = "" if row.state == "ok" else f"{row.state}: "
            lines.append(_shortened(f"  {group}  {row.name}: {state}{detail}{aim}", 160))
    for title, kernels in check.tables.items():
        lines += ["", f"{title + ', kernels by time':52} count        ms  predicted  of it"]
        for row in kernels:
            known = row["predicted"] is not None and row["seconds"] > 0
            predicted = f"{row['predicted'] * 1e3:.3f}" if known else "-"
            ratio = f"{row['predicted'] / row['seconds']:.0%}" if known else "-"
            what = _shortened(f"{row['place']} ({row['what']})", 50)
            measured = f"{row['count']:5} {row['seconds'] * 1e3:9.3f}"
            lines.append(f"  {what:50} {measured} {predicted:>10} {ratio:>6}")
    return "\n".join(lines) + "\n"
