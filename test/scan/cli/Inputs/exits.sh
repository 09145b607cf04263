# exits.sh CODE COMMAND...: runs the command; fails unless it exits with CODE.
expected=$1
shift
"$@"
code=$?
[ "$code" -eq "$expected" ] && exit 0
echo "expected exit code $expected, got $code: $*" >&2
exit 1
