/* How the builds show each kind of failure: one row for each property and manner of failing.
 *
 * A row names the sanitizer by compiler, the library functions whose arguments the harness checks,
 * and which reports of a run show the failure. A report of another kind shows nothing: an access
 * out of bounds is no failure of a program that was to be searched for overflows. */
#include "certify/runs/native_replay_priv.h"

#include <stdio.h>

const char tp_chk_sanitizer_options[] =
    "exitcode=107:detect_invalid_pointer_pairs=2:detect_leaks=0:abort_on_error=0:"
    "handle_segv=1:max_malloc_fill_size=1073741824:malloc_fill_byte=0:"
    "detect_stack_use_after_return=1:allocator_may_return_null=1:"
    "min_uar_stack_size_log=20:max_uar_stack_size_log=20";  // as lib/harness/red_zones.c has it

/* Red zones lie behind variables, so none is in front of the first one that a file adds to a
 * section. */
const char tp_chk_native_fence[] =
    "#define FENCE static __attribute__((used)) char\n"
    "FENCE tp_fence_zero[4096];\nFENCE tp_fence_data[4096] = {1};\nFENCE const "
    "tp_fence_const[4096] = {1};\n";

#define NO_RECOVERY "-fno-sanitize-recover=all"
#define ADDRESSES "-fwrapv", "-fsanitize=address", "-fsanitize-address-use-after-scope"
/* clang takes some accesses with constant addresses to be safe that are not: a member of an element
 * behind the end of a global array. Each access is to be checked. */
#define ALL_ADDRESSES ADDRESSES, "-mllvm", "-asan-opt=0"
#define OVERFLOWS "-fsanitize=signed-integer-overflow,shift-base"
/* <ctype.h> calls functions, which the harness checks. No sanitizer reports a promise that fails,
 * but each reports that unreachable code is reached. */
#define UNDEFINED                                                                  \
  "-D__NO_CTYPE", "-fsanitize=undefined,float-cast-overflow,float-divide-by-zero", \
      "-D__builtin_assume(c)=((c)?(void)0:__builtin_unreachable())", NO_RECOVERY

static const char violated[] = "twoproof: violated: ";  // the harness says so

/* The line behind `mark`; false: the messages have no such line, or one that is cut short. */
static bool line_behind(const char *messages, const char *mark, char *line, size_t room) {
  const char *at = strstr(messages, mark);
  if (!at) return false;
  at += strlen(mark);
  snprintf(line, room, "%.*s", (int)strcspn(at, "\n"), at);
  return true;
}

static bool has_one_of(const char *line, const char *const *words, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (strstr(line, words[i])) return true;
  return false;
}

typedef enum { IS_NO_ACCESS, IS_ACCESS, IS_FREE } address_report;
static address_report address_report_of(const char *messages) {
  static const char *const others[] = {"stack-overflow",
                                       "out of memory",
                                       "allocation-size-too-big",
                                       "calloc-overflow",
                                       "param-overlap",
                                       "FPE",
                                       "ILL",
                                       "ABRT",
                                       "requested allocation size"};
  static const char *const frees[] = {"attempting double-free", "attempting free", "bad-free"};
  char line[256];
  if (!line_behind(messages, "ERROR: AddressSanitizer:", line, sizeof line) ||
      has_one_of(line, others, sizeof others / sizeof *others))
    return IS_NO_ACCESS;
  return has_one_of(line, frees, sizeof frees / sizeof *frees) ? IS_FREE : IS_ACCESS;
}

static bool reports_access(const char *messages) {
  return address_report_of(messages) == IS_ACCESS;
}
static bool reports_free(const char *messages) { return address_report_of(messages) == IS_FREE; }

static bool reports_undefined(const char *messages) {
  return strstr(messages, "runtime error: ") != NULL;
}

static bool reports_overflow(const char *messages) {
  static const char *const words[] = {"overflow", "cannot be represented",
                                      "left shift of negative value"};
  char line[256];
  return line_behind(messages, "runtime error: ", line, sizeof line) &&
         has_one_of(line, words, sizeof words / sizeof *words);
}

