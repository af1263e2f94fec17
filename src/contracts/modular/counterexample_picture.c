/* Every allocated object before or behind the call has a box in both panels. A row's values are
 * compared as texts: names of atoms. */
#include "contracts/modular/counterexample_picture.h"

#include "contracts/contracts_limits.h"
#include "diag/picture.h"
#include "contracts/modular/counterexample_text.h"

enum { BEFORE, AFTER, N_MOMENTS };

typedef struct {
  const tp_rheap *h;
  const tp_rexec *b;
  tp_concrete_heap at[N_MOMENTS];
  int panel, n_panels;
  tp_arena arena;
  tp_str *out;
} drawing;

/* What one row holds in each of the two states: names of atoms, ordered; NULL: nothing. */
typedef struct {
  uint32_t atom;  // if it is one
  bool is_one;
  const char *text;
} content;

// ---------------------------------------------------------------------- values

static bool has_box(const drawing *d, uint32_t atom) {
  for (int m = 0; m < d->n_panels; m++)
    for (uint32_t t = TP_OTHER_BASIC + 1; t < d->h->object_model->basics.n; t++)
      if (tp_concrete_heap_is_allocated(&d->at[m], t, atom)) return true;
  return false;
}

static const char *box_of(drawing *d, int panel, uint32_t atom) {
  return tp_arena_printf(&d->arena, "%c%u", panel == BEFORE ? 'b' : 'a', atom);
}

static content one(const drawing *d, uint32_t atom) {
  return (content){atom, true, tp_rel_atom_name(d->h->atoms, atom)};
}

/* What the field holds for this owner, at this index (ignored without a second column). */
static content content_of(drawing *d, const tp_concrete_heap *m, size_t field, uint32_t owner,
                          uint32_t key) {
  const tp_rel_tuples *all = &m->values[field];
  const uint32_t n_keys = tp_rheap_n_keys(d->h, d->h->fields.at[field].symbol);
  content c = {0};
  uint32_t atoms[3], n = 0;
  tp_str text = {0};
  for (size_t t = 0; t < all->n; t++) {
    tp_rel_tuple_atoms(d->h->atoms, all->at[t], n_keys + 1, atoms);
    if (atoms[0] != owner || (n_keys == 2 && atoms[1] != key)) continue;
    tp_str_printf(&text, "%s%s", n ? ", " : "", tp_rel_atom_name(d->h->atoms, atoms[n_keys]));
    c.atom = atoms[n_keys];
    n++;
  }
  c.is_one = n == 1;
  if (n)
    c.text = n == 1 ? tp_arena_strdup(&d->arena, tp_str_text(&text))
                    : tp_arena_printf(&d->arena, "{%s}", tp_str_text(&text));
  tp_str_clear(&text);
  return c;
}

/* The value in the panel at hand; of the other one what an arrow needs. */
static tp_picture_field row_of(drawing *d, const char *name, const content *in) {
  const content *here = &in[d->panel], *other = &in[d->n_panels > 1 ? !d->panel : d->panel];
  tp_picture_field f = {
      .name = name, .kind = TP_PICTURE_TEXT, .text = here->text ? here->text : ""};
  const bool differs = strcmp(here->text ? here->text : "", other->text ? other->text : "") != 0;
  if (here->is_one && here->atom == d->h->null_atom) f.kind = TP_PICTURE_NULL;
  if (here->is_one && has_box(d, here->atom)) {
    f.kind = TP_PICTURE_LINK;
    f.text = box_of(d, d->panel, here->atom);
  }
  if (differs && other->is_one && has_box(d, other->atom))
    f.unseen = box_of(d, d->panel, other->atom);
  if (differs && d->panel == AFTER) f.mark = TP_MARK_CHANGED;
  return f;
}

// ----------------------------------------------------------------------- boxes

typedef TP_VEC(tp_picture_field) rows;

/* Rows of one field: one for each index that has a value in some panel. */
static void add_field(drawing *d, size_t field, uint32_t object, rows *to) {
  const tp_symbol *s = d->h->fields.at[field].symbol;
  const uint32_t n_keys = tp_rheap_n_keys(d->h, s);
  tp_map seen = {0};
  uint32_t atoms[3];
  for (int m = 0; m < d->n_panels; m++)
    for (size_t t = 0; t < d->at[m].values[field].n; t++) {
      tp_rel_tuple_atoms(d->h->atoms, d->at[m].values[field].at[t], n_keys + 1, atoms);
      const uint32_t key = n_keys == 2 ? atoms[1] : 0;
      if (atoms[0] != object || tp_map_has(&seen, key)) continue;
      tp_map_set(&seen, key, 1);
      content in[N_MOMENTS];
      for (int k = 0; k < d->n_panels; k++) in[k] = content_of(d, &d->at[k], field, object, key);
      const char *name = s->kind == TP_SYMBOL_ELEMENTS ? "" : s->name;
      if (n_keys == 2)
        name = tp_arena_printf(&d->arena, "%s[%s]", name, tp_rel_atom_name(d->h->atoms, key));
      tp_vec_push(to, row_of(d, name, in));
    }
  tp_map_clear(&seen);
}

