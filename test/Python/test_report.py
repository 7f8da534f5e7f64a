"""tp-compile --report: its numbers are those of a run, and the page shows them."""

import json
import math
import re

import pytest
from browser import ask
from compiled import Model, need, succeed
from conftest import ROOT

from tp import tiny

MEMORY = ["weight", "state", "arena", "workspace", "peak"]
CHUNK = 8


@pytest.fixture(scope="module", params=["mha", "gqa6"])
def model(request, tmp_path_factory):
    need("tp-import", "tp-compile")
    folder = tmp_path_factory.mktemp(request.param)
    checkpoint = tiny.make(request.param, folder / "hf")
    return Model(checkpoint, folder, "--max-seq", 32, "--chunk", CHUNK)


def make_report(ir, *arguments, folder):
    """The report of these plans: (as JSON, the page)."""
    data, page = folder / "report.json", folder / "report.html"
    succeed("tp-compile", ir, *arguments, f"--report={data}", f"--report={page}")
    return json.loads(data.read_text()), page


@pytest.mark.parametrize("plan, tp", [("megatron", 1), ("megatron", 2), ("megatron-sp", 4)])
def test_memory_is_that_of_a_run(model, tmp_path, plan, tp):
    report, _ = make_report(model.ir, "--plan", plan, "--mesh", f"tp={tp}", folder=tmp_path)
    metrics = tmp_path / "metrics.json"
    model.generate(tp, [3, 4, 5], 3, "--metrics", metrics, plan=plan)
    measured = json.loads(metrics.read_text())
    memory = report["plans"][0]["memory"]
    for part in MEMORY:
        key = f"{part}_bytes_per_rank"
        assert memory[key] == measured[key], key
    assert memory["fits"] == (memory["peak_bytes_per_rank"] <= memory["limit_bytes_per_rank"])


@pytest.mark.parametrize("plan, tp", [("megatron", 1), ("megatron-sp", 2)])
def test_memory_is_that_of_a_run_on_gpus(tmp_path, plan, tp):
    """With the workspace of products, and no buffers of communication between threads."""
    model = Model(tiny.make("llama3", tmp_path / "hf"), tmp_path)
    target = ("--plan", plan, "--mesh", f"tp={tp}", "--target", "cuda:emulated")
    report, page = make_report(model.ir, *target, folder=tmp_path)
    program, metrics = tmp_path / "program", tmp_path / "metrics.json"
    succeed("tp-compile", model.ir, *target, "-o", program)
    run = ("--tokens", "3,4,5", "--generate", 3, "--metrics", metrics)
    succeed(ROOT / "tools/emulate", program, "--weights", model.checkpoint, *run)
    measured = json.loads(metrics.read_text())
    memory = report["plans"][0]["memory"]
    for part in MEMORY:
        key = f"{part}_bytes_per_rank"
        assert memory[key] == measured[key], key
    assert memory["communication_bytes_per_rank"] == 0
    assert memory["product_workspace_bytes_per_rank"] == 32 << 20
    # This machine's memory is not that of a GPU.
    assert memory["limit_bytes_per_rank"] is None and memory["fits"] is None
    shown = ask(page, "return document.querySelector('.card.plan').innerText;", tmp_path)
    assert "fit" not in shown and re.search(f"per rank on {tp} ranks?$", shown, re.M), shown
    text = succeed("tp-compile", model.ir, *target, "--report")
    assert re.search(r"^ +of it matrix products +33554432 \(32\.0 MiB\)$", text, re.M), text