/* The first row of the property and manner counts; TP_FAILS_AT_LOCATION stands for every manner. */
static const tp_chk_detector detectors[] = {
    {TP_P_UNDEFINED,
     TP_FAILS_UNINITIALISED,
     {[TP_CHK_NATIVE_CLANG] = {"-fwrapv", "-fsanitize=memory", NO_RECOVERY}},
     .is_of_unset_values = true,
     .marks = {"WARNING: MemorySanitizer: use-of-uninitialized-value"}},
    {TP_P_UNDEFINED,
     TP_FAILS_POINTER_PAIR,
     {[TP_CHK_NATIVE_CLANG] = {"-fwrapv", "-fsanitize=address", "-mllvm",
                               "-asan-detect-invalid-pointer-pair=1", NO_RECOVERY},
      [TP_CHK_NATIVE_GCC] = {"-fwrapv", "-fsanitize=address,pointer-compare,pointer-subtract",
                             NO_RECOVERY}},
     .marks = {"ERROR: AddressSanitizer: invalid-pointer-pair"}},
    {TP_P_UNDEFINED,
     TP_FAILS_CALL,
     {[TP_CHK_NATIVE_CLANG] = {"-fstrict-flex-arrays=1", UNDEFINED},
      [TP_CHK_NATIVE_GCC] = {UNDEFINED}},
     .wraps = TP_CHK_WRAPS_ALL,
     .marks = {violated, "ERROR: UndefinedBehaviorSanitizer: SEGV"},  // in the check of the type
     .reports = reports_undefined},
    {TP_P_UNDEFINED,
     TP_FAILS_AT_LOCATION,
     {[TP_CHK_NATIVE_CLANG] = {"-fstrict-flex-arrays=1", UNDEFINED},
      [TP_CHK_NATIVE_GCC] = {UNDEFINED}},
     .wraps = TP_CHK_WRAPS_ALL,
     .marks = {violated},
     .reports = reports_undefined},
    {TP_P_NO_OVERFLOW,
     TP_FAILS_AT_LOCATION,
     {[TP_CHK_NATIVE_CLANG] = {OVERFLOWS, NO_RECOVERY},
      [TP_CHK_NATIVE_GCC] = {OVERFLOWS ",integer-divide-by-zero", NO_RECOVERY}},
     .wraps = TP_CHK_WRAPS_OVERFLOWING,
     .marks = {violated},
     .reports = reports_overflow},
    {TP_P_VALID_DEREF,
     TP_FAILS_AT_LOCATION,
     {[TP_CHK_NATIVE_CLANG] = {ALL_ADDRESSES}, [TP_CHK_NATIVE_GCC] = {ADDRESSES}},
     .wraps = TP_CHK_WRAPS_COPIES,
     .marks = {violated},
     .reports = reports_access},
    {TP_P_VALID_FREE,
     TP_FAILS_AT_LOCATION,
     {{ADDRESSES}, {ADDRESSES}},
     .wraps = TP_CHK_WRAPS_FREE,  // the sanitizer writes beside what is freed: to read-only memory
     .marks = {violated},
     .reports = reports_free},
    {TP_P_UNREACH_CALL, TP_FAILS_AT_LOCATION, {{"-fwrapv"}, {"-fwrapv"}}, .marks = {violated}},
    {TP_P_VALID_MEMTRACK,
     TP_FAILS_AT_LOCATION,
     {{"-fwrapv"}, {"-fwrapv"}},
     .wraps = TP_CHK_WRAPS_ALLOCATING,
     .marks = {violated}},
    {TP_P_VALID_MEMCLEANUP,
     TP_FAILS_AT_LOCATION,
     {{"-fwrapv"}, {"-fwrapv"}},
     .wraps = TP_CHK_WRAPS_ALLOCATING,
     .marks = {violated}},
};
/* Of groups of properties, and of none: nothing shows it. */
static const tp_chk_detector no_detector = {.options = {{"-fwrapv"}, {"-fwrapv"}}};

tp_failure_manner tp_chk_native_manner(const tp_chk_native_request *r) {
  TP_REQUIRE(!r->error.id || r->error.id < r->program->locs.n);
  return r->error.id ? tp_loc_of(r->program, r->error)->manner : TP_FAILS_AT_LOCATION;
}

const tp_chk_detector *tp_chk_detector_of(const tp_chk_native_request *r) {
  const tp_failure_manner manner = tp_chk_native_manner(r);
  for (size_t i = 0; i < sizeof detectors / sizeof *detectors; i++)
    if (detectors[i].property == r->violated &&
        (detectors[i].manner == manner || detectors[i].manner == TP_FAILS_AT_LOCATION))
      return &detectors[i];
  return &no_detector;
}

bool tp_chk_native_shows(const tp_chk_native_job *j, const tp_process *p) {
  const tp_chk_detector *d = tp_chk_detector_of(j->r);
  const char *messages = tp_str_text(&p->err);
  if (p->end != TP_PROCESS_EXITED || p->code != TP_CHK_STATUS_VIOLATED) return false;
  for (size_t i = 0; i < sizeof d->marks / sizeof *d->marks && d->marks[i]; i++)
    if (strstr(messages, d->marks[i])) return true;
  return d->reports && d->reports(messages);
}
