"""Pictures in pieces, and what changed from one picture to the next.

A picture's text is cut at every ` id="`. A piece is named by the id with which it begins, the first one by "". A patch
has the pieces that are new or changed, so that a client that has the pieces of the last picture can put together the
text of the next one, to the letter.
"""

from functools import lru_cache
from typing import NamedTuple

from .messages import Patch

CUT = ' id="'


class Shown(NamedTuple):
    """What a client was shown last: its pieces' ids in order, and hashes of their texts."""

    ids: tuple[str, ...]
    hashes: tuple[int, ...]


class Pieces(NamedTuple):
    """A picture in pieces, in order."""

    shown: Shown
    texts: tuple[str, ...]


@lru_cache(64)
def _unique(ids: tuple[str, ...]) -> bool:
    return len(set(ids)) == len(ids)


@lru_cache(256)
def cut(picture: str) -> Pieces:
    """A picture's pieces. Kept, because several are shown the same."""
    texts = tuple(picture.split(CUT))
    ids = "", *[text[: text.index('"')] for text in texts[1:]]
    return Pieces(Shown(ids, tuple(map(hash, texts))), texts)


def patch(before: Shown, after: Pieces) -> Patch | None:
    """What changed; None if that cannot be told in pieces, because an id stands twice or pieces changed places."""
    old, (new, hashes), texts = before.ids, after.shown, after.texts
    if not _unique(old) or not _unique(new):
        return None
    if old == new:
        pairs = enumerate(zip(before.hashes, hashes, strict=True))
        return Patch({new[k]: texts[k] for k, (was, now) in pairs if was != now})
    known, wanted = dict(zip(old, before.hashes, strict=True)), set(new)
    if [id_ for id_ in old if id_ in wanted] != [id_ for id_ in new if id_ in known]:
        return None
    changed = {id_: text for id_, text, now in zip(new, texts, hashes, strict=True) if known.get(id_) != now}
    after_ = {id_: new[k - 1] for k, id_ in enumerate(new) if id_ not in known}
    return Patch(changed, [id_ for id_ in old if id_ not in wanted], after_)


def apply(pieces: dict[str, str], patch: Patch) -> dict[str, str]:
    """The pieces after a patch, in order: what a client does."""
    ids = [id_ for id_ in pieces if id_ not in patch.gone]
    for id_, previous in patch.after.items():
        ids.insert(ids.index(previous) + 1, id_)
    return {id_: patch.pieces.get(id_, pieces.get(id_, "")) for id_ in ids}
