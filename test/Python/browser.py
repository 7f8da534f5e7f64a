"""Opening a page in a headless browser and asking what it shows."""

import html
import json
import re
import shutil
import subprocess

import pytest

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
TIMEOUT_S = 120

# Errors are kept from the very beginning; what they are about is asked at the end.
KEEP_ERRORS = """<script>
const pageErrors = [];
addEventListener('error', event => pageErrors.push(event.message));
addEventListener('securitypolicyviolation', event => pageErrors.push(event.violatedDirective));
</script>"""
ASK = """<pre id="answer"></pre><script>
const answer = (() => {{ {question} }})();
document.getElementById('answer').textContent =
    JSON.stringify({{answer, errors: pageErrors, resources: performance.getEntriesByType('resource').length}});
</script>"""


def ask(page, question, folder, width=1280, dark=False):
    """What `question`, the body of a JavaScript function, returns in the page.

    The page must run without errors and load nothing.
    """
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if not program:
        pytest.skip("no headless browser: install chromium-headless-shell")
    text = page.read_text().replace("<head>", "<head>" + KEEP_ERRORS, 1)
    head, _, tail = text.rpartition("</body>")
    probe = folder / "probe.html"
    probe.write_text(head + ASK.format(question=question) + "</body>" + tail)
    command = [
        program,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--enable-logging=stderr",
        f"--user-data-dir={folder / 'profile'}",
        f"--window-size={width},900",
        f"--blink-settings=preferredColorScheme={0 if dark else 1}",
        "--dump-dom",
        probe.as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S)
    found = re.search(r'<pre id="answer">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found and found[1], done.stderr
    result = json.loads(html.unescape(found[1]))
    assert result["errors"] == [] and result["resources"] == 0, result
    assert "CONSOLE" not in done.stderr, done.stderr
    return result["answer"]
