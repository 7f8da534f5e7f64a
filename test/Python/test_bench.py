"""tools/bench: reading timing reports, judging limits, the f32 GGUF."""

import model
import numpy as np
import pytest
import synthetic
from benches.judge import judge
from benches.llama_cpp import full_gguf
from benches.partition import timing_seconds
from gguf import GGUFReader

from tp import gguf
from tp.checkpoint import load_tensors

REPORT = """
===-------------------------------------------------------------------------===
                         ... Execution time report ...
===-------------------------------------------------------------------------===
  Total Execution Time: 0.0500 seconds

  ----Wall Time----  ----Name----
    0.0200 ( 40.0%)  InsertReshards
    0.0100 ( 20.0%)  Parser
    0.0150 ( 30.0%)  PropagatePass
    0.0040 (  8.0%)  Output
    0.0010 (  2.0%)  Rest
    0.0500 (100.0%)  Total
"""


REPORT_OF_TWO_THREADS = """
  Total Execution Time: 0.1250 seconds

  ----User Time----  ----Wall Time----  ----Name----
    0.1442 (100.0%)    0.1250 (100.0%)  root
    0.0336 ( 23.3%)    0.0330 ( 26.8%)  Parser
    0.0451 ( 31.3%)    0.0259 ( 20.7%)  Pipeline Collection : ['func.func']
    0.0128 (  8.8%)    0.0120 ( 10.2%)  Output
   -0.0130 ( -9.0%)   -0.0130 (-10.4%)  Rest
    0.1442 (100.0%)    0.1442 (100.0%)  Total
"""


def test_timing_report():
    assert timing_seconds(REPORT) == pytest.approx(0.036)
    assert timing_seconds(REPORT_OF_TWO_THREADS) == pytest.approx(0.080)
    with pytest.raises(ValueError, match="no total"):
        timing_seconds("nothing here")


@pytest.mark.parametrize(
    "value, at_most, good",
    [
        (0.9, True, True),
        (1.0, True, True),
        (1.1, True, False),
        (0.9, False, False),
        (1.1, False, True),
    ],
)
def test_judge(capsys, value, at_most, good):
    assert judge("x", value, 1.0, at_most) is good
    out = capsys.readouterr().out
    assert "limit" in out and ("ok" in out) is good and ("MISSED" in out) is not good


def test_full_precision_gguf_has_the_same_weights(tmp_path, monkeypatch):
    source = synthetic.write_gguf(tmp_path / "model.gguf", quantized=True)
    monkeypatch.setattr(model, "GGUF", source)
    output = full_gguf()
    gguf.convert(source, tmp_path / "from-source")
    gguf.convert(output, tmp_path / "from-output")
    expected = load_tensors(tmp_path / "from-source")
    for name, tensor in load_tensors(tmp_path / "from-output").items():
        np.testing.assert_array_equal(tensor, expected[name])
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        pair = [tmp_path / folder / name for folder in ("from-source", "from-output")]
        assert pair[0].read_text() == pair[1].read_text()
    assert {int(t.tensor_type) for t in GGUFReader(output).tensors} == {0}
    written = output.stat().st_mtime_ns
    assert full_gguf().stat().st_mtime_ns == written


def test_metrics_are_complete(tmp_path, capsys):
    (tmp_path / "m.json").write_text('{"weight_bytes_per_rank": 1}')
    with pytest.raises(SystemExit) as stop:
        model.read_metrics(tmp_path / "m.json")
    assert stop.value.code == 3
    assert "m.json' lacks peak_bytes_per_rank, " in capsys.readouterr().err