def test_parts_add_up(model, tmp_path):
    report, _ = make_report(
        model.ir, "--plan", "megatron", "--plan", "megatron-sp", "--mesh", "tp=2", folder=tmp_path
    )
    for plan, name in zip(report["plans"], ["megatron", "megatron-sp"], strict=True):
        assert plan["plan"] == name and plan["title"] == f"{name}, tp=2"
        memory, values = plan["memory"], plan["values"]
        for kind, part in (("parameter", "weight"), ("state", "state")):
            sizes = [v["bytes_per_rank"] for v in values if v["kind"] == kind]
            assert sum(sizes) == memory[f"{part}_bytes_per_rank"]
            assert sizes == sorted(sizes, reverse=True)
        inputs = sum(v["bytes_per_rank"] for v in values if v["kind"] in ("input", "result"))
        communication = memory["communication_bytes_per_rank"]
        assert inputs + communication == memory["workspace_bytes_per_rank"]
        assert memory["product_workspace_bytes_per_rank"] == 0
        assert memory["arena_bytes_per_rank"] == max(e["arena_bytes"] for e in plan["entries"])
        # Blocks of different ranks cover each parameter once.
        for value in values:
            blocks = {json.dumps(b): math.prod(s for _, s in b) for b in value["blocks"]}
            assert sum(blocks.values()) == math.prod(value["global_shape"]), value["name"]
        explained = model.explain(2, name)["entries"]
        for entry in plan["entries"]:
            assert entry["collectives"] == explained[entry["name"]]["collectives"]
            assert entry["totals"] == explained[entry["name"]]["totals"]
            places = [kind for place in entry["places"] for kind in place["kinds"]]
            for key in ("count", "elements", "bytes_per_rank"):
                total = entry["totals"][key]
                assert sum(kind[key] for kind in entry["kinds"]) == total
                assert sum(kind[key] for kind in places) == total


def test_layers_of_equal_layout_are_one(tmp_path):
    need("tp-import", "tp-compile")
    ir = Model(tiny.make("gqa6", tmp_path / "hf"), tmp_path, "--chunk", CHUNK).ir
    report, _ = make_report(ir, "--plan", "megatron", "--mesh", "tp=2", folder=tmp_path)
    (plan,) = report["plans"]
    names = {value["name"]: value for value in plan["values"]}
    up = names["model.layers.*.mlp.up_proj.weight"]
    assert (up["count"], up["layers"], up["sharding"]) == (3, [0, 1, 2], "[tp, _]")
    assert up["local_shape"] == [25, 48] and up["bytes_per_rank"] == 3 * 25 * 48 * 4
    places = plan["entries"][0]["places"]
    assert [p["name"] for p in places if p["layer"] is not None] == [
        f"model.layers.{i}" for i in range(3)
    ]


def test_plans_that_agree_in_some_layers(tmp_path):
    need("tp-compile")
    ir = tmp_path / "stack.mlir"
    weights = [
        f'%w{i}: tensor<4x4xf32> {{tp.kind = "parameter", tp.name = "h.{i}.w"}}' for i in range(4)
    ]
    adds = [f"  %x{i + 1} = arith.addf %x{i}, %w{i} : tensor<4x4xf32>\n" for i in range(4)]
    ir.write_text(
        f"func.func @f(%x0: tensor<4x4xf32>, {', '.join(weights)}) -> tensor<4x4xf32> {{\n"
        f"{''.join(adds)}  return %x4 : tensor<4x4xf32>\n}}"
    )
    plans = []
    for name, odd in (("a", "[tp, _]"), ("b", "[]")):
        shard = {f"h.{i}.w": odd if i % 2 else "[tp, _]" for i in range(4)}
        (tmp_path / name).write_text(json.dumps({"mesh": {"tp": 2}, "shard": shard}))
        plans += ["--plan", tmp_path / name]
    report, page = make_report(ir, *plans, folder=tmp_path)
    layouts = [
        {(*v["layers"],): v["sharding"] for v in plan["values"] if v["kind"] == "parameter"}
        for plan in report["plans"]
    ]
    assert layouts == [
        {(0, 2): "[tp, _]", (1, 3): "[tp, _]"},
        {(0, 2): "[tp, _]", (1, 3): "[_, _]"},
    ]
    shown = ask(page, PICTURES, tmp_path)["values"]
    assert [(c["name"], c["differs"]) for c in shown][:2] == [
        ("h.*.w \u00d72", "true"),
        ("h.*.w \u00d72", "false"),
    ]


