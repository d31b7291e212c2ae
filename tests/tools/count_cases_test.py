"""Tests for count_cases."""

from tools import count_cases

REPORT = """<testsuites><testsuite>
<testcase name="a"/><testcase name="b"><failure message="x"/></testcase>
<testcase name="c"><error/></testcase><testcase name="d"><skipped/></testcase>
<testcase name="e" status="run"/><testcase name="f" status="notrun"/>
</testsuite></testsuites>"""


def test_passed_and_failed_cases_are_counted_in_all_reports(tmp_path):
    for name in ("one", "two"):
        folder = tmp_path / name / "deep"
        folder.mkdir(parents=True)
        (folder / "test.xml").write_text(REPORT)
    assert count_cases.count_cases(tmp_path) == (4, 4)


def test_no_report_is_no_case(tmp_path):
    assert count_cases.count_cases(tmp_path) == (0, 0)
