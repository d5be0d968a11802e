"""`make fuzz` breaks files for as long as one likes; the suite breaks the same few every time."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fuzz-files", type=int, help="how many broken files of each sample")
    parser.addoption("--fuzz-seed", help="other files with another seed")


@pytest.fixture
def fuzz_files(request: pytest.FixtureRequest) -> int:
    # Only known when this folder is named on the command line.
    return int(request.config.getoption("--fuzz-files", default=None) or 25)


@pytest.fixture
def fuzz_seed(request: pytest.FixtureRequest) -> str:
    return str(request.config.getoption("--fuzz-seed", default=None) or "foreword")
