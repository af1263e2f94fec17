/* A verifier reads the source as it is, unoptimised, for a data model of its own: what a build says
 * about code generation has no meaning here, what it says about the language has. */
#include "app/compiler_flags.h"

typedef enum { PASS, PASS_WITH_VALUE, IGNORE, IGNORE_WITH_VALUE, REFUSE } treatment;

/* The first row that fits. `is_prefix`: the flag begins so. */
static const struct {
  const char *flag;
  bool is_prefix;
  treatment how;
  const char *why;  // REFUSE
} rows[] = {
    // the preprocessor
    {"-D", false, PASS_WITH_VALUE, NULL},
    {"-U", false, PASS_WITH_VALUE, NULL},
    {"-I", false, PASS_WITH_VALUE, NULL},
    {"-D", true, PASS, NULL},
    {"-U", true, PASS, NULL},
    {"-I", true, PASS, NULL},
    {"-include", false, PASS_WITH_VALUE, NULL},
    {"-imacros", false, PASS_WITH_VALUE, NULL},
    {"-isystem", false, PASS_WITH_VALUE, NULL},
    {"-iquote", false, PASS_WITH_VALUE, NULL},
    {"-idirafter", false, PASS_WITH_VALUE, NULL},
    // the language
    {"-std=", true, PASS, NULL},
    {"-ansi", false, PASS, NULL},
    {"-pthread", false, PASS, NULL},
    {"-fsigned-char", false, PASS, NULL},
    {"-funsigned-char", false, PASS, NULL},
    {"-fshort-enums", false, PASS, NULL},
    {"-fms-extensions", false, PASS, NULL},
    {"-fgnu89-inline", false, PASS, NULL},
    {"-m32", false, REFUSE, "the data model is an option of its own: --machine=ilp32"},
    {"-m64", false, REFUSE, "the data model is an option of its own: --machine=lp64"},
    {"-fwrapv", true, REFUSE, "signed arithmetic that wraps around is not what is verified"},
    {"-ftrapv", false, REFUSE, "signed arithmetic that traps is not what is verified"},
    {"-ffast-math", false, REFUSE, "floats are verified as IEEE 754 says"},
    {"-fno-builtin", true, IGNORE, NULL},
    {"-fpack-struct", true, REFUSE, "the layout of structs is that of the platform"},
    // code generation, warnings, files of a build
    {"-pedantic", true, IGNORE, NULL},
    {"-W", true, IGNORE, NULL},
    {"-w", false, IGNORE, NULL},
    {"-O", true, IGNORE, NULL},
    {"-g", true, IGNORE, NULL},
    {"-f", true, IGNORE, NULL},
    {"-m", true, IGNORE, NULL},
    {"-c", false, IGNORE, NULL},
    {"-S", false, IGNORE, NULL},
    {"-pipe", false, IGNORE, NULL},
    {"-o", false, IGNORE_WITH_VALUE, NULL},
    {"-o", true, IGNORE, NULL},
    {"-MF", false, IGNORE_WITH_VALUE, NULL},
    {"-MT", false, IGNORE_WITH_VALUE, NULL},
    {"-MQ", false, IGNORE_WITH_VALUE, NULL},
    {"-M", true, IGNORE, NULL},
    {"-l", true, IGNORE, NULL},
    {"-L", true, IGNORE, NULL},
};
enum { N_FLAG_ROWS = sizeof rows / sizeof *rows };

static size_t row_of(const char *flag) {
  size_t i = 0;
  for (; i < N_FLAG_ROWS; i++) {
    const size_t n = strlen(rows[i].flag);
    if (rows[i].is_prefix ? strncmp(flag, rows[i].flag, n) == 0 : strcmp(flag, rows[i].flag) == 0)
      break;
  }
  return i;
}

tp_compiler_flag_answer tp_compiler_flag_take(tp_option_paths *to, int argc, char *const *argv,
                                              int *n, tp_str *why) {
  TP_REQUIRE(to && argc >= 1 && argv && n && why);
  const char *flag = argv[0];
  const size_t row = row_of(flag);
  *n = 0;
  if (row == N_FLAG_ROWS) return TP_COMPILER_FLAG_UNKNOWN;
  const treatment how = rows[row].how;
  const bool has_value = how == PASS_WITH_VALUE || how == IGNORE_WITH_VALUE;
  if (has_value && argc < 2) tp_str_add(why, "it needs a value");
  if (how == REFUSE) tp_str_add(why, rows[row].why);
  if (how == REFUSE || (has_value && argc < 2)) return TP_COMPILER_FLAG_REFUSED;
  if (how == PASS || how == PASS_WITH_VALUE) tp_vec_push(to, flag);
  if (how == PASS_WITH_VALUE) tp_vec_push(to, argv[1]);
  *n = has_value;
  return TP_COMPILER_FLAG_TAKEN;
}
