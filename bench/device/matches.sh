#!/usr/bin/env bash
# matches.sh OUT: matches at equal time of new.tar.xz against old.tar.xz in all three games, on all cores, without a GPU.
mkdir -p "$1"; OUT=$(realpath "$1"); HERE=$(realpath "$(dirname "$0")"); PY=${PY:-python}; CORES=${CORES:-0-$(( $(nproc) - 1 ))}
WORK=${WORK:-/tmp/matches}; rm -rf "$WORK"; mkdir -p "$WORK/new" "$WORK/old"; DEPS=$PYTHONPATH
tar xf "$HERE/new.tar.xz" -C "$WORK/new"; tar xf "$HERE/old.tar.xz" -C "$WORK/old"; cd "$WORK/new"
versus() { PYTHONPATH=$WORK/new/src:$DEPS timeout 400 "$PY" bench/versions.py "$1" --old "$WORK/old/src" --new "$WORK/new/src" "${@:2}"; }
T0=$(date +%s)
for game in azul pavilion duel; do versus $game --compile 2> /dev/null & done; wait; echo "compiled in $(( $(date +%s) - T0 )) s"
for game in azul pavilion duel; do versus $game --seconds "${SECONDS_EACH:-125}" --cores "$CORES" --out "$OUT/$game.jsonl" "${@:2}"; done 2>&1 | grep -v Compiling | tee "$OUT/matches.txt"