static tp_picture_mark mark_of(const drawing *d, uint32_t basic, uint32_t object) {
  const bool was = tp_concrete_heap_is_allocated(&d->at[BEFORE], basic, object);
  if (d->panel == BEFORE)
    return was && !tp_concrete_heap_is_freed(&d->at[BEFORE], object) ? TP_MARK_NONE
                                                                     : TP_MARK_HIDDEN;
  if (tp_concrete_heap_is_freed(&d->at[AFTER], object)) return TP_MARK_GONE;
  return was ? TP_MARK_NONE : TP_MARK_NEW;
}

/* What is in a box that is new or gone says nothing of a change. */
static void tidy(rows *all, tp_picture_mark mark) {
  for (size_t i = 0; i < all->n && mark != TP_MARK_NONE; i++) {
    tp_picture_field *f = &all->at[i];
    f->mark = TP_MARK_NONE;
    if (mark != TP_MARK_GONE) continue;
    if (f->kind == TP_PICTURE_LINK && !f->unseen) f->unseen = f->text;
    f->kind = TP_PICTURE_TEXT;
    f->text = "";
  }
}

static void draw_object(drawing *d, uint32_t basic, uint32_t object) {
  const tp_picture_mark mark = mark_of(d, basic, object);
  rows all = {0};
  for (size_t f = 0; f < d->h->fields.n; f++)
    if (!tp_rheap_is_global(d->h->fields.at[f].symbol) && d->h->fields.at[f].symbol->basic == basic)
      add_field(d, f, object, &all);
  tidy(&all, mark);
  tp_picture_box(box_of(d, d->panel, object), tp_rel_atom_name(d->h->atoms, object),
                 mark == TP_MARK_GONE ? "gone" : NULL, mark, all.at, all.n, d->out);
  tp_vec_clear(&all);
}

static void draw_objects(drawing *d) {
  for (uint32_t t = TP_OTHER_BASIC + 1; t < d->h->object_model->basics.n; t++) {
    const tp_rel_tuples *most =
        &d->at[d->n_panels - 1].allocated[t];  // freed objects are still drawn
    for (size_t k = 0; k < most->n; k++) draw_object(d, t, (uint32_t)most->at[k]);
  }
}

// ------------------------------------------------------------------- variables

static content value_of(drawing *d, const tp_concrete_heap *m, tp_rel_expr x) {
  content c = {0};
  uint32_t atom = 0;
  const char *why = "";
  if (x.id && tp_concrete_heap_value(m, x, &atom, &why)) return one(d, atom);
  c.text = x.id ? why : "";
  return c;
}

static void draw_arguments(drawing *d, tp_func f) {
  const tp_func_info *info = tp_func_of(d->h->program, f);
  rows all = {0};
  for (uint32_t k = 0; k < d->b->n_params; k++) {
    content in[N_MOMENTS];
    in[BEFORE] = in[AFTER] = value_of(d, &d->at[BEFORE], d->b->params[k]);
    tp_vec_push(&all, row_of(d, tp_var_of(d->h->program, info->params[k])->name, in));
  }
  const char *title = tp_arena_printf(&d->arena, "%s()", info->name);
  if (all.n)
    tp_picture_box(d->panel == BEFORE ? "b_call" : "a_call", title, NULL, TP_MARK_NONE, all.at,
                   all.n, d->out);
  tp_vec_clear(&all);
}

/* A row for each; a ghost is a set, as text. */
static void draw_globals(drawing *d) {
  rows all = {0};
  for (size_t k = 0; k < d->h->fields.n; k++) {
    const tp_symbol *s = d->h->fields.at[k].symbol;
    content in[N_MOMENTS] = {0};
    bool any = false;
    for (int m = 0; m < d->n_panels; m++) {
      tp_str text = {0};
      if (tp_concrete_heap_print_global(&d->at[m], k, &text)) {
        const bool is_one = tp_rheap_n_keys(d->h, s) == 0 && d->at[m].values[k].n == 1 &&
                            tp_str_text(&text)[0] != '{';
        in[m] = (content){is_one ? (uint32_t)d->at[m].values[k].at[0] : 0, is_one,
                          tp_arena_strdup(&d->arena, tp_str_text(&text))};
        any = true;
      }
      tp_str_clear(&text);
    }
    if (any) tp_vec_push(&all, row_of(d, s->name, in));
  }
  if (all.n)
    tp_picture_box(d->panel == BEFORE ? "b_globals" : "a_globals", "globals", NULL, TP_MARK_NONE,
                   all.at, all.n, d->out);
  tp_vec_clear(&all);
}

