"""The program without root's right to write everywhere.

Everything is loaded before the rights are given up: the interpreter may lie where only root reads.
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from foreword.bootstrap import open_engine
from foreword.cli.main import main
from foreword.engine.conversations import create, list_conversations

NOBODY = 65534

if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        engine = open_engine(Path(folder))
        create(engine, "Lamp")
        list_conversations(engine)
        engine.store.close()
    if os.geteuid() == 0:
        os.seteuid(NOBODY)
    main(sys.argv[1:])
