/* The arguments of main, apart from each other: where the system puts them, the environment lies
 * behind argv's last slot and another string behind each string, so that no sanitizer sees where an
 * access leaves them. main gets copies with poisoned memory around each. */
enum { TP_ARGV_ROOM = 1 << 20, TP_ARGV_GAP = 4096 };
static char tp_argv_room[TP_ARGV_ROOM] __attribute__((aligned(16)));
static tp_size tp_argv_used = TP_ARGV_GAP;

/* n bytes; 0: there is no room. */
QUIET static char *tp_argv_place(tp_size n) {
  char *at = tp_argv_room + tp_argv_used;
  if (n > TP_ARGV_ROOM - TP_ARGV_GAP - tp_argv_used) return 0;
  tp_argv_used += n + TP_ARGV_GAP;
  tp_argv_used += -tp_argv_used & 15;
  return tp_argv_used > TP_ARGV_ROOM - TP_ARGV_GAP ? 0 : at;
}

QUIET static char **tp_argv_copy(int argc, char **argv) {
  const tp_size n = ((tp_size)argc + 1) * sizeof *argv;
  char **copy = (char **)tp_argv_place(n);
  if (!copy) return argv;
  for (int i = 0; i < argc; i++) {
    tp_size length = 0;
    while (argv[i][length]) length++;
    copy[i] = tp_argv_place(length + 1);
    if (!copy[i]) return argv;
    for (tp_size k = 0; k <= length; k++) copy[i][k] = argv[i][k];
  }
  char *behind = (char *)copy + n;  // of what is written before the poison
  copy[argc] = 0;
  __asan_poison_memory_region(tp_argv_room, (tp_size)((char *)copy - tp_argv_room));
  for (int i = 0; i < argc; i++) {
    const tp_size from = (tp_size)(behind - tp_argv_room);
    __asan_poison_memory_region(behind, (tp_size)(copy[i] - tp_argv_room) - from);
    behind = copy[i];
    while (*behind) behind++;
    behind++;
  }
  __asan_poison_memory_region(behind, (tp_size)(tp_argv_room + TP_ARGV_ROOM - behind));
  return copy;
}

extern int __real_main(int, char **, char **);
QUIET int __wrap_main(int argc, char **argv, char **environment) {
  static int is_running;  // main may be called again
  if (!is_running++ && __asan_poison_memory_region && argc > 0) argv = tp_argv_copy(argc, argv);
  return __real_main(argc, argv, environment);
}
