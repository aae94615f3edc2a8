"""Pictures in pieces, and what changed from one picture to the next.

A picture's text is cut at every ` id="`. A piece is named by the id with which it begins, the first one by "". A patch
has the pieces that are new or changed, so that a client that has the pieces of the last picture can put together the
text of the next one, to the letter.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from .messages import Patch

CUT = ' id="'
_Texts = Sequence[str]  # what a picture's text is made of


def cut(text: str) -> dict[str, str] | None:
    """The pieces of a text by id, in order; None if an id stands twice."""
    first, *others = text.split(CUT)
    pieces = {"": first}
    for piece in others:
        pieces[piece[: piece.index('"')]] = piece
    return pieces if len(pieces) == 1 + len(others) else None


def patch(before: _Texts, after: _Texts) -> Patch | None:
    """What changed between two pictures, each given as texts that make it; None if that cannot be told in pieces,
    because an id stands twice."""
    told, shift = Patch({}, [], {}), len(after) - len(before)
    for first, last in _spans(before, after):
        found, open_ = _inside(before[first], after[first]) if not shift and last - first == 1 else (None, "")
        if found is None:
            start, end = _piece_before(after, first), _piece_after(after, last)
            old, new = before[first : last - shift], after[first:last]
            found = _difference("".join([start, *old, end]), "".join([start, *new, end]))
            if found is None:
                return None
        told.pieces.update(found.pieces)
        told.gone.extend(found.gone)
        told.after.update(found.after)
        if open_:
            told.pieces[open_] += _piece_after(after, last)
    return told


@lru_cache(4096)
def _inside(old: str, new: str) -> tuple[Patch | None, str]:
    """What changed in a text, if that concerns only pieces that begin there; and the last piece of it, if it changed
    and goes on in the texts that follow. Kept, because several see the same."""
    was, now = cut(old), cut(new)
    if was is None or now is None or len(now) < 2 or was[""] != now[""] or list(was)[-1] != list(now)[-1]:
        return None, ""
    found, last = _difference(old, new), list(now)[-1]
    return found, last if found and last in found.pieces else ""


@lru_cache(1024)
def _difference(old: str, new: str) -> Patch | None:
    """What changed in one place. A piece that changed places is gone, and new. Kept, because several see the same."""
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


def _spans(before: _Texts, after: _Texts) -> list[tuple[int, int]]:
    """Where the second differs, as ranges of its texts, between any two of which a piece begins."""
    if len(before) != len(after):
        most = min(len(before), len(after))
        first = next((k for k in range(most) if before[k] != after[k]), most)
        last = next((k for k in range(most - first) if before[-1 - k] != after[-1 - k]), most - first)
        return [(first, len(after) - last)]
    spans = list[tuple[int, int]]()
    pairs = enumerate(zip(before, after, strict=True))
    for k in [k for k, (old, new) in pairs if old is not new and old != new]:
        if spans and not any(CUT in text for text in after[spans[-1][1] : k]):
            spans[-1] = spans[-1][0], k + 1
        else:
            spans.append((k, k + 1))
    return spans


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
    for part in parts[place:]:
        head, cut_, _tail = part.partition(CUT)
        found += head
        if cut_:
            break
    return found


def apply(pieces: dict[str, str], patch: Patch) -> dict[str, str]:
    """The pieces after a patch, in order: what a client does."""
    ids = [id_ for id_ in pieces if id_ not in patch.gone]
    for id_, previous in patch.after.items():
        ids.insert(ids.index(previous) + 1, id_)
    return {id_: patch.pieces.get(id_, pieces.get(id_, "")) for id_ in ids}
