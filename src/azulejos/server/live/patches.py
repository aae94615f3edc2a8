"""Pictures in pieces, and what changed from one picture to the next.

A picture's text is cut at every ` id="`. A piece is named by the id with which it begins, the first one by "". A patch
has the pieces that are new or changed, so that a client that has the pieces of the last picture can put together the
text of the next one, to the letter.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress, pairwise
from operator import is_not
from typing import NamedTuple

import msgspec

from .messages import Patch

CUT = ' id="'
_Texts = Sequence[str]  # what a picture's text is made of
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Patch).decode


def cut(text: str) -> dict[str, str] | None:
    """The pieces of a text by id, in order; None if an id stands twice."""
    first, *others = text.split(CUT)
    pieces = {"": first}
    for piece in others:
        pieces[piece[: piece.index('"')]] = piece
    return pieces if len(pieces) == 1 + len(others) else None


def sent(before: _Texts, after: _Texts) -> Patch | msgspec.Raw | None:
    """What changed between two pictures, each given as texts that make it, as it is sent: put together from the JSON of
    its parts. None if that cannot be told in pieces, because an id stands twice."""
    found = _changes(before, after)
    if found is None:
        return None
    parts = [part for part in found if isinstance(part, _Inside)]
    if len(parts) < len(found):  # an id may be in two of them
        return _joined(found)
    pieces, gone, added = (b",".join(filter(None, texts)) for texts in zip(*parts, strict=True)) if parts else _NOTHING
    return msgspec.Raw(_SENT % (pieces, gone, added))


class _Inside(NamedTuple):
    """What changed inside a text: the fields of a patch as JSON, without the brackets around."""

    pieces: bytes
    gone: bytes
    after: bytes


_NOTHING = _Inside(b"", b"", b"")
_SENT = b'{"pieces":{%b},"gone":[%b],"after":{%b}}'


def _changes(before: _Texts, after: _Texts) -> list[_Inside | Patch] | None:
    """What changed, text by text; None if that cannot be told."""
    if len(before) != len(after):
        whole = _difference("".join(before), "".join(after))
        return [whole] if whole else None
    told = list[_Inside | Patch]()
    for k in compress(range(len(after)), map(is_not, before, after)):
        old, new = before[k], after[k]
        if old == new:
            continue
        rest = _piece_after(after, k + 1)
        inside = _inside(old, new, rest)
        if inside and not (k and inside.pieces.startswith(b'"":')):
            told.append(inside)
            continue
        start = _piece_before(after, k)  # it concerns the piece that goes on there, too
        found = _difference(start + old + rest, start + new + rest)
        if found is None:
            return None
        told.append(found)
    return told


def _joined(found: Sequence[_Inside | Patch]) -> Patch:
    told = Patch({}, [], {})
    for part in found:
        changed = _decode(_SENT % part) if isinstance(part, _Inside) else part
        told.pieces.update(changed.pieces)
        told.gone.extend(changed.gone)
        told.after.update(changed.after)
    return told


@lru_cache(1 << 13)
def _inside(old: str, new: str, rest: str) -> _Inside | None:
    """What changed in a text, if that concerns only pieces that begin there, and the one before it. `rest`: the rest of
    the last piece, in the texts that follow. Kept, because several see the same."""
    if CUT not in old or CUT not in new:
        return None
    found = _difference(old + rest, new + rest)
    if found is None or "" in found.after.values():
        return None
    return _Inside(*[_encode(part)[1:-1] if part else b"" for part in (found.pieces, found.gone, found.after)])


def _difference(old: str, new: str) -> Patch | None:
    """What changed in one place. A piece that changed places is gone, and new."""
    was, now = cut(old), cut(new)
    if was is None or now is None:
        return None
    if list(was) == list(now):
        return Patch({id_: text for id_, text in now.items() if was[id_] != text})
    places, last, stay = {id_: k for k, id_ in enumerate(was)}, -1, set[str]()
    for id_ in now:
        if places.get(id_, -1) > last:
            last = places[id_]
            stay.add(id_)
    pieces = {id_: text for id_, text in now.items() if id_ not in stay or was[id_] != text}
    added = {id_: previous for previous, id_ in pairwise(now) if id_ not in stay}
    return Patch(pieces, [id_ for id_ in was if id_ not in stay], added)


def _piece_before(parts: _Texts, place: int) -> str:
    """The piece that goes on at a place, up to there."""
    found = ""
    for part in reversed(parts[:place]):
        start = part.rfind(CUT)
        if start >= 0:
            return part[start:] + found
        found = part + found
    return found


def _piece_after(parts: _Texts, place: int) -> str:
    """The rest of the piece that goes on at a place."""
    found = ""
    while place < len(parts):
        part = parts[place]
        end = part.find(CUT)
        if end >= 0:
            return found + part[:end]
        found += part
        place += 1
    return found


def apply(pieces: dict[str, str], patch: Patch) -> dict[str, str]:
    """The pieces after a patch, in order: what a client does."""
    ids = [id_ for id_ in pieces if id_ not in patch.gone]
    for id_, previous in patch.after.items():
        ids.insert(ids.index(previous) + 1, id_)
    return {id_: patch.pieces.get(id_, pieces.get(id_, "")) for id_ in ids}
