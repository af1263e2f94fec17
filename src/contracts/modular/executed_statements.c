/* Prints steps of an execution as statements of the user's program. The text of an edge is made by
 * program/dump.c; the names of temporaries in it are replaced, name by name, by the texts of the
 * edges that set them. */
#include "contracts/modular/executed_statements.h"

#include "program/access.h"

#include <ctype.h>

/* A temporary that was set on the way. */
typedef struct {
  tp_var var;
  uint32_t depth;       // of calls
  const char *text;     // the expression that it stands for
  const char *notes;    // "i->next = item0, ...": what the expression and those in it were
  const char *value;    // NULL: not known
  bool is_of_call;      // the result of a call: it stays what it was
  bool is_overwritten;  // something may have changed what the expression reads
} temporary;

typedef struct {
  const tp_concrete_heap *m;
  const tp_program *p;
  tp_arena arena;
  TP_VEC(temporary) temporaries;
  tp_str *out;
} printer;

// ------------------------------------------------------------------ expressions

/* No variable of the user's has the temporary's name. */
static bool is_unambiguous(const tp_program *p, tp_var v) {
  const char *name = tp_var_of(p, v)->name;
  for (uint32_t k = 1; k < p->vars.n; k++)
    if (p->vars.at[k].kind != TP_V_TEMP && strcmp(p->vars.at[k].name, name) == 0) return false;
  return true;
}

static bool is_temporary(const tp_program *p, tp_var v) {
  return v.id && tp_var_of(p, v)->kind == TP_V_TEMP && is_unambiguous(p, v);
}

/* The newest temporary of this name in the activation. */
static const temporary *find(const printer *t, uint32_t depth, const char *name, size_t n) {
  for (size_t k = t->temporaries.n; k-- > 0;) {
    const temporary *x = &t->temporaries.at[k];
    const char *own = tp_var_of(t->p, x->var)->name;
    if (x->depth == depth && strlen(own) == n && memcmp(own, name, n) == 0) return x;
  }
  return NULL;
}

static bool is_name_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Names, members, elements, calls and numbers need no parentheses as operands. */
static bool is_postfix(const char *text) {
  int nesting = 0;
  if (text[0] == '-' && text[1] && strspn(text + 1, "0123456789") == strlen(text + 1)) return true;
  for (const char *at = text; *at; at++) {
    nesting += (*at == '[' || *at == '(') - (*at == ']' || *at == ')');
    const bool is_arrow = (at[0] == '-' && at[1] == '>') || (at > text && *at == '>');
    if (nesting == 0 && !is_name_char(*at) && !strchr(".])", *at) && !is_arrow) return false;
  }
  return is_name_char(text[0]);
}

/* Is the note one of those that are parted by commas? */
static bool has_note(const tp_str *notes, const char *note, size_t n) {
  for (const char *at = tp_str_text(notes), *end; *at; at = *end ? end + 2 : end) {
    end = strstr(at, ", ") ? strstr(at, ", ") : at + strlen(at);
    if ((size_t)(end - at) == n && memcmp(at, note, n) == 0) return true;
  }
  return false;
}

/* Adds notes that are parted by commas, each once. */
static void add_notes(const char *more, tp_str *notes) {
  for (const char *at = more, *end; *at; at = *end ? end + 2 : end) {
    end = strstr(at, ", ") ? strstr(at, ", ") : at + strlen(at);
    if (has_note(notes, at, (size_t)(end - at))) continue;
    tp_str_printf(notes, "%s%.*s", notes->n ? ", " : "", (int)(end - at), at);
  }
}

/* The text with expressions in place of temporaries; what these were goes to the notes. */
static const char *in_users_words(printer *t, const char *text, uint32_t depth, tp_str *notes) {
  tp_str out = {0};
  for (const char *at = text; *at;) {
    size_t n = 0;
    while (is_name_char(at[n])) n++;
    const temporary *x = n ? find(t, depth, at, n) : NULL;
    const char *stands = !x ? NULL : x->is_overwritten && x->value ? x->value : x->text;
    const bool is_whole = at == text && at[n] == 0;
    if (!stands)
      tp_str_add_n(&out, at, n ? n : 1);
    else
      tp_str_printf(&out, is_whole || is_postfix(stands) ? "%s" : "(%s)", stands);
    if (stands && stands == x->text) add_notes(x->notes, notes);
    at += n ? n : 1;
  }
  const char *kept = tp_arena_printf(&t->arena, "%s", tp_str_text(&out));
  tp_str_clear(&out);
  return kept;
}

// ------------------------------------------------------------------- statements

static const char *text_of_edge(printer *t, tp_edge e) {
  tp_str text = {0};
  tp_edge_print(t->p, e, &text);
  while (text.n && text.text[text.n - 1] == '\n') text.text[--text.n] = 0;
  const char *kept = tp_arena_printf(&t->arena, "%s", tp_str_text(&text));
  tp_str_clear(&text);
  return kept;
}