static void draw_result(drawing *d) {
  if (!d->b->result.id || d->n_panels == 1) return;
  content in[N_MOMENTS];
  in[BEFORE] = in[AFTER] = value_of(d, &d->at[AFTER], d->b->result);
  tp_picture_field f = row_of(d, "result", in);
  f.mark = d->panel == BEFORE ? TP_MARK_HIDDEN : TP_MARK_NONE;
  tp_picture_variable(d->panel == BEFORE ? "b_result" : "a_result", &f, d->out);
}

// ----------------------------------------------------------------------- whole

static void draw_panel(drawing *d, int panel, tp_func f) {
  d->panel = panel;
  tp_picture_panel_open(panel == BEFORE ? "before" : "after",
                        panel == BEFORE ? "the heap before" : "the heap after", d->out);
  draw_arguments(d, f);
  draw_globals(d);
  draw_objects(d);
  draw_result(d);
  tp_picture_panel_close(d->out);
}

/* "    dir/a.c:3:4:   x = y" without the folder; spaces stay. */
static void add_step(const char *line, size_t n, tp_str *out) {
  tp_str text = {0};
  const size_t spaces = strspn(line, " ");
  line += spaces;
  n -= spaces;
  for (const char *slash; (slash = memchr(line, '/', strcspn(line, ":"))) != NULL;) {
    n -= (size_t)(slash + 1 - line);
    line = slash + 1;
  }
  tp_str_add_n(&text, line, n);
  for (const char *at = tp_str_text(&text); *at; at++) {
    if (*at == ' ')
      tp_str_add(out, "&#160;");
    else
      tp_picture_escape((const char[]){*at, 0}, out);
  }
  tp_str_add(out, "<BR ALIGN=\"LEFT\"/>");
  tp_str_clear(&text);
}

static void list_steps(const drawing *d, const tp_rel_instance *i, tp_str *out) {
  tp_str text = {0};
  size_t n = 0;
  tp_counterexample_print_steps(d->h, d->b, i, &text);
  tp_str_add(out,
             "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\"><TR><TD "
             "ALIGN=\"LEFT\"><B>what is executed</B></TD></TR><TR><TD ALIGN=\"LEFT\" "
             "BALIGN=\"LEFT\"><FONT FACE=\"monospace\" POINT-SIZE=\"11\">");
  for (const char *line = tp_str_text(&text), *end; (end = strchr(line, '\n')) != NULL;
       line = end + 1)
    if (n++ < TP_CONTRACTS_PICTURE_STEPS) add_step(line, (size_t)(end - line), out);
  if (n > TP_CONTRACTS_PICTURE_STEPS)
    tp_str_printf(out, "and %zu more<BR ALIGN=\"LEFT\"/>", n - TP_CONTRACTS_PICTURE_STEPS);
  tp_str_add(out, "</FONT></TD></TR></TABLE>");
  tp_str_clear(&text);
}

void tp_counterexample_draw(const tp_rheap *h, const tp_rexec *b, tp_func f,
                            const tp_rel_instance *i, tp_counterexample_extent extent,
                            const char *title, tp_str *out) {
  TP_REQUIRE(h->bounds && i && title);
  drawing d = {
      .h = h, .b = b, .n_panels = extent == TP_DRAW_BEFORE_ONLY ? 1 : N_MOMENTS, .out = out};
  tp_str steps = {0};
  tp_arena_init(&d.arena);
  for (int m = 0; m < d.n_panels; m++)
    tp_concrete_heap_open(&d.at[m], h, b, i, m == BEFORE ? TP_PRE_STATE : TP_POST_STATE);
  list_steps(&d, i, &steps);
  tp_picture_open(title, tp_str_text(&steps), out);
  for (int m = 0; m < d.n_panels; m++) draw_panel(&d, m, f);
  tp_picture_close(title, out);
  for (int m = 0; m < d.n_panels; m++) tp_concrete_heap_close(&d.at[m]);
  tp_str_clear(&steps);
  tp_arena_clear(&d.arena);
}