# What the browser shows, with sizes in pixels: memory parts, bars, blocks, totals.
PICTURES = """
const box = node => {
  const r = node.getBoundingClientRect();
  return [r.x, r.y, r.width, r.height];
};
const all = (root, query) => [...root.querySelectorAll(query)];
return {
  title: document.title, heading: document.querySelector('h1').textContent,
  background: getComputedStyle(document.body).backgroundColor,
  overflow: document.documentElement.scrollWidth - innerWidth,
  plans: all(document, '.plan').map(card => ({
    total: card.querySelector('.total').title, badge: card.querySelector('.badge').textContent})),
  memory: all(document, 'svg.memory').map(s => ({box: box(s), parts: all(s, '.part').map(
    p => ({kind: p.classList[1], bytes: +p.dataset.bytes, box: box(p), title: p.textContent}))})),
  entries: all(document, '.entry').map(e => ({name: e.dataset.entry,
    cells: all(e, 'tr.sum td').map(c => c.title || c.textContent),
    pictures: all(e, 'svg.bytes').map(s => ({box: box(s), bars: all(s, '.part').map(
      p => ({kind: p.classList[1], bytes: +p.dataset.bytes, box: box(p)}))}))})),
  values: all(document, '.card.value').map(c => ({name: c.querySelector('h3').textContent,
    differs: c.dataset.differs, pictures: all(c, 'svg.value').map(s => ({box: box(s), blocks: all(s, '.part').map(
      p => ({ranks: p.dataset.ranks, box: box(p), title: p.textContent, fill: getComputedStyle(p).fill}))}))})),
};"""


def check_memory(shown, report):
    for plan, card, picture in zip(report["plans"], shown["plans"], shown["memory"], strict=True):
        memory = plan["memory"]
        assert card["total"] == f"{memory['peak_bytes_per_rank']:,} bytes"
        assert card["badge"] == ("fits" if memory["fits"] else "does not fit")
        scale = max(p["bytes"] / p["box"][2] for p in picture["parts"])
        for part in picture["parts"]:
            assert part["box"][2] == pytest.approx(part["bytes"] / scale, abs=1)
            assert f"{part['bytes']:,} bytes" in part["title"]
        # One row of parts per group of equal ranks, each as large as the whole.
        rows = {}
        for part in picture["parts"]:
            rows.setdefault(part["box"][1], []).append(part)
        contents = {(r["weight_bytes"], r["state_bytes"]) for r in plan["ranks"]}
        assert len(rows) == len(contents)
        for row in rows.values():
            assert sum(part["bytes"] for part in row) == memory["peak_bytes_per_rank"]


def check_bars(shown, report):
    assert [e["name"] for e in shown["entries"]] == [
        e["name"] for e in report["plans"][0]["entries"]
    ]
    for i, entry in enumerate(shown["entries"]):
        largest = 0
        for plan, picture in zip(report["plans"], entry["pictures"], strict=True):
            wanted = [
                (kind["kind"], kind["bytes_per_rank"])
                for place in plan["entries"][i]["places"]
                for kind in place["kinds"]
            ]
            bars = picture["bars"]
            assert sorted((b["kind"], b["bytes"]) for b in bars) == sorted(wanted)
            largest = max([largest, *(b["bytes"] / b["box"][3] for b in bars if b["box"][3] > 1)])
        for bar in (bar for picture in entry["pictures"] for bar in picture["bars"]):
            # All pictures of an entry have one scale.
            assert bar["box"][3] == pytest.approx(bar["bytes"] / largest, abs=1)
        for plan in report["plans"]:
            total = plan["entries"][i]["totals"]["bytes_per_rank"]
            assert not total or f"{total:,} bytes" in entry["cells"]


