/* Telling a recorded run, line by line.
 *
 *     7 | int n = __VERIFIER_nondet_int();      n = 5 (input)
 *     8 | int f = fact(n);
 *       |   fact(n = 5)
 *     3 |   if (n < 2) return 1;
 *
 * Folded turns become one line that says how many there were and what changed in them. If the text
 * is still too long its middle is left out. */
#include "report/error_path_priv.h"

#include "program/access.h"
#include "report/inputs_text.h"
#include "report/report_limits.h"

typedef struct {
  const tp_recording *r;
  tp_str text;
  TP_VEC(size_t) lines;  // where each line starts
  uint32_t file;
} writer;

// ----------------------------------------------------------------------- pieces

static void start_line(writer *t) { tp_vec_push(&t->lines, t->text.n); }

static void indent(writer *t, uint32_t depth) {
  uint32_t n = depth > 0 ? depth - 1 : 0;
  for (uint32_t i = 0; i < n && i < TP_REPORT_INDENT_LEVELS; i++) tp_str_add(&t->text, "  ");
}

static size_t column_of(const writer *t) {
  TP_REQUIRE(t->lines.n > 0);
  size_t start = tp_vec_last(&t->lines), n = 0;
  for (size_t i = start; i < t->text.n; i++)
    n += (t->text.text[i] & 0xc0) != 0x80;  // UTF-8 characters
  return n;
}

static void pad(writer *t) {
  size_t at = column_of(t);
  tp_str_add(&t->text, "  ");
  for (at += 2; at < TP_REPORT_TEXT_COLUMN; at++) tp_str_add_char(&t->text, ' ');
}

/* Indented as in the file, so that bodies of loops and branches stand out; never so far that no
 * room is left. */
static const char *add_leading(writer *t, const char *line) {
  size_t n = 0;
  for (; *line == ' ' || *line == '\t'; line++)
    n = *line == '\t' ? (n / TP_REPORT_TAB_COLUMNS + 1) * TP_REPORT_TAB_COLUMNS : n + 1;
  for (size_t i = 0; i < n && i < TP_REPORT_LEADING_COLUMNS; i++) tp_str_add_char(&t->text, ' ');
  return line;
}

static void add_source(writer *t, tp_pos pos) {
  const char *line = tp_diag_source_line(t->r->program->diag, pos.file, pos.line);
  if (!line) {
    tp_str_add(&t->text, "(source not available)");
    return;
  }
  line = add_leading(t, line);
  size_t n = strcspn(line, "\r\n");
  bool cut = n > TP_REPORT_SOURCE_CHARACTERS;
  if (cut) n = TP_REPORT_SOURCE_CHARACTERS;
  while (cut && n > 0 && ((unsigned char)line[n] & 0xc0) == 0x80) n--;  // not within a character
  while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\t')) n--;
  for (size_t i = 0; i < n; i++) tp_str_add_char(&t->text, line[i] == '\t' ? ' ' : line[i]);
  if (cut) tp_str_add(&t->text, "...");
}

void tp_change_print_name(const tp_recording *r, const tp_change *c, tp_str *out) {
  const tp_program *p = r->program;
  if (c->kind == TP_CHANGE_RETURN) return;
  if (c->kind != TP_CHANGE_STORE) {
    tp_str_add(out, tp_var_of(p, c->var)->name);
    return;
  }
  const tp_edge_info *e = tp_edge_of(p, c->edge);
  tp_access_print(p, e->a, e->type, tp_sort_bytes(p->terms, tp_sort_of(p->terms, e->b)), out);
}

static void add_name(writer *t, const tp_change *c) {
  tp_change_print_name(t->r, c, &t->text);
  tp_str_add(&t->text, c->kind == TP_CHANGE_RETURN ? "returns " : " = ");
}

void tp_change_print_value(const tp_recording *r, const tp_change *c, tp_str *out) {
  TP_REQUIRE(c->edge.id || c->kind == TP_CHANGE_PARAM);
  const tp_program *p = r->program;
  const tp_edge_info *e = c->edge.id ? tp_edge_of(p, c->edge) : NULL;
  tp_type type = c->kind == TP_CHANGE_STORE ? e->type : TP_TYPE_NONE;
  tp_term shape = TP_TERM_NONE;
  if (c->kind == TP_CHANGE_STORE) shape = e->b;
  if (c->kind == TP_CHANGE_RETURN)
    shape = e->a, type = tp_type_of(p, tp_func_of(p, tp_loc_of(p, e->from)->func)->type)->element;
  if (c->var.id) shape = tp_var_of(p, c->var)->term, type = tp_var_of(p, c->var)->type;
  tp_value_print(&r->names, type, tp_sort_of(p->terms, shape), c->value, out);
}

