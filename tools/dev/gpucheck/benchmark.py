"""The rows of a model's speed, beside what the device can do. Standard library only."""

import speed
from rates import predicted
from steps import Skipped


class Benchmark:
    """One of the pack's benchmarks; `check` is the run that it belongs to."""

    def __init__(self, check, bench):
        self.check = check
        self.bench = bench
        self.command = [check.program(bench["program"]), "--random-weights", check.pack["seed"]]
        self.found = {}

    def run(self):
        for title, body, target in (
            ("decode", self.decode, ">= 85 %"),
            ("prefill", self.prefill, ""),
            ("trace", self.trace, ""),
            ("other kernels", self.others, "<= 25 %"),
            ("products", self.products, ">= 95 %"),
            ("launch gaps", lambda: self.gaps("speed"), "<= 5 %"),
            ("launch gaps without graphs", lambda: self.gaps("plain", "--no-graphs"), ""),
        ):
            aim = target if self.bench["aims"] else ""
            name = f"{self.bench['name']}: {title}"
            self.check.keep(self.check.step(name, "speed", body, aim))

    def below(self, missed):
        return self.bench["aims"] and missed

    def need(self, key):
        if key not in self.found:
            raise Skipped(f"{key} was not measured")
        return self.found[key]

    def take(self, key, *more):
        log = self.check.scratch / "serve.log"
        command = [*self.command, *more]
        self.found[key] = speed.measure(command, self.bench, self.check.clock, log)

    def decode(self):
        self.take("speed")
        found, memory = self.found["speed"], self.check.rates.memory
        detail = f"{1 / found.step:.1f} tokens/s, weights in {found.load:.1f} s"
        if not memory:
            return detail, 1 / found.step, False
        share = self.bench["step_bytes"] / memory.value / found.step
        return f"{detail}, {share:.1%} of the memory limit", share, self.below(share < 0.85)

    def prefill(self):
        tokens, peak = len(self.bench["tokens"]), self.check.rates.products
        rate = tokens / self.need("speed").prefill
        detail = f"{rate:.0f} tokens/s of {tokens}"
        if peak:
            share = self.bench["prefill_flops"] / self.need("speed").prefill / peak.value
            detail += f", {share:.1%} of the peak"
        return detail, rate, False

    def trace(self):
        parts = speed.trace(self.command, self.bench, self.check.clock, self.check.scratch)
        for part, spans in zip(("prefill", "step"), parts):
            self.found[part] = spans
            self.check.tables[f"{self.bench['name']}, {part}"] = speed.kernels_table(
                spans, lambda span: predicted(span, self.check.rates)
            )
        return " and ".join(str(len(spans)) for spans in parts) + " spans", None, False

    def others(self):
        spans = self.need("prefill")
        total = sum(span.seconds for span in spans)
        share = sum(span.seconds for span in spans if span.kind != "gemm") / total
        return f"{share:.1%} of the device's time of prefill", share, self.below(share > 0.25)

    def products(self):
        check, products = self.check, self.bench["products"]
        command = [check.program(products["program"]), "--random-weights", check.pack["seed"]]
        alone = speed.products_alone(command, self.bench, check.clock, check.scratch)
        share = speed.products_share(self.need("prefill"), alone)
        return f"{share:.1%} of the speed that they have alone", share, self.below(share < 0.95)

    def gaps(self, key, *more):
        if more:
            if not self.check.has_option(self.bench["program"], more[0]):
                raise Skipped(f"the program has no {more[0]}")
            self.take(key, *more)
        step = self.need(key).step
        busy = sum(span.seconds for span in self.need("step"))
        share = max(0.0, 1 - busy / step)
        detail = f"{share:.1%} of a step of {step * 1e3:.2f} ms"
        return detail, share, not more and self.below(share > 0.05)
