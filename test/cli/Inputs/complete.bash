# complete.bash FILE PROGRAM WORD...: what its completion offers for the last
# word, a line each. As bash does it, "--option=value" is three words.
source "$1"
COMP_WORDS=("${@:2}")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_"${2//-/_}"
printf '%s\n' "${COMPREPLY[@]}"