/* The value that the step sets; NULL: none, or not known. */
static const char *value_of(printer *t, const tp_rexec_step *s) {
  uint32_t atom;
  const char *why;
  if (!s->value.id) return NULL;
  const bool is_known = tp_concrete_heap_value(t->m, s->value, &atom, &why);
  return is_known ? tp_rel_atom_name(t->m->h->atoms, atom) : why;
}

static void print_line(printer *t, const tp_rexec_step *s, const char *text, const tp_str *notes) {
  tp_str_add(t->out, "    ");
  tp_pos_print(t->p->diag, tp_edge_of(t->p, s->edge)->pos, t->out);
  tp_str_printf(t->out, ": %*s%s", 2 * ((int)s->depth - 1), "", text);
  if (notes->n) tp_str_printf(t->out, "    // %s", tp_str_text(notes));
  tp_str_add_char(t->out, '\n');
}

/* A condition that was found to hold, or, where it is the negation of a variable, not to. */
static const char *outcome(printer *t, const tp_rexec_step *s, tp_str *notes) {
  const tp_terms *tt = t->p->terms;
  tp_term cond = tp_edge_of(t->p, s->edge)->a;
  const bool is_negated =
      tp_kind(tt, cond) == TP_OP_NOT && tp_kind(tt, tp_arg(tt, cond, 0)) == TP_OP_VAR;
  tp_str text = {0};
  tp_access_print_value(t->p, is_negated ? tp_arg(tt, cond, 0) : cond, &text);
  const char *users = in_users_words(t, tp_str_text(&text), s->depth, notes);
  tp_str_clear(&text);
  return tp_arena_printf(&t->arena, "%s %s", users, is_negated ? "does not hold" : "holds");
}

/* What expressions read may be different from now on. */
static void overwrite(printer *t) {
  for (size_t k = 0; k < t->temporaries.n; k++)
    t->temporaries.at[k].is_overwritten = !t->temporaries.at[k].is_of_call;
}

/* "x = " is at the start of what sets x. */
static const char *right_side(const printer *t, tp_var target, const char *text) {
  const size_t n = strlen(tp_var_of(t->p, target)->name);
  TP_REQUIRE(strlen(text) >= n + 3);
  return text + n + 3;
}

static void define(printer *t, const tp_rexec_step *s, const char *text, tp_str *notes) {
  const tp_edge_info *e = tp_edge_of(t->p, s->edge);
  const bool is_of_call = e->kind != TP_E_ASSIGN && e->kind != TP_E_LOAD;
  temporary x = {.var = e->var, .depth = s->depth, .is_of_call = is_of_call};
  x.value = value_of(t, s);
  x.text = in_users_words(t, right_side(t, e->var, text), s->depth, notes);
  if (x.value && e->kind != TP_E_ASSIGN)
    add_notes(tp_arena_printf(&t->arena, "%s = %s", x.text, x.value), notes);
  if (is_of_call) {
    print_line(t, s, x.text, notes);
    overwrite(t);
  }
  x.notes = is_of_call ? "" : tp_arena_printf(&t->arena, "%s", tp_str_text(notes));
  tp_vec_push(&t->temporaries, x);
}

static void print_step(printer *t, const tp_rexec_step *s) {
  const tp_edge_info *e = tp_edge_of(t->p, s->edge);
  const char *text = text_of_edge(t, s->edge), *value = value_of(t, s);
  tp_str notes = {0};
  if (s->assigns) {
    print_line(t, s, tp_clause_text(s->assigns, &t->arena), &notes);
    overwrite(t);
  } else if (is_temporary(t->p, e->var)) {
    define(t, s, text, &notes);
  } else if (e->kind == TP_E_ASSUME) {
    text = outcome(t, s, &notes);
    print_line(t, s, text, &notes);
  } else {
    text = in_users_words(t, text, s->depth, &notes);
    if (e->var.id && value)
      add_notes(tp_arena_printf(&t->arena, "%s = %s", tp_var_of(t->p, e->var)->name, value),
                &notes);
    print_line(t, s, text, &notes);
    overwrite(t);
  }
  tp_str_clear(&notes);
}

void tp_executed_statements_print(const tp_concrete_heap *m, tp_str *out) {
  TP_REQUIRE(m->h->bounds);
  printer t = {.m = m, .p = m->h->program, .out = out};
  tp_arena_init(&t.arena);
  for (size_t k = 0; k < m->b->steps.n; k++) {
    const tp_rexec_step *s = &m->b->steps.at[k];
    if (tp_rel_eval_formula(m->e, s->when) != TP_REL_IS_TRUE) continue;
    const tp_edge_kind kind = tp_edge_of(t.p, s->edge)->kind;
    if (kind != TP_E_END_SCOPE && kind != TP_E_SKIP) print_step(&t, s);
  }
  tp_vec_clear(&t.temporaries);
  tp_arena_clear(&t.arena);
}
