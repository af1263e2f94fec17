/* Four lists grow while they are written: functions, objects, variables, types. Each member gets
 * its number where it is named first, and its line when its turn comes, so that the walk ends when
 * all lists are written. Terms get a line each, arguments first; a term that was written is its
 * number. Names are written with their length: no name can look like what follows it. */
#include "program/reach_text.h"

enum { FUNCS, OBJECTS, VARS, TYPES, N_LISTS };

typedef struct {
  tp_map number;         // id -> number, from 1
  TP_VEC(uint32_t) ids;  // by number - 1
  size_t written;
} reached;

typedef struct {
  const tp_program *p;
  tp_str *out;
  tp_reach_places *places;
  reached lists[N_LISTS];
  tp_map locs;               // of all functions; id -> number
  tp_map terms;              // id -> number
  TP_VEC(uint32_t) waiting;  // locations of the function in hand
} writer;

// ------------------------------------------------------------------------ atoms

static void put(writer *w, uint64_t n) { tp_str_printf(w->out, " %llx", (unsigned long long)n); }

static void put_text(writer *w, const char *text) {
  const size_t n = text ? strlen(text) : 0;
  tp_str_printf(w->out, " %c%zu:", text ? 's' : 'n', n);
  tp_str_add_n(w->out, text ? text : "", n);
}

/* A remark of the program as a whole: "sign of a float at a.c:3:4", "in line 3 of a.c". Where it
 * stands is a position like others. */
static void put_remark(writer *w, const char *text) {
  tp_str plain = {0};
  tp_str_add(&plain, "");
  for (const char *c = text; *c; c++) {
    const bool is_place = *c >= '0' && *c <= '9' && c > text &&
                          (c[-1] == ':' || (c >= text + 5 && strncmp(c - 5, "line ", 5) == 0));
    tp_str_add_char(&plain, is_place ? '#' : *c);
    if (is_place) c += strspn(c, "0123456789") - 1;
  }
  put_text(w, plain.text);
  tp_str_clear(&plain);
}

static void put_place(writer *w, tp_pos pos) { tp_vec_push(w->places, pos); }

/* The number of a member; 0: none. */
static void put_member(writer *w, int list, uint32_t id) {
  uint64_t number = 0;
  if (id && !tp_map_get(&w->lists[list].number, id, &number)) {
    tp_vec_push(&w->lists[list].ids, id);
    number = w->lists[list].ids.n;
    tp_map_set(&w->lists[list].number, id, number);
  }
  put(w, number);
}

static void put_loc(writer *w, tp_loc l) {
  uint64_t number = 0;
  if (l.id && !tp_map_get(&w->locs, l.id, &number)) {
    number = w->locs.n + 1;
    tp_map_set(&w->locs, l.id, number);
    tp_vec_push(&w->waiting, l.id);
  }
  put(w, number);
}

// ------------------------------------------------------------------------ terms

static void put_sort(writer *w, tp_sort s) {
  const tp_terms *tt = w->p->terms;
  for (; tp_sort_kind_of(tt, s) == TP_SORT_ARRAY; s = tp_sort_element(tt, s)) {
    const tp_sort index = tp_sort_index(tt, s);
    tp_str_printf(w->out, " a%d.%u", (int)tp_sort_kind_of(tt, index), tp_sort_width(tt, index));
  }
  const tp_sort_kind k = tp_sort_kind_of(tt, s);
  tp_str_printf(w->out, " %d.%u", (int)k, k == TP_SORT_INT ? 0 : tp_sort_width(tt, s));
}

static void put_payload(writer *w, tp_term t) {
  const tp_terms *tt = w->p->terms;
  switch ((int)tp_kind(tt, t)) {
    case TP_OP_BV_CONST:
    case TP_OP_FP_CONST: {
      const tp_u128 v = tp_bv_value(tt, t);
      put(w, (uint64_t)(v >> 64));
      put(w, (uint64_t)v);
      return;
    }
    case TP_OP_PTR_CONST:
      put_member(w, OBJECTS, tp_ptr_const_object(tt, t));
      put(w, tp_ptr_const_offset(tt, t));
      return;
    case TP_OP_INT_CONST: put(w, (uint64_t)tp_int_value(tt, t)); return;
    case TP_OP_BV_EXTRACT:
      put(w, tp_extract_hi(tt, t));
      put(w, tp_extract_lo(tt, t));
      return;
    case TP_OP_FP_ROUND: put(w, (uint64_t)tp_round_of(tt, t)); return;
    case TP_OP_BOUND:
    case TP_OP_FORALL:
    case TP_OP_EXISTS: put(w, tp_bound_number(tt, t)); return;
    case TP_OP_VAR: {
      const tp_var v = tp_program_var_of(w->p, t);
      if (v.id)
        put_member(w, VARS, v.id);
      else
        put_text(w, tp_var_name(tt, t));  // a memory
      return;
    }
    default: return;
  }
}

