"""`pytest tests/golden --update-golden` writes the files that the prompts are compared with."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write tests/golden/*.md instead of comparing"
    )


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    # Only known when this folder is named on the command line.
    return bool(request.config.getoption("--update-golden", default=False))
