"""From a chat file to the prompt for the next reply: `python examples/ten_lines.py CHAT FOLDER`."""

# --8<-- [start:lines]
import asyncio
import sys

import foreword

with foreword.open(sys.argv[2]) as memory:
    story = memory.import_file(sys.argv[1])
    story.set("context", "8192")
    asyncio.run(story.recap(merge=True))
    prompt = story.prompt()
    print(prompt.plan.coverage)
    for message in prompt.messages:
        print(f"{message.role}: {message.content[:70]}")
# --8<-- [end:lines]
