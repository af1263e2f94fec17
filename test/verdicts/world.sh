#!/bin/bash
# Every model of a library function: a program that calls it fails behind the call, and the failure is confirmed by both compilers (world.txt).
# By default twelve calls share a program, and every twelfth of these programs is tried; with TP_SOAK=1 each call has one of its own. An argument is a pattern of names,
# whose programs are all tried. Run from the project's root.
cd "$(dirname "$0")/../.." || exit 1
. test/verdicts.common
tool=${TWOPROOF:-build/twoproof}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
together=12 every=12
[ -z "${TP_SOAK:-}" ] || together=1 every=1
[ $# -eq 0 ] || every=1

head='#define _GNU_SOURCE
#define _DEFAULT_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <fnmatch.h>
#include <getopt.h>
#include <grp.h>
#include <inttypes.h>
#include <langinfo.h>
#include <libintl.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <net/if.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <syslog.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>
#include <wchar.h>
#include <wctype.h>
char *__xpg_basename(char *), *dirname(char *);
int __xpg_strerror_r(int, char *, size_t);
long __fdelt_chk(long);
char *gets(char *);
int isnanf(float), isinff(float), finitef(float), __isnan(double), __isnanf(float), __isinf(double), __isinff(float), __finite(double), __finitef(float);
int __signbit(double), __signbitf(float), __fpclassify(double), __fpclassifyf(float);
int _IO_getc(FILE *), _IO_putc(int, FILE *);
char *__strdup(const char *);
static void nothing(void) {}
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int with_list(int f(const char *, va_list), const char *format, ...) { va_list l; va_start(l, format); int n = f(format, l); va_end(l); return n; }
static int with_file_and_list(int f(FILE *, const char *, va_list), const char *format, ...) { va_list l; va_start(l, format); int n = f(stdout, format, l); va_end(l); return n; }
static int with_buffer_and_list(int f(char *, const char *, va_list), char *b, const char *format, ...) { va_list l; va_start(l, format); int n = f(b, format, l); va_end(l); return n; }
static int with_size_and_list(int f(char *, size_t, const char *, va_list), char *b, size_t k, const char *format, ...) { va_list l; va_start(l, format); int n = f(b, k, format, l); va_end(l); return n; }
int main(int argc, char **argv) {
  int n = 0;'

# one_program FILE NAME...: the calls, then the failure.
one_program() {
  local file=$1
  shift
  { echo "$head"
    for name; do grep -h -x ".*" "$dir/statements/$name"; done
    echo '  int *nowhere = 0; return n + *nowhere; }'; } >"$file"
}

mkdir "$dir/statements" && : >"$dir/played" && : >"$dir/library" && : >"$dir/alone"
while IFS='|' read -r names statement; do
  case $names in ''|'#'*) continue ;; esac
  for name in $names; do
    echo "$name" >>"$dir/listed"
    case $name in ${1:-*}) ;; *) continue ;; esac
    case $statement in ' - '*) continue ;; esac
    case $statement in ' ~ '*) kind=library ;; ' ! '*) kind=alone ;; *) kind=played ;; esac
    echo "$name" >>"$dir/$kind"
    printf '  %s\n' "$(sed -E "s/(^|[^A-Za-z_0-9])F([^A-Za-z_0-9])/\1$name\2/g" <<<"${statement# [~!]}")" >"$dir/statements/$name"
  done
done <test/verdicts/world.txt

if [ $# -eq 0 ]; then
  missing=$(cut -d' ' -f1 build/lib/libc/index | sort -u | comm -23 - <(sort -u "$dir/listed"))
  if [ -z "$missing" ]; then echo "ok every model has its line"; passed=$((passed + 1))
  else echo "FAILED models without a line:" $missing; failed=$((failed + 1)); fi
fi

for kind in played library alone; do
  [ $kind = alone ] && together=1
  turn=0
  while mapfile -t -n $together group && [ ${#group[@]} -gt 0 ]; do
    turn=$((turn + 1))
    [ $((turn % every)) = $((1 % every)) ] || continue  # the first of each kind is among them
    one_program "$dir/program.c" "${group[@]}"
    timeout 120 "$tool" check --missing=any --property=valid-deref --timelimit=60 "$dir/program.c" >"$dir/out" 2>&1
    if grep -q '^RESULT: false(valid-deref)' "$dir/out" && grep -q 'confirmed on the builds of clang and gcc' "$dir/out"; then
      echo "ok ${group[*]}"; passed=$((passed + 1))
    else
      echo "FAILED ${group[*]}"; tail -n 3 "$dir/out" | sed 's/^/  | /'; failed=$((failed + 1))
    fi
  done <"$dir/$kind"
done
finish
