#!/usr/bin/env bash
# The figures of docs/baselines.md, on a machine with a GPU and 16 cores: bench/baselines.sh FOLDER [examples] [train] [data] [table]
# Without parts: all of them, in eleven minutes. Each part has a time limit of its own; what it found is in the folder when it ends.
set -u
cd "$(dirname "$0")/.."
out=$1 work=${WORK:-$(mktemp -d)}
shift
parts=" ${*:-examples train data table} "
PYTHON=${PYTHON:-python3} DEVICE=${DEVICE:-cuda} CORES=${CORES:-16} EXAMPLE=${EXAMPLE:-15} WITHIN=${WITHIN:-284} FIRST=${FIRST:-115}
OTHERS=${OTHERS:-21} TABLE=${TABLE:-150} GAMES=${GAMES:-10000} SIMULATIONS=${SIMULATIONS:-200} MEASURED=${MEASURED:-4000}
VARIANTS=${VARIANTS:-azul-2 azul-3 azul-4 pavilion-2 pavilion-3 pavilion-4 duel-2} RATED=${RATED:-} STEPS=${STEPS:-100000000000}
export OMP_NUM_THREADS=1 PYTHONUNBUFFERED=1 PYTHONPATH=$PWD/src:${PYTHONPATH:-}
mkdir -p "$out" "$work/logs" "$work/weights" "$work/checkpoints" "$work/data"
say() { echo "== $SECONDS s: $*"; }
keep() { # checkpoints by game, as they are large
  local kind name
  for kind in logs weights checkpoints/azul checkpoints/pavilion checkpoints/duel; do
    name=${kind/\//-}
    (cd "$work" && tar cf "$name.$BASHPID" $kind* && mv "$name.$BASHPID" "$out/$name.tar") 2>/dev/null
  done
}
wanted() { [[ $parts = *" $1 "* ]]; }
dataset() { # GAME GAMES DEVICE PROCESSES FILE
  local started=$SECONDS where="--processes $4"
  [ "$3" = cuda ] && where="--device cuda"
  $PYTHON -m azulejos.baselines dataset "$1" --games "$2" --simulations "$SIMULATIONS" $where --out "$5" </dev/null &&
    say "dataset $1: $2 games on $3 in $((SECONDS - started)) s, $(stat -c %s "$5") bytes, $(sha256sum <"$5" | cut -c1-16)"
}
train() { # VARIANT SECONDS: compiles beside the others, trains when its turn comes
  local game=${1%-*} players=${1#*-} option=""
  [ "$game" = duel ] || option="--players $players"
  timeout $((ends + 10 - SECONDS)) $PYTHON -m azulejos.baselines train "$game" $option --device "$DEVICE" --seconds "$2" --within $((ends - SECONDS)) \
    --steps "$STEPS" --measured "$MEASURED" --turn "$work/turn" --checkpoints "$work/checkpoints" \
    --log "$work/logs/train-$1.jsonl" --out "$work/weights/$1.npz" >"$work/logs/train-$1.txt" 2>&1
  say "$1: $(grep steps "$work/logs/train-$1.txt" | tail -n 1)"
  keep
}

if wanted examples; then
  say "examples"
  timeout 90 $PYTHON examples/torch_ppo.py --device "$DEVICE" --seconds "$EXAMPLE" >"$work/logs/torch_ppo.txt" 2>&1 &
  one=$!
  timeout 90 $PYTHON examples/jax_policy.py --device "$DEVICE" --seconds "$EXAMPLE" >"$work/logs/jax_policy.txt" 2>&1 &
  wait $one $!
  tail -n 4 "$work/logs/torch_ppo.txt" "$work/logs/jax_policy.txt"
fi

if wanted train; then
  say "training"
  ends=$((SECONDS + WITHIN)) first=1 trainers=()
  for variant in $VARIANTS; do
    if [ $first = 1 ]; then
      train "$variant" "$FIRST" &
      trainers+=($!) first=0
      for _ in $(seq 120); do # until it has its turn
        grep -qs steps "$work/logs/train-$variant.txt" && break
        kill -0 $! 2>/dev/null || break
        sleep 0.5
      done
      say "$variant trains; the others compile"
    else
      train "$variant" "$OTHERS" &
      trainers+=($!)
    fi
  done
  wait "${trainers[@]}"
fi

if wanted data; then
  say "datasets"
  for game in azul pavilion duel; do dataset $game 100 cpu "$CORES" "$work/data/$game.npz"; done
  tar cf "$out/data.tar" -C "$work" data
  dataset azul 100 "$DEVICE" 1 "$work/azul-100.npz"
  dataset azul "$GAMES" cpu $((CORES / 2)) "$work/azul.npz" &
  dataset pavilion "$GAMES" "$DEVICE" 1 "$work/pavilion.npz" &
  wait
fi 2>&1 | tee "$work/logs/dataset.txt"

if wanted table; then
  say "ratings"
  timeout $((TABLE + 90)) $PYTHON bench/baselines.py play --checkpoints "$work/checkpoints" --seconds "$TABLE" \
    --processes $((CORES > 2 ? CORES - 1 : CORES)) $(for variant in $VARIANTS; do echo "--variant $variant"; done) \
    ${RATED:+--others $RATED} --out "$out/table.json" 2>&1 | tee "$work/logs/table.txt"
fi
keep
say "done"