static void add_value(writer *t, const tp_change *c) { tp_change_print_value(t->r, c, &t->text); }

/* Later changes of the same variable in the same line replace earlier ones. */
bool tp_change_is_replaced(const tp_recording *r, const tp_path_event *e, size_t i) {
  TP_REQUIRE(i >= e->first_change && i < e->first_change + e->n_changes);
  TP_REQUIRE(e->first_change + e->n_changes <= r->changes.n);
  const tp_change *c = &r->changes.at[i];
  for (size_t k = i + 1; k < e->first_change + e->n_changes; k++) {
    const tp_change *d = &r->changes.at[k];
    if (d->kind == c->kind && (c->var.id ? d->var.id == c->var.id : d->edge.id == c->edge.id))
      return true;
  }
  return false;
}

/* Is this main's argv, or the user's variable that stands for it, with its first value? The strings
 * say more than the address. */
static bool is_arguments(const writer *t, const tp_change *c) {
  const tp_program *p = t->r->program;
  uint64_t made_by;
  if (c->kind == TP_CHANGE_STORE || !c->var.id || c->value.bits ||
      !tp_map_get(&t->r->names.alloc_of, c->value.object, &made_by))
    return false;
  const tp_var_info *v = tp_var_of(p, c->var);
  const char *maker = tp_edge_of(p, (tp_edge){(uint32_t)made_by})->name;
  return v->func.id == p->main.id && !v->is_address && maker && strcmp(v->name, maker) == 0;
}

static void add_change(writer *t, const tp_change *c) {
  tp_str strings = {0};
  if (is_arguments(t, c)) tp_arguments_text(t->r->inputs, &strings);
  if (strings.n) {
    tp_str_add(&t->text, strings.text);
  } else {
    add_name(t, c);
    add_value(t, c);
  }
  if (c->is_input || strings.n) tp_str_add(&t->text, " (input)");
  tp_str_clear(&strings);
}

static void add_changes(writer *t, const tp_path_event *e) {
  size_t shown = 0;
  for (size_t i = e->first_change; i < e->first_change + e->n_changes; i++) {
    const tp_change *c = &t->r->changes.at[i];
    if (!e->enters && tp_change_is_replaced(t->r, e, i)) continue;
    if (shown == TP_REPORT_CHANGES) {
      tp_str_add(&t->text, ", ...");
      return;
    }
    if (shown++)
      tp_str_add(&t->text, ", ");
    else if (!e->enters)
      pad(t);
    add_change(t, c);
  }
}

// ------------------------------------------------------------------------ lines

static void write_file(writer *t, tp_pos pos) {
  if (pos.file == t->file || !tp_pos_known(pos)) return;
  t->file = pos.file;
  start_line(t);
  tp_str_printf(&t->text, "%s:\n", tp_diag_path(t->r->program->diag, pos.file));
}

bool tp_event_is_more(const tp_path_event *e, const tp_path_event *before) {
  return before && !e->error.id && !e->enters && !before->enters && e->n_changes == 0 &&
         e->depth == before->depth && e->func.id == before->func.id &&
         e->pos.line == before->pos.line && e->pos.file == before->pos.file;
}

static void write_event(writer *t, const tp_path_event *e) {
  write_file(t, e->pos);
  start_line(t);
  if (e->enters) {
    tp_str_add(&t->text, "      | ");
    indent(t, e->depth);
    tp_str_printf(&t->text, "%s(", tp_func_of(t->r->program, e->func)->name);
    add_changes(t, e);
    tp_str_add(&t->text, ")\n");
    return;
  }
  if (tp_pos_known(e->pos))
    tp_str_printf(&t->text, "%5u | ", e->pos.line);
  else
    tp_str_add(&t->text, "      | ");
  indent(t, e->depth);
  if (tp_pos_known(e->pos)) add_source(t, e->pos);
  add_changes(t, e);
  if (e->error.id) {
    pad(t);
    tp_str_printf(&t->text, "ERROR: %s", tp_str_text(&t->r->message));
  }
  tp_str_add_char(&t->text, '\n');
}

