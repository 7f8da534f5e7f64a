"""Figures beside their limits."""


def judge(what, value, limit, at_most):
    """Prints a figure beside its limit; whether it keeps it."""
    good = value <= limit if at_most else value >= limit
    bound = "at most" if at_most else "at least"
    print(
        f"{what}: {value:.2f} (limit: {bound} {limit:.2f}) {'ok' if good else 'MISSED'}", flush=True
    )
    return good
