#!/usr/bin/env bash
# All figures of docs/baselines.md, on a machine with a GPU and 16 cores, in nine minutes: bench/baselines.sh FOLDER
# Each part has a time limit of its own, and what it found is in the folder when it ends.
set -u
cd "$(dirname "$0")/.."
out=$1 work=$(mktemp -d)
PYTHON=${PYTHON:-python3} DEVICE=${DEVICE:-cuda} CORES=${CORES:-16} EXAMPLE=${EXAMPLE:-15} TRAIN=${TRAIN:-220}
TABLE=${TABLE:-150} GAMES=${GAMES:-10000} SIMULATIONS=${SIMULATIONS:-200} MEASURED=${MEASURED:-2000} STEPS=${STEPS:-3000000000}
VARIANTS=${VARIANTS:-azul-2 pavilion-2 duel-2 azul-3 azul-4 pavilion-3 pavilion-4}
export OMP_NUM_THREADS=1 PYTHONUNBUFFERED=1 PYTHONPATH=$PWD/src:${PYTHONPATH:-}
mkdir -p "$out" "$work/logs" "$work/weights" "$work/checkpoints" "$work/data"
say() { echo "== $SECONDS s: $*"; }
keep() { tar cf "$out/logs.tar" -C "$work" logs; tar cf "$out/weights.tar" -C "$work" weights; }
dataset() { # GAME GAMES DEVICE PROCESSES FILE
  local started=$SECONDS where="--processes $4"
  [ "$3" = cuda ] && where="--device cuda"
  $PYTHON -m azulejos.baselines dataset "$1" --games "$2" --simulations "$SIMULATIONS" $where --out "$5" </dev/null &&
    say "dataset $1: $2 games on $3 in $((SECONDS - started)) s, $(stat -c %s "$5") bytes, $(sha256sum <"$5" | cut -c1-16)"
}
export -f dataset say
export PYTHON SIMULATIONS

say "examples; compiling for the CPU beside them"
for game in azul pavilion duel; do
  timeout 200 nice $PYTHON -c "
from azulejos.core.registry import registered
from azulejos.warming import warm
warm(registered()['$game']())" >"$work/logs/compile-$game.txt" 2>&1 &
done
timeout 90 $PYTHON examples/torch_ppo.py --device "$DEVICE" --seconds "$EXAMPLE" >"$work/logs/torch_ppo.txt" 2>&1 &
one=$!
timeout 90 $PYTHON examples/jax_policy.py --device "$DEVICE" --seconds "$EXAMPLE" >"$work/logs/jax_policy.txt" 2>&1 &
wait $one $!
tail -n 4 "$work/logs/torch_ppo.txt" "$work/logs/jax_policy.txt"
keep

say "training; datasets beside it"
trainers=()
for variant in $VARIANTS; do
  game=${variant%-*} players=${variant#*-}
  [ "$game" = duel ] && option="" || option="--players $players"
  timeout $((TRAIN + 30)) $PYTHON -m azulejos.baselines train "$game" $option --device "$DEVICE" --within "$TRAIN" \
    --steps "$STEPS" --measured "$MEASURED" --checkpoints "$work/checkpoints" --log "$work/logs/train-$variant.jsonl" \
    --out "$work/weights/$variant.npz" >"$work/logs/train-$variant.txt" 2>&1 &
  trainers+=($!)
done
half=$(((CORES + 1) / 2))
timeout $((TRAIN + 10)) nice bash -c "
for game in azul pavilion duel; do dataset \$game 100 cpu $half $work/data/\$game.npz; done
dataset azul $GAMES cpu $half $work/azul.npz
dataset duel $GAMES cpu $half $work/duel.npz" >"$work/logs/dataset-cpu.txt" 2>&1 &
wait "${trainers[@]}" $!
tail -n 2 "$work"/logs/train-*.txt
grep == "$work/logs/dataset-cpu.txt"
tar cf "$out/data.tar" -C "$work" data
keep

say "ratings on the CPU; a dataset on the GPU beside them"
timeout $((TABLE + 40)) bash -c "
dataset azul 100 $DEVICE 1 $work/azul-100.npz
dataset pavilion $GAMES $DEVICE 1 $work/pavilion.npz" >"$work/logs/dataset-gpu.txt" 2>&1 &
timeout $((TABLE + 40)) $PYTHON bench/baselines.py play --checkpoints "$work/checkpoints" --seconds "$TABLE" \
  --processes $((CORES > 2 ? CORES - 1 : CORES)) $(for variant in $VARIANTS; do echo "--variant $variant"; done) \
  --out "$out/table.json" 2>&1 | tee "$work/logs/table.txt"
wait
grep == "$work/logs/dataset-gpu.txt" || tail -n 3 "$work/logs/dataset-gpu.txt"
keep
say "done"
