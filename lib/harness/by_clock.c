/* A test of a program that goes on without asking for anything: SIGALRM ends it, after a second. */
#ifdef __x86_64__
enum { TP_ALARM = 37 };
#else
enum { TP_ALARM = 27 };
#endif
__attribute__((constructor)) QUIET static void tp_start_clock(void) { tp_system_call(TP_ALARM, 1l); }
