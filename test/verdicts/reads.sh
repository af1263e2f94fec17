#!/bin/bash
# Every library function that reads what a pointer leads to (reads.txt): no proof where that memory was freed, no failure where it is there.
# By default the first name of each 36th line; with TP_SOAK=1 all names. An argument is a pattern of names. Run from anywhere.
cd "$(dirname "$0")/../.." || exit 1
. test/verdicts.common
tool=${TWOPROOF:-build/twoproof}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

line=0
head='#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <grp.h>
#include <inttypes.h>
#include <libintl.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <net/if.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <syslog.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>
#include <wchar.h>
char *__strdup(const char *);
struct all { struct tm tm; struct timespec spec; struct timeval val; time_t t; unsigned seed; double number; int exponent; };
int main(void) {
  int n = 0;
  char *p = malloc(8);
  wchar_t *q = malloc(8 * sizeof *q);
  struct all *s = calloc(1, sizeof *s);
  if (!p || !q || !s) return 0;
  strcpy(p, "5 b");
  wcscpy(q, L"5 b");'

# program NAME STATEMENT WHAT: WHAT is "good" or "bad"
program() {
  echo "$head"
  [ "$3" = good ] || echo '  free(p), free(q), free(s);'
  printf '  %s\n' "$(sed -E "s/(^|[^A-Za-z_0-9])F([^A-Za-z_0-9])/\1$1\2/g" <<<"$2")"
  [ "$3" = bad ] || echo '  free(p), free(q), free(s);'
  echo '  return n > 99; }'
}
while IFS='|' read -r names statement; do
  case $names in ''|'#'*) continue ;; esac
  line=$((line + 1))
  [ -n "${TP_SOAK:-}${1:-}" ] || [ $((line % 36)) = 0 ] || continue
  for name in $names; do
    case $name in ${1:-*}) ;; *) continue ;; esac
    for what in good bad; do
      program "$name" "$statement" $what >"$dir/program.c"
      got=$(timeout 120 "$tool" check --property=valid-memsafety --timelimit=20 "$dir/program.c" 2>/dev/null </dev/null | sed -n 's/^RESULT: //p')
      case $what:$got in
        good:true | good:unknown* | bad:false* | bad:unknown*) passed=$((passed + 1)) ;;
        *) failed=$((failed + 1)); echo "FAILED $name, $what: ${got:-no answer}" ;;
      esac
      [ -z "${TP_SHOW:-}" ] || echo "$name $what $got"
    done
    [ -n "${TP_SOAK:-}${1:-}" ] || break
  done
done <test/verdicts/reads.txt
finish
