/* Types of cells spread from variables along fields; then box by box. */
#include "cpa/explicit_draw.h"

#include "diag/picture.h"
#include "program/access.h"

#include <inttypes.h>

typedef struct {
  const tp_program *p;
  const tp_explicit_heap *heap;
  tp_type *types;  // by cell; NONE: not known
  tp_arena arena;
  tp_str *out;
} drawing;

static bool cell_of(const drawing *d, tp_term value, uint32_t *cell, uint64_t *offset) {
  if (!tp_term_is(value) || tp_kind(d->p->terms, value) != TP_OP_PTR_CONST) return false;
  const uint32_t object = tp_ptr_const_object(d->p->terms, value);
  if (object < d->heap->first_object || object - d->heap->first_object >= d->heap->n_cells)
    return false;
  *cell = object - d->heap->first_object;
  *offset = tp_ptr_const_offset(d->p->terms, value);
  return true;
}

// ----------------------------------------------------------------------- types

static uint64_t size_of_cell(const drawing *d, uint32_t cell) {
  uint64_t size = 0;
  const tp_term t = d->heap->cells[cell].size;
  if (tp_term_is(t)) (void)tp_bv_value_u64(d->p->terms, t, &size);
  return size;
}

/* A value declared to lead to this type: true if that is news of a cell. */
static bool set_type(drawing *d, tp_term value, tp_type pointee) {
  uint32_t cell;
  uint64_t offset;
  if (!pointee.id || !cell_of(d, value, &cell, &offset) || offset || d->types[cell].id)
    return false;
  if (tp_type_of(d->p, pointee)->size_bytes != size_of_cell(d, cell)) return false;
  d->types[cell] = pointee;
  return true;
}

static bool set_field_types(drawing *d, uint32_t cell) {
  const tp_explicit_cell *c = &d->heap->cells[cell];
  bool news = false;
  for (size_t f = 0; f < c->n_fields && d->types[cell].id; f++) {
    const tp_type member =
        tp_access_member(d->p, d->types[cell], c->fields[f].offset, c->fields[f].n_bytes, NULL);
    if (member.id && tp_type_of(d->p, member)->kind == TP_T_POINTER)
      news |= set_type(d, c->fields[f].value, tp_type_of(d->p, member)->element);
  }
  return news;
}

static void find_types(drawing *d) {
  for (size_t i = 0; i < d->heap->n_vars; i++)
    (void)set_type(d, d->heap->vars[i].value, tp_access_target(d->p, d->heap->vars[i].var));
  for (bool news = true; news;) {
    news = false;
    for (uint32_t c = 0; c < d->heap->n_cells; c++) news |= set_field_types(d, c);
  }
}

// ----------------------------------------------------------------------- boxes

typedef TP_VEC(tp_picture_field) rows;

static void add_row(drawing *d, rows *to, const char *name, tp_term value) {
  tp_picture_field f = {.name = name, .kind = TP_PICTURE_TEXT, .text = "?"};
  uint32_t cell;
  uint64_t offset;
  if (cell_of(d, value, &cell, &offset)) {
    f.kind = TP_PICTURE_LINK;
    f.text = tp_arena_printf(&d->arena, "c%" PRIu32, cell);
    if (offset) f.at = tp_arena_printf(&d->arena, "+%" PRIu64, offset);
  } else if (tp_term_is(value) && tp_term_eq(value, tp_mk_null(d->p->terms))) {
    f.kind = TP_PICTURE_NULL;
  } else if (tp_term_is(value)) {
    tp_str text = {0};
    tp_access_print_value(d->p, value, &text);
    f.text = tp_arena_strdup(&d->arena, tp_str_text(&text));
    tp_str_clear(&text);
  }
  tp_vec_push(to, f);
}

static const char *field_name(drawing *d, uint32_t cell, const tp_explicit_field *f) {
  tp_str path = {0};
  const bool fits =
      d->types[cell].id && tp_access_member(d->p, d->types[cell], f->offset, f->n_bytes, &path).id;
  const char *name = fits && path.n ? tp_arena_strdup(&d->arena, tp_str_text(&path))
                                    : tp_arena_printf(&d->arena, "+%" PRIu64, f->offset);
  tp_str_clear(&path);
  return name;
}

