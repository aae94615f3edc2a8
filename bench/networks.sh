#!/usr/bin/env bash
# Networks of the evaluation from a million games of two-player Azul and some 200,000 to 600,000 of its other variants and of each of
# Pavilion's, on a machine with a GPU and 16 cores: bench/networks.sh FOLDER [azul] [grey] [coloured] [plain] [duel]
# Each part takes four to eight minutes, but Duel's 25, on the cores alone: it can run beside the others. `grey` goes on with the
# networks of `azul`. The variants of a part compile at once, take turns on the GPU, and are fitted while the next one plays.
# FOLDER/networks.tar has what is done so far: networks, losses on unseen games and a log for each variant.
# SCALE=0.02 DEVICE=cpu GAMES=64 tries the script out. WORK is a folder for what `grey` and later calls go on with.
set -u
cd "$(dirname "$0")/.."
out=$1
shift
parts=${*:-azul grey coloured plain duel}
PYTHON=${PYTHON:-python3} DEVICE=${DEVICE:-cuda} SCALE=${SCALE:-1} GAMES=${GAMES:-} WITHIN=${WITHIN:-} work=${WORK:-$(mktemp -d)}
export OMP_NUM_THREADS=1 PYTHONUNBUFFERED=1 PYTHONPATH=$PWD/src:${PYTHONPATH:-}
fitting=45 # seconds kept for the last fit
mkdir -p "$out" "$work/networks"
keep() {
  (cd "$work/networks" && tar cf "../$BASHPID.tar" ./*.txt $(find . -name 'net*.npz' -o -name 'report.json') && mv "../$BASHPID.tar" "$out/networks.tar")
}
learn() { # GAME DEVICE VARIANT GAMES SIMULATIONS SECONDS...: of play
  local game=$1 device=$2 variant=$3 games=$4 simulations=$5 players=${3#players=} first seconds=()
  local log="$work/networks/$game-$variant.txt" learnt="$work/networks/$game/${players%%,*}-${variant##*=}/net0.npz"
  shift 5
  for one in "$@"; do seconds+=("$(awk "BEGIN { print $one * $SCALE }")"); done
  [ -f "$learnt" ] && first="$learnt"
  timeout $((ends + 5 - SECONDS)) $PYTHON bench/selfplay.py "$game" --variants "$variant" --device "$device" --games "${GAMES:-$games}" \
    --simulations "$simulations" --seconds "${seconds[@]}" --epochs 4 --batch 16384 --decay 1e-6 1e-5 --match 0 ${first:+--first "$first"} \
    --lock "$work/turn-$device" --end "$(($(date +%s) + ends - SECONDS - fitting))" --out "$work/networks/$game" >"$log" 2>&1
  echo "== $SECONDS s: $game $variant: $(grep -h 'games in' "$log" | tr '\n' ' ')"
  keep
}

for part in $parts; do
  within=585 device=$DEVICE running=()
  [ "$part" = duel ] && within=1500 device=cpu
  ends=$((SECONDS + ${WITHIN:-$within}))
  while read -r of game variant games simulations seconds; do
    [ "$of" = "$part" ] || continue
    learn "$game" "$device" "$variant" "$games" "$simulations" $seconds &
    running+=($!)
  done <<'VARIANTS'
azul     azul     players=2,wall=coloured 131072 48 90
azul     azul     players=3,wall=coloured  49152 32 45
azul     azul     players=4,wall=coloured  49152 32 60
azul     azul     players=2,wall=grey      98304 32 25
azul     azul     players=3,wall=grey      49152 32 45
azul     azul     players=4,wall=grey      49152 32 60
grey     azul     players=2,wall=grey      49152 32 55
grey     azul     players=3,wall=grey      24576 32 88
grey     azul     players=4,wall=grey      24576 32 88
coloured pavilion players=2,side=coloured  32768 20 80
coloured pavilion players=3,side=coloured  24576 12 75
coloured pavilion players=4,side=coloured  24576 10 90
plain    pavilion players=2,side=plain     32768 20 100
plain    pavilion players=3,side=plain     24576 12 115
plain    pavilion players=4,side=plain     24576 10 140
duel     duel     tablets=3                 8192 20 400 400 420
VARIANTS
  wait "${running[@]}"
done