/* First and last value of what changed in the events [from, to). */
static void add_summary(writer *t, size_t from, size_t to) {
  TP_REQUIRE(from <= to && to <= t->r->events.n);
  const tp_recording *r = t->r;
  size_t first[TP_REPORT_CHANGES], last[TP_REPORT_CHANGES], n = 0;
  for (size_t i = from; i < to; i++)
    for (size_t k = r->events.at[i].first_change;
         k < r->events.at[i].first_change + r->events.at[i].n_changes; k++) {
      const tp_change *c = &r->changes.at[k];
      if (c->kind != TP_CHANGE_VAR) continue;
      size_t v = 0;
      while (v < n && r->changes.at[first[v]].var.id != c->var.id) v++;
      if (v == TP_REPORT_CHANGES) continue;
      if (v == n) first[n++] = k;
      last[v] = k;
    }
  for (size_t v = 0; v < n; v++) {
    tp_str_add(&t->text, v ? ", " : ": ");
    add_name(t, &r->changes.at[first[v]]);
    add_value(t, &r->changes.at[first[v]]);
    tp_str_add(&t->text, " .. ");
    add_value(t, &r->changes.at[last[v]]);
  }
}

static void write_fold(writer *t, const tp_fold *f, size_t from, size_t to) {
  start_line(t);
  tp_str_add(&t->text, "  ... | ");
  indent(t, f->depth);
  tp_str_printf(&t->text, "%llu more iterations of the loop in line %u",
                (unsigned long long)f->turns, f->loop.line);
  add_summary(t, from, to);
  tp_str_add_char(&t->text, '\n');
}

static void write_all(writer *t, bool folds) {
  const tp_recording *r = t->r;
  size_t next_fold = 0;
  const tp_path_event *written = NULL;
  for (size_t i = 0; i < r->events.n;) {
    uint64_t serial = r->events.at[i].serial;
    if (r->unseen_steps && i > 0 && serial >= r->unseen_at &&
        r->events.at[i - 1].serial < r->unseen_at) {
      start_line(t);
      tp_str_printf(&t->text, "  ... | (%llu steps of the run are not shown)\n",
                    (unsigned long long)r->unseen_steps);
    } else if (i > 0 && serial > r->events.at[i - 1].serial + 1) {
      start_line(t);
      tp_str_printf(&t->text, "  ... | (%llu lines of the run were not kept)\n",
                    (unsigned long long)(serial - r->events.at[i - 1].serial - 1));
    }
    while (next_fold < r->folds.n && r->folds.at[next_fold].to <= serial) next_fold++;
    const tp_fold *f = next_fold < r->folds.n ? &r->folds.at[next_fold] : NULL;
    if (!folds || !f || serial < f->from) {
      const tp_path_event *e = &r->events.at[i++];
      if (!tp_event_is_more(e, written)) write_event(t, e);
      written = e;
      continue;
    }
    written = NULL;
    size_t from = i;
    while (i < r->events.n && r->events.at[i].serial < f->to) i++;
    write_fold(t, f, from, i);
    while (next_fold < r->folds.n && r->folds.at[next_fold].from < f->to) next_fold++;
  }
}

// ------------------------------------------------------------------------ all

/* The text with its middle left out if it has more than max lines (0: never). */
static void copy_within(const writer *t, size_t max, tp_str *out) {
  size_t n = t->lines.n;
  if (max == 0 || n <= max) {
    tp_str_add_n(out, tp_str_text(&t->text), t->text.n);
    return;
  }
  TP_REQUIRE(max > 1);
  size_t head = max * 6 / 10, tail = max - head - 1;
  tp_str_add_n(out, t->text.text, t->lines.at[head]);
  TP_INVARIANT(head + tail < n);
  tp_str_printf(out, "  ... | (%zu lines are not shown; -v shows all)\n", n - head - tail);
  tp_str_add(out, t->text.text + t->lines.at[n - tail]);
}

void tp_error_path_of(const tp_program *p, const tp_inputs *inputs, tp_error_path_options options,
                      tp_error_path *out) {
  memset(out, 0, sizeof *out);
  tp_recording r;
  tp_record_run(p, inputs, options.limits, options.steps, &r);
  writer t = {.r = &r};
  write_all(&t, options.max_lines > 0);
  copy_within(&t, options.max_lines, &out->text);
  tp_str_add(&out->message, tp_str_text(&r.message));
  tp_str_add(&out->notes, tp_str_text(&r.notes));
  tp_str_add(&out->order, tp_str_text(&r.order));
  out->error_pos = r.error_pos;
  out->error_function = r.error_func.id ? tp_func_of(p, r.error_func)->name : NULL;
  out->run = r.run;
  out->guesses_matter = r.guesses_matter;
  tp_str_clear(&t.text);
  tp_vec_clear(&t.lines);
  tp_recording_clear(&r);
}

void tp_error_path_clear(tp_error_path *path) {
  tp_str_clear(&path->text);
  tp_str_clear(&path->message);
  tp_str_clear(&path->notes);
  tp_str_clear(&path->order);
}