/* Bytes of a cell that hold something: without padding, if its type is known. 0: not known. */
static uint64_t bytes_of(const drawing *d, uint32_t cell) {
  if (!d->types[cell].id || tp_type_of(d->p, d->types[cell])->kind != TP_T_STRUCT)
    return size_of_cell(d, cell);
  const tp_type_info *t = tp_type_of(d->p, d->types[cell]);
  uint64_t sum = 0;
  for (uint32_t i = 0; i < t->n_members; i++)
    sum += tp_type_of(d->p, t->members[i].type)->size_bytes;
  return sum;
}

static void draw_cell(drawing *d, uint32_t cell) {
  static const char *const lives[] = {
      [TP_CELL_LIVE] = NULL, [TP_CELL_FREED] = "freed", [TP_CELL_EITHER] = "perhaps freed"};
  static const char *const rests[] = {
      [TP_REST_NUMBERS] = "not written", [TP_REST_ZEROS] = "0", [TP_REST_UNKNOWN] = "?"};
  const tp_explicit_cell *c = &d->heap->cells[cell];
  const uint64_t size = size_of_cell(d, cell);
  uint64_t known = 0;
  rows all = {0};
  for (size_t f = 0; f < c->n_fields; f++) {
    add_row(d, &all, field_name(d, cell, &c->fields[f]), c->fields[f].value);
    known += c->fields[f].n_bytes;
  }
  if (known < bytes_of(d, cell) || !size)
    tp_vec_push(&all, (tp_picture_field){.name = c->n_fields ? "rest" : "all",
                                         .kind = TP_PICTURE_TEXT,
                                         .text = rests[c->rest]});
  const char *title = d->types[cell].id ? tp_type_of(d->p, d->types[cell])->name
                      : size            ? tp_arena_printf(&d->arena, "%" PRIu64 " bytes", size)
                                        : "cell";
  tp_picture_box(tp_arena_printf(&d->arena, "c%" PRIu32, cell), title, lives[c->life],
                 c->life == TP_CELL_FREED ? TP_MARK_GONE : TP_MARK_NONE, all.at, all.n, d->out);
  tp_vec_clear(&all);
}

static bool is_users(const drawing *d, const tp_explicit_var *v) {
  const tp_var_kind kind = tp_var_of(d->p, v->var)->kind;
  uint32_t cell;
  uint64_t offset;
  return (kind != TP_V_GHOST && kind != TP_V_TEMP) || cell_of(d, v->value, &cell, &offset);
}

/* The variables of one function, or globals. */
static void draw_frame(drawing *d, tp_func f) {
  rows all = {0};
  for (size_t i = 0; i < d->heap->n_vars; i++) {
    const tp_explicit_var *v = &d->heap->vars[i];
    const tp_var_info *info = tp_var_of(d->p, v->var);
    if (info->func.id == f.id && !info->is_address && is_users(d, v))
      add_row(d, &all, info->name, v->value);
  }
  const char *title =
      f.id ? tp_arena_printf(&d->arena, "%s()", tp_func_of(d->p, f)->name) : "globals";
  if (all.n)
    tp_picture_box(tp_arena_printf(&d->arena, "f%" PRIu32, f.id), title, NULL, TP_MARK_NONE, all.at,
                   all.n, d->out);
  tp_vec_clear(&all);
}

void tp_explicit_draw(const tp_program *p, const tp_explicit_heap *heap, tp_str *out) {
  static const char *const others[] = {
      [TP_OTHERS_NONE] = NULL,
      [TP_OTHERS_FREED] = "heap objects that are not drawn are freed",
      [TP_OTHERS_ANY] = "nothing is known of heap objects that are not drawn"};
  drawing d = {.p = p, .heap = heap, .types = TP_NEW_ARRAY(tp_type, heap->n_cells + 1), .out = out};
  tp_arena_init(&d.arena);
  find_types(&d);
  tp_picture_open(NULL, others[heap->others], out);
  for (uint32_t f = 0; f < p->funcs.n; f++) draw_frame(&d, (tp_func){f});
  for (uint32_t c = 0; c < heap->n_cells; c++) draw_cell(&d, c);
  tp_picture_close(NULL, out);
  tp_arena_clear(&d.arena);
  tp_free(d.types);
}