def check_blocks(shown, report):
    cards = {card["name"].split(" \u00d7")[0]: card for card in shown["values"]}
    for plan_number, plan in enumerate(report["plans"]):
        for value in plan["values"]:
            if value["kind"] not in ("parameter", "state"):
                continue
            card = cards[value["name"]]
            picture = card["pictures"][plan_number if card["differs"] == "true" else 0]
            assert picture["box"][2] > 20 and picture["box"][3] > 20
            held = {}
            for rank, block in enumerate(value["blocks"]):
                if math.prod(size for _, size in block):
                    held.setdefault(json.dumps(block), []).append(rank)
            area = picture["box"][2] * picture["box"][3]
            drawn = {b["ranks"]: b["box"][2] * b["box"][3] / area for b in picture["blocks"]}
            whole = math.prod(value["global_shape"])
            for text, ranks in held.items():
                share = math.prod(size for _, size in json.loads(text)) / whole
                key = " ".join(map(str, ranks))
                assert drawn.pop(key) == pytest.approx(share, abs=0.02), (value["name"], ranks)
            assert not drawn, value["name"]
            fills = [b["fill"] for b in picture["blocks"]]
            assert len(set(fills)) == len(fills), "each block has a colour of its own"


def test_page_of_two_plans(model, tmp_path):
    plans = ["--plan", "megatron", "--plan", "replicated", "--mesh", "tp=2"]
    report, _ = make_report(model.ir, *plans, folder=tmp_path)
    # A byte too little for one of them.
    limit = max(plan["memory"]["peak_bytes_per_rank"] for plan in report["plans"]) - 1
    report, page = make_report(model.ir, *plans, "--memory", limit, folder=tmp_path)
    assert sorted(plan["memory"]["fits"] for plan in report["plans"]) == [False, True]
    shown = ask(page, PICTURES, tmp_path)
    assert shown["heading"] == report["program"] == str(model.ir)
    assert shown["overflow"] <= 0
    check_memory(shown, report)
    check_bars(shown, report)
    check_blocks(shown, report)
    dark = ask(page, PICTURES, tmp_path, width=400, dark=True)
    assert dark["background"] != shown["background"] and dark["overflow"] <= 0
    check_memory(dark, report)
    check_blocks(dark, report)


def test_page_of_a_mesh_of_two_axes(tmp_path):
    need("tp-compile")
    ir, plan = tmp_path / "mlp.mlir", tmp_path / "plan.json"
    kind = 'tp.kind = "parameter"'
    ir.write_text(
        f'func.func @mlp(%x: tensor<6x10xf32>, %w: tensor<10x7xf32> {{{kind}, tp.name = "w"}})'
        """ -> tensor<6x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x7xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x7xf32>) -> tensor<6x7xf32>
  %y = linalg.matmul ins(%x, %w : tensor<6x10xf32>, tensor<10x7xf32>) outs(%z : tensor<6x7xf32>) -> tensor<6x7xf32>
  return %y : tensor<6x7xf32>
}"""
    )
    shard = {"w": "[dp, tp]", "mlp.result0": "[]"}
    plan.write_text(json.dumps({"mesh": {"dp": 2, "tp": 5}, "shard": shard}))
    report, page = make_report(ir, "--plan", plan, folder=tmp_path)
    # Columns in blocks of 2, 2, 2, 1 and 0.
    shown = ask(page, PICTURES, tmp_path)
    check_memory(shown, report)
    check_bars(shown, report)
    check_blocks(shown, report)
    (card,) = [card for card in shown["values"] if card["name"] == "w"]
    titles = {b["ranks"]: b["title"] for b in card["pictures"][0]["blocks"]}
    assert titles["8"] == "rank 8: [5:10, 6:7] of [10, 7]"
    text = ask(page, "return document.body.innerText;", tmp_path)
    assert "ranks 4, 9 hold none of it" in text


USE = """
const shown = () => [...document.querySelectorAll('.card.value')].filter(c => c.offsetParent).length;
const before = shown();
document.querySelector('input[type=checkbox]').click();
const details = [...document.querySelectorAll('details')].find(d => d.textContent.includes('as a table'));
details.open = true;
const column = [...details.querySelectorAll('th')].findIndex(h => h.textContent.startsWith('bytes'));
details.querySelectorAll('th button')[column].click();
const order = [...details.querySelectorAll('tbody tr')].map(row => row.children[column].title);
details.querySelectorAll('th button')[column].click();
const back = [...details.querySelectorAll('tbody tr')].map(row => row.children[column].title);
return {before, after: shown(), order, back};"""


