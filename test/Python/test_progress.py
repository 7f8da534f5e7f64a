"""What tp-compile and tp-run show on a terminal while they work."""

import os
import pty
import subprocess

from compiled import need
from console import BIN

# Interpreting this takes some seconds.
SLOW = """
func.func @f(%x: tensor<300x300xf32>, %w: tensor<300x300xf32>) -> tensor<300x300xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<300x300xf32>, tensor<300x300xf32>) outs(%x : tensor<300x300xf32>) -> tensor<300x300xf32>
  return %0 : tensor<300x300xf32>
}
"""


def run_on_terminal(command):
    """The status and what a terminal shows of standard error."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=follower)
    os.close(follower)
    shown = b""
    while True:
        try:
            part = os.read(leader, 4096)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(leader)
    return process.wait(), shown.decode()


def test_long_run_says_what_it_does(tmp_path):
    need("tp-run")
    (tmp_path / "slow.mlir").write_text(SLOW)
    command = [BIN / "tp-run", tmp_path / "slow.mlir", "--plan", "replicated", "--mesh", "tp=1"]
    status, shown = run_on_terminal([*command, "--interpret"])
    assert status == 0
    assert "tp-run: interpreting ... 2 s" in shown
    # The line is gone at the end, and a pipe never sees one.
    assert shown.endswith("\r\033[K")
    quiet = subprocess.run(command, capture_output=True, text=True, check=True)
    assert quiet.stderr == ""
