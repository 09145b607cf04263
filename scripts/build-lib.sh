# Shared by scripts/demo and scripts/check: sourced, not run.

die() {
  echo "$(basename "$0"): error: $*" >&2
  exit 2
}

# build PRESET [target...]: installs what is missing, configures once, builds.
# Sets BUILD. Output goes to a log that is shown only when something fails.
build() {
  local preset=$1
  shift
  "$ROOT/scripts/install-deps" || exit 2
  BUILD=${KPLAN_BUILD_DIR:-$ROOT/build/$preset}
  mkdir -p "$BUILD"
  local log=$BUILD/$(basename "$0").log
  : >"$log"
  if [ ! -f "$BUILD/build.ninja" ]; then
    echo "Configuring ($preset)"
    (cd "$ROOT" && cmake --preset "$preset" -B "$BUILD") >>"$log" 2>&1 || {
      cat "$log" >&2
      die "CMake failed; the log is $log"
    }
    grep -E '^-- (CUDA toolkit|No CUDA toolkit)' "$log" | sed 's/^-- /  /' || true
  fi
  echo "Building"
  local targets=()
  [ $# -eq 0 ] || targets=(--target "$@")
  cmake --build "$BUILD" "${targets[@]}" >>"$log" 2>&1 || {
    tail -n 60 "$log" >&2
    die "the build failed; the log is $log"
  }
}

# Whether a CUDA GPU is there that a program could use.
gpu_visible() {
  [ -z "${KPLAN_NO_GPU:-}" ] && compgen -G '/dev/nvidia[0-9]*' >/dev/null &&
    ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1'
}
