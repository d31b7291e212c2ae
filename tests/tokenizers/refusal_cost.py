"""What it takes to refuse files: measured in a process of its own, on Linux."""

import json
import subprocess
import sys

# The peak is read from the kernel and set back before each file. `ru_maxrss` would not
# do: a process inherits that of the one that starts it.
_PROGRAM = """
import json, re, sys, time
from oasr import tokenizers

def kilobytes(name):
    with open("/proc/self/status") as status:
        return int(re.search(name + r":\\s+(\\d+) kB", status.read())[1])

def refuse(kind, path, options):
    with open("/proc/self/clear_refs", "w") as peak:
        peak.write("5")
    before, start = kilobytes("VmRSS"), time.process_time()
    try:
        getattr(tokenizers, kind)(path, **options)
    except tokenizers.AssetError as error:
        seconds = time.process_time() - start
        return str(error), (kilobytes("VmHWM") - before) * 1024, seconds

kind, good, *bad, options = sys.argv[1:]
getattr(tokenizers, kind)(good)
for path in bad:
    print(json.dumps(refuse(kind, path, json.loads(options))), flush=True)
"""


def measure(kind, good, bad, **options):
    """Returns the message, the bytes and the seconds of each refusal.

    Args:
      kind: the name of a class of `oasr.tokenizers`.
      good: the path of a file that it takes, so that its library is loaded before.
      bad: the paths of files that it refuses.
      **options: more arguments of the class.
    """
    run = subprocess.run(
        [sys.executable, "-c", _PROGRAM, kind, good, *bad, json.dumps(options)],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    report = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(report) == len(bad)
    assert None not in report, "a file was taken"
    return report
