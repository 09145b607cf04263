#!/usr/bin/env bash
# Runs the GPU suite in the folder that scripts/pack-gpu made, where there is a
# GPU and neither LLVM nor a network. Ends with the suite's counts and a table
# of two_tenants: lazy loading, eager loading, and with the plan. Logs go to
# $OUT (default: logs/ in this folder). Exit status 0 when every test passed and
# nothing stalled with the plan.
#
#   ./run.sh             everything
#   ./run.sh --table     the table only
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2
OUT=${OUT:-$PWD/logs}
mkdir -p "$OUT"
export PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null ||
  echo "nvidia-smi does not answer here"
echo "$(date -u +%Y-%m-%dT%H:%MZ), packed from $(cat revision)"

status=0
if [ "${1:-}" != --table ]; then
  echo
  echo "== PYTHONPATH=python python3 -m lit.main -v test"
  PYTHONPATH=python python3 -c 'from lit.main import main; main()' -v \
    --output "$OUT/lit.json" test 2>&1 | tee "$OUT/lit.log" || status=1
  # A suite in which nothing ran has not passed.
  grep -q '^ *Passed' "$OUT/lit.log" || status=1
  for log in facts.txt facts.jsonl; do
    cp "test/gpu/Output/facts.test.tmp.$log" "$OUT/$log" 2>/dev/null || status=1
  done
  echo
  cat "$OUT/facts.txt" 2>/dev/null
fi

if [ "${1:-}" != --table ]; then
  echo
  devrt=lib/libcudadevrt.a
  [ -f "$devrt" ] || devrt=
  bin/kplan probe ${devrt:+--cudadevrt "$devrt"} -o "$OUT/probe.json" |
    tee "$OUT/probe.txt" || status=1
fi

echo
python3 compare.py --json "$OUT/two_tenants.json" | tee "$OUT/two_tenants.md" ||
  status=1
echo
[ ! -f "$OUT/lit.log" ] || sed -n '/^Total Discovered/,$p' "$OUT/lit.log"
[ "$status" = 0 ] && echo "gpu suite: ok" || echo "gpu suite: FAILED"
exit "$status"
