#!/bin/bash
# Completion of command lines: bash by a call of its function, zsh in a terminal of its own, fish by its own question. All three read the same tables.
. "$(dirname "$0")/common"
max_lines=200
for s in bash zsh fish; do "$tool" --document-completion=$s >"$dir/$s"; done
mkdir "$dir/here" "$dir/here/folder"
touch "$dir/here/file.c"
cd "$dir/here" || exit 1

# offers NAME WANTED GOT: all words of WANTED are among GOT; a word behind ! is not.
offers() {
  why=
  for w in $2; do
    case $w in
      !*) ! grep -qxF -- "${w#!}" <<<"$3" || why="$why; ${w#!} is offered" ;;
      *) grep -qxF -- "$w" <<<"$3" || why="$why; $w is not offered" ;;
    esac
  done
  echo "$3" >"$dir/both"
  name=$1
  verdict_of_case
}

# ---- bash: words as readline splits them, with = for a word of its own, or not
. "$dir/bash"
compopt() { :; }
in_bash() { COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _twoproof; printf '%s\n' "${COMPREPLY[@]}"; }
offers "bash: commands" "check spec --version" "$(in_bash twoproof "")"
offers "bash: beginning of a command" "check !spec" "$(in_bash twoproof ch)"
offers "bash: options of a command" "--engine= --all --timelimit= !--jobs=" "$(in_bash twoproof check --)"
offers "bash: options of another" "--jobs= !--entry=" "$(in_bash twoproof bench --)"
offers "bash: values" "bmc auto" "$(in_bash twoproof check --engine =)"
offers "bash: beginning of a value" "kinduction !bmc" "$(in_bash twoproof check --engine = ki)"
offers "bash: value as the next word" "lp64 ilp32" "$(in_bash twoproof check --machine "")"
offers "bash: value without = in word breaks" "--engine=bmc" "$(in_bash twoproof check --engine=b)"
offers "bash: configurations" "shape polyhedra" "$(in_bash twoproof check --config =)"
offers "bash: one property" "no-overflow valid-memsafety" "$(in_bash twoproof check --property =)"
offers "bash: the next property" "undefined,no-overflow" "$(in_bash twoproof check --property = undefined,no-)"
offers "bash: groups of help" "everyday all" "$(in_bash twoproof check --help =)"
offers "bash: behind a flag stand files" "file.c folder" "$(in_bash twoproof check --all "")"
offers "bash: files" "file.c folder" "$(in_bash twoproof check "")"
offers "bash: folders" "folder !file.c" "$(in_bash twoproof check --output = "")"
offers "bash: words in the place of a file" "compare report file.c" "$(in_bash twoproof bench "")"
offers "bash: nothing behind --" "!--engine=" "$(in_bash twoproof check file.c -- --e)"
for c in $("$tool" --document-commands); do
  "$tool" "$c" --help | grep -q '^Usage: .*\[options\]' || continue
  offers "bash: all options of $c" "$("$tool" "$c" --help=all | grep -oE -- '^  (-., )?--[a-z-]+=?' | grep -oE -- '--[a-z-]+=?')" "$(in_bash twoproof "$c" --)"
done

# ---- fish
if command -v fish >/dev/null; then
  in_fish() { HOME=$dir fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$dir/fish" "$1" | cut -f1; }
  offers "fish: commands" "check spec" "$(in_fish 'twoproof ')"
  offers "fish: options of a command" "--engine= --all !--jobs=" "$(in_fish 'twoproof check --' | sed 's/^--engine$/--engine=/')"
  offers "fish: values" "--engine=bmc --engine=kinduction" "$(in_fish 'twoproof check --engine=')"
  offers "fish: the next property" "--property=undefined,no-overflow" "$(in_fish 'twoproof check --property=undefined,no-')"
  offers "fish: files" "file.c" "$(in_fish 'twoproof check fi')"
  offers "fish: words in the place of a file" "compare" "$(in_fish 'twoproof bench co')"
else
  echo "fish is not installed: its completion was not tried"
fi

# ---- zsh: what its functions add, written down by a function in the place of compadd
if command -v zsh >/dev/null; then
  mkdir "$dir/zsh_home"
  cat >"$dir/zsh_driver" <<'Z'
zmodload zsh/zpty
zpty z "HOME=$2/zsh_home zsh -f -i"
zpty -w z "PS1=; cd $2/here; autoload -Uz compinit; compinit -D -u; source $2/zsh"
zpty -w z "function compadd { local -a found; [[ \$* == *-[OAD]* ]] || { builtin compadd -O found \"\$@\"; print -rl -- \$found >>$2/zsh_found; }; builtin compadd \"\$@\"; }"
zpty -w z "bindkey '^I' complete-word; print rea''dy"
zpty -r -m z line '*ready*'
zpty -w -n z "$1"$'\t'
for i in {1..100}; do sleep 0.1; [[ -s $2/zsh_found ]] && { sleep 0.3; break }; done
zpty -d z
Z
  in_zsh() {
    rm -f "$dir/zsh_found"
    timeout 60 zsh -f "$dir/zsh_driver" "$1" "$dir" >/dev/null 2>&1
    cat "$dir/zsh_found" 2>/dev/null
  }
  offers "zsh: commands" "check spec" "$(in_zsh 'twoproof ')"
  offers "zsh: options of a command" "--engine --all !--jobs" "$(in_zsh 'twoproof check --' | sed 's/=$//')"
  offers "zsh: values" "bmc kinduction" "$(in_zsh 'twoproof check --engine=')"
  offers "zsh: the next property" "no-overflow" "$(in_zsh 'twoproof check --property=undefined,no-')"
  offers "zsh: files" "file.c" "$(in_zsh 'twoproof check fi')"
  offers "zsh: words in the place of a file" "compare" "$(in_zsh 'twoproof bench co')"
else
  echo "zsh is not installed: its completion was not tried"
fi
finish
