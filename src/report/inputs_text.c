/* Inputs as a C programmer would give them. The first input of main's arguments is argc, the others
 * are the strings, in their order. */
#include "report/inputs_text.h"

#include "exec/input_text.h"

static bool is_string(const tp_input *in) { return in->kind == TP_I_ARGS && in->width_bits == 0; }

/* The string up to its end, where missing bytes are 0. */
static void add_string(const tp_input *in, tp_str *out) {
  size_t n = 0;
  while (n < in->n_bytes && in->bytes[n]) n++;
  tp_string_literal_print(in->bytes, n, out);
}

void tp_arguments_text(const tp_inputs *in, tp_str *out) {
  TP_REQUIRE(in && out);
  size_t index = 0, told = 0;
  for (size_t i = 0; i < in->v.n; i++) {
    if (!is_string(&in->v.at[i])) continue;
    if (index++ == 0) continue;  // the program's name
    tp_str_printf(out, "%sargv[%zu] = ", told++ ? ", " : "", index - 1);
    add_string(&in->v.at[i], out);
  }
}

/* Is the position inside of a model of the C library? */
static bool is_inside_model(const tp_program *p, tp_pos pos) {
  for (size_t f = 1; f < p->funcs.n; f++)
    if (p->funcs.at[f].is_model && p->funcs.at[f].pos.file == pos.file) return true;
  return false;
}

static bool matters(const tp_program *p, const tp_input *in, bool indeterminate_matter) {
  if (in->kind == TP_I_ARGS) return false;  // told in one line
  if (in->kind == TP_I_INDETERMINATE)
    return indeterminate_matter && !(tp_pos_known(in->pos) && is_inside_model(p, in->pos));
  return true;
}

/* "n = 5" with the call, variable or read that asked. */
static void add_one(const tp_program *p, const tp_input *in, tp_str *out) {
  static const char *const before[] = {[TP_I_NONDET] = "",
                                       [TP_I_EXTERN] = "",
                                       [TP_I_ARGS] = "",
                                       [TP_I_INDETERMINATE] = "uninitialised ",
                                       [TP_I_VOLATILE] = "volatile ",
                                       [TP_I_ENVIRONMENT] = ""};
  const bool is_call =
      in->kind == TP_I_NONDET || in->kind == TP_I_EXTERN || in->kind == TP_I_ENVIRONMENT;
  const bool is_guess = tp_input_is_guess(in);
  const char *name = in->callee && is_guess    ? in->callee
                     : in->name && in->name[0] ? in->name + is_guess
                                               : "memory";
  tp_str_printf(out, "  %s%s%s%s = ", is_guess ? "guessed result of " : "", before[in->kind], name,
                is_call ? "()" : "");
  tp_literal_print(in, out);
  if (p->diag && tp_pos_known(tp_input_pos(in))) {
    tp_str_add(out, "   at ");
    tp_pos_print(p->diag, tp_input_pos(in), out);
  }
  tp_str_add_char(out, '\n');
}

static size_t add_arguments(const tp_inputs *in, tp_str *out) {
  const tp_input *count = NULL;
  for (size_t i = 0; i < in->v.n && !count; i++)
    if (in->v.at[i].kind == TP_I_ARGS && in->v.at[i].width_bits) count = &in->v.at[i];
  if (!count) return 0;
  tp_str strings = {0};
  tp_arguments_text(in, &strings);
  tp_str_add(out, "  argc = ");
  tp_literal_print(count, out);
  if (strings.n) tp_str_printf(out, ", %s", strings.text);
  tp_str_add_char(out, '\n');
  tp_str_clear(&strings);
  return 1;
}

size_t tp_inputs_text(const tp_program *p, const tp_inputs *in, tp_inputs_text_options options,
                      tp_str *out) {
  TP_REQUIRE(p && in && out);
  size_t n = add_arguments(in, out), left_out = 0;
  for (size_t i = 0; i < in->v.n; i++) {
    if (!matters(p, &in->v.at[i], options.indeterminate_matter)) continue;
    if (options.most_lines && n >= options.most_lines)
      left_out++;
    else
      add_one(p, &in->v.at[i], out);
    n++;
  }
  if (left_out)
    tp_str_printf(out, "  ... %zu more; -v shows all, --output=DIR writes them\n", left_out);
  return n;
}
