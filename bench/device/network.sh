#!/usr/bin/env bash
# network.sh OUT: on a machine with a GPU and 16 cores, in under ten minutes. Beside it lie new.tar.xz and old.tar.xz.
# Cores 0-3 are the GPU's processes', the rest play matches at equal time. PYTHONPATH leads to numba and msgspec.
mkdir -p "$1"; FINAL=$(realpath "$1"); HERE=$(realpath "$(dirname "$0")"); LIMIT=${LIMIT:-560}; LAST=$(( $(nproc) - 1 ))
GPU_CORES=${GPU_CORES:-0-3}; MATCH_CORES=${MATCH_CORES:-4-$LAST}; PY=${PY:-python}
T0=$(date +%s); END=$((T0 + LIMIT)); WORK=${WORK:-/tmp/network}; rm -rf "$WORK"; OUT=$WORK/out; mkdir -p "$WORK/new" "$WORK/old" "$OUT"
tar xf "$HERE/new.tar.xz" -C "$WORK/new"; tar xf "$HERE/old.tar.xz" -C "$WORK/old"
DEPS=$PYTHONPATH; LOG=$OUT/log.txt; LOCK=$WORK/gpu.lock; touch "$LOCK"
say() { echo "[$(( $(date +%s) - T0 )) s] $*" | tee -a "$LOG"; }
tree() { rm -rf "$WORK/$1"; mkdir "$WORK/$1"; cp -r "$WORK/new/src" "$WORK/$1/src"; cp "$3" "$WORK/$1/src/azulejos/games/$2/network.npz"; }
match() {  # match NAME GAME TREE UNTIL [ARGUMENTS]
  local name=$1 game=$2 new=$3 until=$4; shift 4
  [ "$until" -gt "$END" ] && until=$END
  [ $(( until - $(date +%s) )) -lt 15 ] && return
  (cd "$WORK/new" && PYTHONPATH=$WORK/new/src:$DEPS timeout $(( END + 20 - $(date +%s) )) "$PY" bench/versions.py "$game" \
    --old "$WORK/old/src" --new "$WORK/$new/src" --seconds 600 --end "$until" --cores "$MATCH_CORES" --out "$OUT/$name.jsonl" "$@" 2>&1 | tee -a "$LOG")
}
learn() {  # learn GAME ARGUMENTS
  local game=$1; shift; mkdir -p "$OUT/$game"
  (cd "$WORK/new" && PYTHONPATH=$WORK/new/src:$DEPS timeout $(( LIMIT + 15 )) env $LEARN_ENV "$PY" bench/selfplay.py "$game" \
    --cores "$GPU_CORES" --lock "$LOCK" --end $((END - 15)) --out "$OUT/$game" "$@" 2>&1 | sed -u "s/^/$game: /" >> "$LOG"; touch "$OUT/$game/labelled" "$OUT/$game/trained"; say "$game is done")
}
GAMES=${GAMES:-16384}
learn azul --games "$GAMES" --priors ${AZUL_PRIORS:-45} --seconds ${AZUL:-130} --simulations ${SIMS:-160} --match ${MATCH:-60} \
  --match-simulations ${SIMS:-160} --decay 1e-6 1e-5 ${MORE} &
AZUL_JOB=$!
learn pavilion --after "$OUT/azul/labelled" --games "$GAMES" --seconds ${PAVILION:-95} --simulations ${SIMS:-100} --match ${MATCH:-60} --match-simulations ${SIMS:-100} \
  --decay 1e-6 1e-5 1e-4 ${MORE} &
PAVILION_JOB=$!
learn duel --after "$OUT/azul/trained" --games "${DUEL_GAMES:-12288}" --seconds ${DUEL:-120} --simulations ${SIMS:-24} --match ${MATCH:-50} --match-simulations ${SIMS:-24} \
  --decay 1e-6 1e-5 1e-4 ${MORE} &
DUEL_JOB=$!
(  # the matches, one after another
  say "match of the network as it is"
  match azul-candidate azul new $((T0 + ${FIRST:-200}))
  until [ -f "$OUT/azul/priors.npz" ] || [ "$(date +%s)" -gt "$END" ]; do sleep 1; done
  sleep 1; tree priors azul "$OUT/azul/priors.npz"; say "match with priors"
  match azul-priors azul priors $((T0 + ${SECOND:-390}))
  until [ -f "$OUT/azul/net0.npz" ] || [ "$(date +%s)" -gt "$END" ]; do sleep 1; done
  if [ -f "$OUT/azul/net0.npz" ]; then sleep 1; tree learnt azul "$OUT/azul/net0.npz"; say "match of what was learnt"; match azul-learnt azul learnt "$END"; fi
) &
MATCH_JOB=$!
bring() {  # everything so far, as one file and the larger arrays
  (cd "$OUT" && tar czf "$FINAL/nets.part" --exclude=unseen.npz --exclude=visits.npz . && mv "$FINAL/nets.part" "$FINAL/nets.tar.gz")
  for game in azul pavilion duel; do for name in unseen visits; do
    [ -f "$OUT/$game/$name.npz" ] && cp "$OUT/$game/$name.npz" "$FINAL/$game-$name.npz"; done; done
}
(while sleep 30; do bring; done) & BRING_JOB=$!
wait $AZUL_JOB $PAVILION_JOB $DUEL_JOB $MATCH_JOB
kill $BRING_JOB; say "end"; bring; ls -la "$FINAL"; grep -v Compiling "$LOG" | tail -60
