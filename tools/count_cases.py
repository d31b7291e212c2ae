"""Prints how many test cases passed and failed, from the reports of a test run."""

import pathlib
import sys
from xml.etree import ElementTree


def count_cases(test_logs: pathlib.Path) -> tuple[int, int]:
    """Returns how many cases of all `test.xml` below `test_logs` passed and failed.

    A skipped case is neither; an error counts as a failure.
    """
    passed = failed = 0
    for report in sorted(test_logs.rglob("test.xml")):
        for case in ElementTree.parse(report).iter("testcase"):
            if case.find("failure") is not None or case.find("error") is not None:
                failed += 1
            elif case.find("skipped") is None and case.get("status") != "notrun":
                passed += 1
    return passed, failed


def main() -> int:
    """Prints two numbers."""
    print(*count_cases(pathlib.Path(sys.argv[1])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
