"""A reply and its cost: `python examples/with_a_model.py CHAT FOLDER URL MODEL`."""

# --8<-- [start:lines]
import asyncio
import sys

import foreword


async def main(chat: str, folder: str, url: str, model: str) -> None:
    """Recap a chat, let the model write the next turn, and say what both took."""
    with foreword.open(folder) as memory:
        memory.set_route("chat", url=url, model=model, price_in=0.25, price_out=2)
        probe = await memory.test_route("chat")
        if probe.problem:
            sys.exit(str(probe.problem))
        story = memory.import_file(chat)
        await story.recap(merge=True)
        done = await story.write("Where is the lamp now?", listen=show)
        print(f"\nturn {done.reply.order}, {done.answer.usage.tokens_out} tokens")
        spent = memory.costs(story).table
        print(f"calls for chat: {spent.chat.calls}, for memory: {spent.memory.calls}")


def show(event: object) -> None:
    """Print a piece of the reply as it comes."""
    print(getattr(event, "text", ""), end="", flush=True)


asyncio.run(main(*sys.argv[1:]))
# --8<-- [end:lines]
