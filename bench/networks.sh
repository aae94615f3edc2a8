#!/usr/bin/env bash
# Networks of the evaluation from a million games of two-player Azul and some 300,000 of each other variant, on a machine
# with a GPU and 16 cores: bench/networks.sh FOLDER [azul] [pavilion] [duel]
# Each part takes ten minutes at most. All variants of a game compile at once, take turns on the GPU, and are fitted while the next
# one plays. FOLDER/networks.tar has what is done so far: a network, losses on unseen games and a log for each variant.
# SCALE=0.02 DEVICE=cpu GAMES=64 tries the script out.
set -u
cd "$(dirname "$0")/.."
out=$1
shift
parts=${*:-azul pavilion duel}
PYTHON=${PYTHON:-python3} DEVICE=${DEVICE:-cuda} SCALE=${SCALE:-1} GAMES=${GAMES:-} WITHIN=${WITHIN:-585} work=${WORK:-$(mktemp -d)}
export OMP_NUM_THREADS=1 PYTHONUNBUFFERED=1 PYTHONPATH=$PWD/src:${PYTHONPATH:-}
mkdir -p "$out" "$work/networks"
keep() {
  (cd "$work/networks" && tar cf "../$BASHPID.tar" ./*.txt $(find . -name 'net0.npz' -o -name 'report.json') && mv "../$BASHPID.tar" "$out/networks.tar")
}
learn() { # GAME VARIANT GAMES SIMULATIONS SECONDS, of play
  local log="$work/networks/$1-$2.txt"
  timeout $((ends + 5 - SECONDS)) $PYTHON bench/selfplay.py "$1" --variants "$2" --device "$DEVICE" --games "${GAMES:-$3}" \
    --simulations "$4" --seconds "$(awk "BEGIN { print $5 * $SCALE }")" --epochs 4 --batch 16384 --decay 1e-6 1e-5 --match 0 \
    --lock "$work/turn" --end "$(($(date +%s) + ends - SECONDS))" --out "$work/networks/$1" >"$log" 2>&1
  echo "== $SECONDS s: $1 $2: $(grep -h 'games in' "$log" | tail -n 1)"
  keep
}

for part in $parts; do
  ends=$((SECONDS + WITHIN)) running=()
  while read -r game variant games simulations seconds; do
    [ "$game" = "$part" ] || continue
    learn "$game" "$variant" "$games" "$simulations" "$seconds" &
    running+=($!)
  done <<'VARIANTS'
azul     players=2,wall=coloured 131072 32 60
azul     players=3,wall=coloured  49152 32 55
azul     players=4,wall=coloured  49152 32 75
azul     players=2,wall=grey      98304 32 30
azul     players=3,wall=grey      49152 32 55
azul     players=4,wall=grey      49152 32 75
pavilion players=2,side=coloured  65536 20 45
pavilion players=3,side=coloured  24576 14 60
pavilion players=4,side=coloured  24576 12 75
pavilion players=2,side=plain     65536 20 55
pavilion players=3,side=plain     24576 14 70
pavilion players=4,side=plain     24576 12 85
duel     tablets=3                98304 20 400
VARIANTS
  wait "${running[@]}"
done