static uint64_t write_term(void *ctx, tp_term t, const uint64_t *args) {
  writer *w = ctx;
  const tp_terms *tt = w->p->terms;
  const uint64_t number = w->terms.n + 1;  // the memo grows by one with each term
  tp_str_printf(w->out, "\nterm %llx %d", (unsigned long long)number, (int)tp_kind(tt, t));
  put_sort(w, tp_sort_of(tt, t));
  put_payload(w, t);
  for (uint32_t i = 0; i < tp_n_args(tt, t); i++) put(w, args[i]);
  return number;
}

/* Lines of terms that are new; the number of this one. */
static uint64_t number_of(writer *w, tp_term t) {
  if (!tp_term_is(t)) return 0;
  return tp_fold_terms(w->p->terms, t, &(tp_folder){.ctx = w, .after = write_term}, &w->terms);
}

// -------------------------------------------------------------------- operations

static void write_edge(writer *w, uint32_t id) {
  const tp_edge_info *e = &w->p->edges.at[id];
  const uint64_t a = number_of(w, e->a), b = number_of(w, e->b), c = number_of(w, e->c);
  TP_VEC(uint64_t) args = {0};
  for (uint32_t i = 0; i < e->n_args; i++) tp_vec_push(&args, number_of(w, e->args[i]));
  tp_str_printf(w->out, "\nedge %d", (int)e->kind);
  put_loc(w, e->to);
  put_member(w, VARS, e->var.id);
  put(w, a), put(w, b), put(w, c);
  put_member(w, TYPES, e->type.id);
  put(w, (uint64_t)e->object_kind), put(w, (uint64_t)e->input);
  put_text(w, e->name);
  put_member(w, FUNCS, e->callee.id);
  put(w, args.n);
  for (size_t i = 0; i < args.n; i++) put(w, args.at[i]);
  put(w, e->align_bytes);
  put(w, (uint64_t)(e->negated + 2 * e->volatile_access + 4 * e->may_write));
  put_place(w, e->pos);
  tp_vec_clear(&args);
  for (size_t i = 0; i < w->p->input_restrictions.n; i++) {
    const tp_input_restriction *r = &w->p->input_restrictions.at[i];
    if (r->at.id != id) continue;
    const uint64_t holds = number_of(w, r->holds);
    tp_str_add(w->out, "\nrestriction");
    put(w, holds);
    put_text(w, r->name);
  }
}

static void write_loc(writer *w, uint32_t id) {
  const tp_program *p = w->p;
  const tp_loc_info *l = &p->locs.at[id];
  tp_str_add(w->out, "\nloc");
  put_loc(w, (tp_loc){id});
  put(w, (uint64_t)l->error), put(w, (uint64_t)l->manner);
  put_text(w, l->label);
  put_text(w, l->message);
  put(w, (uint64_t)(l->is_unsupported + 2 * l->is_idle + 4 * l->is_loop_head + 8 * l->is_cutpoint));
  put_place(w, l->pos);
  if (l->is_loop_head && l->loop) put_place(w, p->loops.at[l->loop].pos);
  for (size_t i = 1; l->is_unsupported && i < p->unsupported.n; i++)
    if (p->unsupported.at[i].loc.id == id) put_text(w, p->unsupported.at[i].what);
  const tp_edge_list out = tp_out_edges(p, (tp_loc){id});
  put(w, out.n);
  for (uint32_t i = 0; i < out.n; i++) write_edge(w, out.at[i]);
}

// ---------------------------------------------------------------------- members

static void write_func(writer *w, uint32_t id) {
  const tp_func_info *f = &w->p->funcs.at[id];
  tp_str_add(w->out, "\nfunction");
  put_text(w, f->name);
  put_member(w, TYPES, f->type.id);
  put(w, (uint64_t)(f->has_body + 2 * f->is_recursive + 4 * f->is_model + 8 * f->is_variadic));
  put(w, (uint64_t)f->absence), put(w, (uint64_t)f->purity);
  put(w, f->n_params);
  for (uint32_t i = 0; i < f->n_params; i++) put_member(w, VARS, f->params[i].id);
  put_member(w, VARS, f->result.id);
  put_place(w, f->pos);
  put_loc(w, f->entry);
  put_loc(w, f->exit);
  while (w->waiting.n) write_loc(w, tp_vec_pop(&w->waiting));
}