def test_page_is_used(model, tmp_path):
    plans = ["--plan", "megatron", "--plan", "replicated", "--mesh", "tp=2"]
    report, page = make_report(model.ir, *plans, folder=tmp_path)
    seen = ask(page, USE, tmp_path)
    values = report["plans"][0]["values"]
    same = report["plans"][1]["values"]
    names = {(v["name"], v.get("entry")): v["blocks"] for v in same}
    differing = [v for v in values if names[v["name"], v.get("entry")] != v["blocks"]]
    assert seen["before"] == len(values) and seen["after"] == len(differing) < len(values)
    sizes = [int(text.split()[0].replace(",", "")) for text in seen["order"]]
    assert sizes == sorted(sizes, reverse=True) and len(sizes) == len(values)
    assert seen["back"] != seen["order"]
    back = [int(text.split()[0].replace(",", "")) for text in seen["back"]]
    assert back == sorted(sizes)


HOSTILE = "a</script><img src=x onerror=alert(1)>\"'&amp;\u2028\u00e9\u4e2d"


def test_names_are_text(tmp_path):
    need("tp-compile")
    folder = tmp_path / "<b>'x"
    folder.mkdir()
    ir = folder / 'm "q".mlir'
    name = HOSTILE.replace('"', '\\"')
    ir.write_text(
        f'func.func @"{name}"(%w: tensor<4x6xf32> {{tp.kind = "parameter", tp.name = "{name}\\0Az"}})'
        " -> tensor<4x6xf32> {\n  %y = math.tanh %w : tensor<4x6xf32>\n"
        '  return %y : tensor<4x6xf32> loc("h.0</style>\\0A")\n}'
    )
    plan = folder / "<i>plan.json"
    plan.write_text(
        json.dumps(
            {"mesh": {"tp": 2}, "shard": {f"{HOSTILE}\nz": "[tp, _]", f"{HOSTILE}.result0": "[]"}}
        )
    )
    report, page = make_report(ir, "--plan", plan, folder=tmp_path)
    assert report["plans"][0]["values"][0]["name"] == HOSTILE + "\nz"
    assert report["plans"][0]["entries"][0]["name"] == HOSTILE
    shown = ask(page, PICTURES, tmp_path)
    assert shown["heading"] == str(ir) and shown["title"].startswith(str(ir))
    assert shown["values"][0]["name"] == HOSTILE + "\nz"
    assert shown["entries"][0]["name"] == HOSTILE
    tags = "return [...new Set([...document.querySelectorAll('*')].map(e => e.localName))];"
    assert not {"img", "b"} & set(ask(page, tags, tmp_path))
    text = succeed("tp-compile", ir, "--plan", plan, "--report")
    assert "\u2028\u00e9\u4e2d\\x0Az" in text and len(text.splitlines()) < 40


def test_page_of_a_program_without_layers_or_collectives(tmp_path):
    need("tp-compile")
    ir = tmp_path / "f.mlir"
    ir.write_text(
        "func.func @f(%x: f32, %y: tensor<0x3xf32>) -> f32 {\n  %z = math.exp %x : f32\n  return %z : f32\n}"
    )
    report, page = make_report(ir, "--plan", "replicated", "--mesh", "tp=3", folder=tmp_path)
    shown = ask(page, PICTURES, tmp_path)
    assert [e["pictures"] for e in shown["entries"]] == [[]]
    check_memory(shown, report)
    assert "No rank talks to another." in ask(page, "return document.body.innerText;", tmp_path)


def test_page_needs_nothing_else(model, tmp_path):
    _, page = make_report(model.ir, "--plan", "megatron", "--mesh", "tp=2", folder=tmp_path)
    text = page.read_text()
    assert [part.split('"')[0].split("'")[0] for part in text.split("http")[1:]] == [
        "-equiv=",
        "://www.w3.org/2000/svg",
    ]
    assert "\n{{" not in text and "{{data}}" not in text
    data = text.split('id="data">')[1].split("</script>")[0]
    assert json.loads(data) == json.loads((tmp_path / "report.json").read_text())
