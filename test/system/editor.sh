#!/bin/bash
# The language server and contrib/nvim with a client that nobody here wrote: Neovim's, without a screen (test/system/editor.lua).
# usage: test/system/editor.sh     (tools/install-deps --system installs Neovim)
cd "$(dirname "$0")/../.." || exit 1
root=$(pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/home" "$folder/project"
HOME=$folder/home XDG_CONFIG_HOME=$folder/home XDG_DATA_HOME=$folder/home XDG_STATE_HOME=$folder/home XDG_CACHE_HOME=$folder/home \
  timeout 900 nvim --headless --clean \
  --cmd "lua TOOL, FOLDER, CONTRIB = '$root/build/twoproof', '$folder/project', '$root/contrib'" \
  -c "luafile $root/test/system/editor.lua" </dev/null 2>"$folder/messages"
status=$?
[ $status = 0 ] || tail -n 20 "$folder/messages"
exit $status