static void write_object(writer *w, uint32_t id) {
  if (id >= w->p->statics.n) {
    tp_str_add(w->out, "\nnumber");  // no object of the program: the number itself
    put(w, id);
    return;
  }
  const tp_static *s = &w->p->statics.at[id];
  tp_str_add(w->out, "\nobject");
  put_text(w, s->name);
  put(w, (uint64_t)s->kind), put(w, s->size_bytes), put(w, s->align_bytes);
  put_member(w, TYPES, s->type.id);
  put_text(w, s->enclosing_function);
  put(w, (uint64_t)(s->is_const + 2 * s->is_extern + 4 * s->is_internal));
  put(w, (uint64_t)s->absence);
  put_member(w, FUNCS, s->func.id);
  put_place(w, s->pos);
  put(w, s->image != NULL);
  for (uint64_t i = 0; s->image && i < s->size_bytes; i++)
    tp_str_printf(w->out, "%02x", s->image[i]);
  put(w, s->n_relocs);
  for (uint32_t i = 0; i < s->n_relocs; i++) {
    put(w, s->relocs[i].offset), put(w, s->relocs[i].addend);
    put_member(w, OBJECTS, s->relocs[i].object);
  }
}

static void write_var(writer *w, uint32_t id) {
  const tp_var_info *v = &w->p->vars.at[id];
  const uint64_t initial = number_of(w, v->initial);
  tp_str_add(w->out, "\nvariable");
  put_text(w, v->kind == TP_V_TEMP ? NULL : v->name);  // those are numbered through the program
  put(w, (uint64_t)v->kind);
  put_member(w, FUNCS, v->func.id);
  put_member(w, TYPES, v->type.id);
  put_sort(w, tp_sort_of(w->p->terms, v->term));
  put(w, initial);
  put(w, (uint64_t)(v->is_internal + 2 * v->is_address));
  put_text(w, v->enclosing_function);
  put(w, (uint64_t)v->absence);
  put_place(w, v->pos);
}

static void write_type(writer *w, uint32_t id) {
  const tp_type_info *t = &w->p->types.at[id];
  tp_str_add(w->out, "\ntype");
  put(w, (uint64_t)t->kind);
  put_text(w, t->name);
  put(w, t->size_bytes), put(w, t->align_bytes), put(w, t->is_signed), put(w, t->n_elements);
  put_member(w, TYPES, t->element.id);
  put(w, t->n_members);
  for (uint32_t i = 0; i < t->n_members; i++) {
    put_text(w, t->members[i].name);
    put_member(w, TYPES, t->members[i].type.id);
    put(w, t->members[i].offset_bits), put(w, t->members[i].width_bits);
  }
  put(w, t->n_params), put(w, t->is_variadic);
  for (uint32_t i = 0; i < t->n_params; i++) put_member(w, TYPES, t->params[i].id);
}

/* What is said of the program as a whole. */
static void write_head(writer *w) {
  const tp_program *p = w->p;
  tp_str_add(w->out, "program");
  put(w, p->ptr_bits);
  for (size_t i = 1; i < p->unsupported.n; i++)
    if (!p->unsupported.at[i].loc.id) put_text(w, p->unsupported.at[i].what);
  for (size_t i = 1; i < p->assumptions.n; i++) put_remark(w, p->assumptions.at[i]);
  for (size_t i = 0; i < p->remarks.n; i++) {
    put_remark(w, p->remarks.at[i].text);
    put_place(w, p->remarks.at[i].pos);
  }
}

void tp_reach_text(const tp_program *p, tp_func root, tp_str *text, tp_reach_places *places) {
  TP_REQUIRE(p && root.id && root.id < p->funcs.n && text && places);
  static void (*const write[N_LISTS])(writer *, uint32_t) = {
      [FUNCS] = write_func, [OBJECTS] = write_object, [VARS] = write_var, [TYPES] = write_type};
  writer w = {.p = p, .out = text, .places = places};
  write_head(&w);
  tp_str_add(w.out, "\nroot");
  put_member(&w, FUNCS, root.id);
  for (bool is_done = false; !is_done;) {
    is_done = true;
    for (int i = 0; i < N_LISTS && is_done; i++) {
      reached *list = &w.lists[i];
      if (list->written == list->ids.n) continue;
      is_done = false;
      write[i](&w, list->ids.at[list->written++]);
    }
  }
  tp_str_add_char(w.out, '\n');
  for (int i = 0; i < N_LISTS; i++) {
    tp_map_clear(&w.lists[i].number);
    tp_vec_clear(&w.lists[i].ids);
  }
  tp_map_clear(&w.locs);
  tp_map_clear(&w.terms);
  tp_vec_clear(&w.waiting);
}
