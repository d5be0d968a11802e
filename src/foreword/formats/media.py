"""Pictures and files that a message refers to.

Below the formats of chats, above `decoding`. Invariant: a file is carried by reference; one that is
written into the message itself is named by its digest.
"""

from __future__ import annotations

from hashlib import blake2b

from foreword.domain.storable import storable_text
from foreword.domain.turn import MediaPart

_TYPES = {
    "gif": "image/gif",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "md": "text/markdown",
    "mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "ogg": "audio/ogg",
    "pdf": "application/pdf",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain",
    "wav": "audio/wav",
    "webm": "video/webm",
    "webp": "image/webp",
}
"""A table of our own: the type is part of the digest and must not depend on the machine."""


def media_part(reference: str, kind: str) -> MediaPart:
    """Return the part for a reference.

    Args:
        reference: a path, an address or a `data:` URL.
        kind: a media type, or its first half where the reference's ending says the rest.
    """
    reference = storable_text(reference)
    if reference.startswith("data:"):
        media_type = reference[5:].split(",")[0].split(";")[0] or "application/octet-stream"
        digest = blake2b(reference.encode(), digest_size=16).hexdigest()
        return MediaPart(media_type=media_type, reference=f"blake2b:{digest}")
    return MediaPart(media_type=media_type_of(reference, kind), reference=reference)


def media_type_of(name: str, kind: str) -> str:
    """Return the media type of a file, see `media_part`."""
    suffix = name.split("?", maxsplit=1)[0].rpartition(".")[2].lower()
    return kind if "/" in kind else _TYPES.get(suffix, f"{kind}/*")
