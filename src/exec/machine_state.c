/* States of the concrete machine: copies, comparison, values of variables, evaluation of terms, and
 * the invariants.
 *
 * A copy shares the contents of objects (counted, copied at the first write) and the prepared code,
 * so it costs what the slots and object records do. */
#include "exec/machine_state.h"

#include "exec/exec_limits.h"
#include "program/cells.h"

// ----------------------------------------------------------------------- slots

tp_shaded tp_slot_get(const tp_state *s, size_t slot, tp_sort_kind kind) {
  TP_REQUIRE(slot < s->cap_slots);
  const tp_word w = s->words[slot];
  tp_shaded v = {.bits = w.lo};
  if (kind == TP_SORT_PTR)
    v.object = (uint32_t)w.hi;
  else
    v.bits |= (tp_u128)w.hi << 64;
  if (!s->marked[slot]) return v;
  v.und = s->shades[slot].und;
  if (kind == TP_SORT_BV) v.object = s->shades[slot].origin;
  return v;
}

void tp_slot_set(tp_state *s, size_t slot, tp_sort_kind kind, tp_shaded v) {
  TP_REQUIRE(slot < s->cap_slots);
  TP_REQUIRE(kind != TP_SORT_PTR || v.bits >> 64 == 0);
  uint32_t origin = kind == TP_SORT_BV ? v.object : 0;
  s->words[slot] =
      (tp_word){(uint64_t)v.bits, kind == TP_SORT_PTR ? v.object : (uint64_t)(v.bits >> 64)};
  s->marked[slot] = v.und || origin;
  s->shades[slot] = (tp_shade){v.und, origin};
}

size_t tp_slot_of(const tp_state *s, const tp_frame *f, tp_var v) {
  TP_REQUIRE(v.id && s->code->slot_of_var[v.id] != UINT32_MAX);  // no ghost
  uint32_t slot = s->code->slot_of_var[v.id];
  return s->code->var_is_global[v.id] || !f ? slot : f->base + slot;
}

void tp_state_reserve(tp_state *s, size_t n) {
  if (n <= s->cap_slots) return;
  size_t cap = s->cap_slots + s->cap_slots / 2;
  if (cap < n) cap = n;
  if (cap < 16) cap = 16;
  s->words = tp_realloc(s->words, cap * sizeof *s->words);
  s->shades = tp_realloc(s->shades, cap * sizeof *s->shades);
  s->marked = tp_realloc(s->marked, cap);
  s->cap_slots = cap;
}

static void want_slots(tp_state *s, size_t n) {
  tp_state_reserve(s, n);
  if (n > s->n_slots) {
    memset(s->words + s->n_slots, 0, (n - s->n_slots) * sizeof *s->words);
    memset(s->marked + s->n_slots, 0, n - s->n_slots);
  }
  s->n_slots = n;
}

void tp_state_push(tp_state *s, tp_func callee, tp_edge call) {
  TP_REQUIRE(tp_func_of(s->program, callee)->has_body);
  TP_REQUIRE((call.id != 0) == (s->frames.n != 0));  // main alone has no call
  size_t base = s->n_slots;
  want_slots(s, base + tp_code_slots(s->code, callee).n);
  tp_vec_push(&s->frames, (tp_frame){callee, tp_func_of(s->program, callee)->entry, call, base});
}

void tp_state_pop(tp_state *s) {
  TP_INVARIANT(tp_state_top(s)->base <= s->n_slots);
  s->n_slots = tp_state_top(s)->base;
  (void)tp_vec_pop(&s->frames);
}

// ---------------------------------------------------------------- initial state

static void add_static(tp_state *s, const tp_static *info) {
  uint32_t id = tp_memory_alloc(s, info->kind, info->size_bytes, info->align_bytes);
  if (!id) {  // does not fit the address space: an object without room
    tp_vec_push(&s->objects, (tp_object){.base = s->next_base, .kind = info->kind, .live = true});
    return;
  }
  s->objects.at[id].is_const = info->is_const || info->kind == TP_O_LITERAL;
  if (info->image && info->size_bytes)
    tp_memory_fill(s, id, 0, info->size_bytes, info->image, info->size_bytes, TP_CONTENT_DEFINED);
  if (info->is_extern)
    tp_memory_fill(s, id, 0, info->size_bytes, NULL, 0, TP_CONTENT_INDETERMINATE);
}

/* Pointers of the images, once all bases are known. */
static void relocate(tp_state *s, uint32_t id) {
  const tp_static *info = &s->program->statics.at[id];
  const tp_layout l = {TP_SORT_PTR, s->program->ptr_bits, s->program->ptr_bits / 8};
  for (uint32_t i = 0; i < info->n_relocs; i++) {
    const tp_reloc *r = &info->relocs[i];
    if (r->offset + l.bytes > s->objects.at[id].size) continue;
    tp_memory_store(s, id, r->offset, l,
                    (tp_shaded){.bits = r->addend & tp_ptr_mask(s), .object = r->object});
  }
}

static void set_globals(tp_state *s) {
  const tp_program *p = s->program;
  const tp_slot_list globals = tp_code_slots(s->code, TP_FUNC_NONE);
  want_slots(s, globals.n);
  for (size_t i = 0; i < globals.n; i++) {
    const tp_var_info *info = tp_var_of(p, globals.var[i]);
    tp_value v = {0};
    tp_layout l = tp_layout_of(p, tp_sort_of(p->terms, info->term));
    bool known = tp_term_is(info->initial) && tp_state_eval(s, info->initial, &v) == TP_OK;
    tp_slot_set(
        s, i, l.kind,
        (tp_shaded){
            .bits = v.bits, .object = v.object, .und = known ? 0 : tp_mask128(l.width_bits)});
  }
}

tp_state *tp_state_empty(const tp_program *p) {
  tp_state *s = TP_NEW(tp_state);
  s->program = p;
  s->code = tp_code_new(p);
  s->next_base = TP_FIRST_BASE;
  tp_vec_push(&s->objects, (tp_object){0});
  for (size_t i = 1; i < p->statics.n; i++) add_static(s, &p->statics.at[i]);
  for (size_t i = 1; i < p->statics.n; i++) relocate(s, (uint32_t)i);
  set_globals(s);
  return s;
}

tp_state *tp_state_initial(const tp_program *p) {
  tp_state *s = tp_state_empty(p);
  tp_state_push(s, p->main, TP_EDGE_NONE);
  TP_INVARIANT(tp_state_check(s, NULL));
  return s;
}

// ---------------------------------------------------------------- copy, compare

tp_state *tp_state_copy(const tp_state *from) {
  tp_state *s = TP_NEW(tp_state);
  *s = *from;
  TP_INVARIANT(from->n_slots <= from->cap_slots);
  s->code = tp_code_share(from->code);
  s->objects.at = TP_NEW_ARRAY(tp_object, from->objects.n);
  s->objects.cap = from->objects.n;
  for (size_t i = 0; i < from->objects.n; i++)
    s->objects.at[i] = tp_memory_share(&from->objects.at[i]);
  s->frames.at = TP_NEW_ARRAY(tp_frame, from->frames.n);
  s->frames.cap = from->frames.n;
  if (from->frames.n) memcpy(s->frames.at, from->frames.at, from->frames.n * sizeof *s->frames.at);
  s->cap_slots = s->n_slots ? s->n_slots : 1;
  s->words = TP_NEW_ARRAY(tp_word, s->cap_slots);
  s->shades = TP_NEW_ARRAY(tp_shade, s->cap_slots);
  s->marked = tp_alloc(s->cap_slots);
  if (s->n_slots) {
    memcpy(s->words, from->words, s->n_slots * sizeof *s->words);
    memcpy(s->marked, from->marked, s->n_slots);
    for (size_t i = 0; i < s->n_slots; i++)
      if (s->marked[i]) s->shades[i] = from->shades[i];
  }
  return s;
}

tp_state *tp_state_copy_top(const tp_state *from) {
  TP_REQUIRE(from->frames.n > 0);
  const tp_frame *top = tp_state_top(from);
  const size_t n_globals = from->frames.at[0].base, n_own = from->n_slots - top->base;
  tp_state globals = *from;  // borrowed, with the globals alone
  globals.frames.n = 0;
  globals.n_slots = n_globals;
  tp_state *s = tp_state_copy(&globals);
  tp_state_reserve(s, n_globals + n_own);
  memcpy(s->words + n_globals, from->words + top->base, n_own * sizeof *s->words);
  memcpy(s->shades + n_globals, from->shades + top->base, n_own * sizeof *s->shades);
  memcpy(s->marked + n_globals, from->marked + top->base, n_own);
  s->n_slots = n_globals + n_own;
  tp_frame frame = *top;
  frame.base = n_globals;
  tp_vec_push(&s->frames, frame);
  return s;
}

void tp_state_free(tp_state *s) {
  if (!s) return;
  for (size_t i = 0; i < s->objects.n; i++) tp_memory_clear(&s->objects.at[i]);
  tp_vec_clear(&s->objects);
  tp_vec_clear(&s->frames);
  tp_free(s->words);
  tp_free(s->shades);
  tp_free(s->marked);
  tp_code_drop(s->code);
  tp_free(s);
}

static bool same_frames(const tp_state *a, const tp_state *b) {
  if (a->frames.n != b->frames.n) return false;
  for (size_t i = 0; i < a->frames.n; i++) {
    const tp_frame *f = &a->frames.at[i], *g = &b->frames.at[i];
    if (f->func.id != g->func.id || f->loc.id != g->loc.id || f->call.id != g->call.id ||
        f->base != g->base)
      return false;
  }
  return true;
}

bool tp_state_equal(const tp_state *a, const tp_state *b) {
  if (a->program != b->program || a->n_slots != b->n_slots || a->objects.n != b->objects.n ||
      !same_frames(a, b) || a->next_base != b->next_base)
    return false;
  for (size_t i = 0; i < a->n_slots; i++) {
    if (a->words[i].lo != b->words[i].lo || a->words[i].hi != b->words[i].hi ||
        a->marked[i] != b->marked[i])
      return false;
    if (a->marked[i] &&
        (a->shades[i].und != b->shades[i].und || a->shades[i].origin != b->shades[i].origin))
      return false;
  }
  for (size_t i = 0; i < a->objects.n; i++)
    if (!tp_memory_equal(&a->objects.at[i], &b->objects.at[i])) return false;
  return true;
}

/* Content that was never written is all zero, so zeros say nothing. */
static uint64_t hash_object(const tp_object *o, uint64_t h) {
  h = tp_hash_mix(h, tp_hash_mix(o->size, (uint64_t)o->kind << 1 | o->live));
  uint64_t stride = o->size / TP_EXEC_HASHED_BYTES + 1;
  for (uint64_t i = 0; o->content && i < o->size; i += stride)
    if (o->content->bytes[i]) h = tp_hash_mix(h, i << 8 | o->content->bytes[i]);
  return h;
}

uint64_t tp_state_hash(const tp_state *s) {
  uint64_t h = tp_hash_mix(s->n_slots, s->objects.n);
  for (size_t i = 0; i < s->frames.n; i++)
    h = tp_hash_mix(h, (uint64_t)s->frames.at[i].loc.id << 32 | s->frames.at[i].call.id);
  for (size_t i = 0; i < s->n_slots; i++)
    h = tp_hash_mix(h, s->words[i].lo ^ tp_hash_u64(s->words[i].hi));
  for (size_t i = 0; i < s->objects.n; i++) h = hash_object(&s->objects.at[i], h);
  return h;
}

// --------------------------------------------------------------------- reading

tp_loc tp_state_loc(const tp_state *s) { return s->frames.n ? tp_state_top(s)->loc : TP_LOC_NONE; }
size_t tp_state_depth(const tp_state *s) { return s->frames.n; }

tp_func tp_state_frame(const tp_state *s, size_t i, tp_edge *call) {
  TP_REQUIRE(i < s->frames.n);
  *call = s->frames.at[i].call;
  return s->frames.at[i].func;
}

uint64_t tp_state_base(const tp_state *s, uint32_t object) {
  return object < s->objects.n ? s->objects.at[object].base : 0;
}
size_t tp_state_n_objects(const tp_state *s) { return s->objects.n - 1; }

bool tp_state_object_info(const tp_state *s, uint32_t object, tp_object_info *out) {
  if (object == 0 || object >= s->objects.n) return false;
  const tp_object *o = &s->objects.at[object];
  *out = (tp_object_info){o->base, o->size, o->kind, o->live, o->is_const};
  return true;
}

bool tp_state_read_bytes(const tp_state *s, uint32_t object, uint64_t offset, uint64_t n,
                         uint8_t *out) {
  if (tp_memory_read_error(s, object, offset, n)) return false;
  const tp_object_content *c = s->objects.at[object].content;
  if (c)
    memcpy(out, c->bytes + offset, n);
  else
    memset(out, 0, n);
  return true;
}

/* While globals are initialised there is no frame. */
static const tp_frame *top_or_null(const tp_state *s) {
  return s->frames.n ? tp_state_top(s) : NULL;
}

static bool is_in_scope(const tp_state *s, tp_var v) {
  if (v.id == 0 || v.id >= s->program->vars.n || s->code->slot_of_var[v.id] == UINT32_MAX)
    return false;
  return s->code->var_is_global[v.id] ||
         (s->frames.n && tp_var_of(s->program, v)->func.id == tp_state_top(s)->func.id);
}

static tp_sort_kind kind_of_var(const tp_state *s, tp_var v) {
  return tp_sort_kind_of(s->program->terms,
                         tp_sort_of(s->program->terms, tp_var_of(s->program, v)->term));
}

tp_status tp_state_value(const tp_state *s, tp_var v, tp_value *out) {
  if (v.id && v.id == s->program->ghost_heap.id) return *out = (tp_value){.bits = s->n_heap}, TP_OK;
  if (v.id && v.id == s->program->ghost_leaked.id)
    return *out = (tp_value){.bits = tp_memory_has_leak(s)}, TP_OK;
  if (!is_in_scope(s, v)) return TP_ERR_ARG;
  tp_shaded c = tp_slot_get(s, tp_slot_of(s, top_or_null(s), v), kind_of_var(s, v));
  *out = (tp_value){.bits = c.bits, .object = c.object};
  return TP_OK;
}

tp_u128 tp_state_indeterminate(const tp_state *s, tp_var v) {
  if (!is_in_scope(s, v)) return 0;
  return tp_slot_get(s, tp_slot_of(s, top_or_null(s), v), kind_of_var(s, v)).und;
}

void tp_state_set(tp_state *s, tp_var v, tp_value value) {
  if (!is_in_scope(s, v)) return;
  tp_slot_set(s, tp_slot_of(s, top_or_null(s), v), kind_of_var(s, v),
              (tp_shaded){.bits = value.bits, .object = value.object});
}

// ------------------------------------------------------------------ evaluation

typedef struct {
  const tp_state *s;
  tp_arena *arena;
} eval_env;

static tp_value ghost_of(const tp_state *s, tp_var ghost, uint32_t id) {
  if (id >= s->objects.n) return (tp_value){0};
  const tp_object *o = &s->objects.at[id];
  if (ghost.id == s->program->ghost_size.id) return (tp_value){.bits = o->size};
  if (ghost.id == s->program->ghost_live.id) return (tp_value){.bits = o->live};
  return (tp_value){.bits = (tp_u128)o->kind};
}

static bool is_ghost_array(const tp_program *p, tp_var v) {
  return v.id && (v.id == p->ghost_size.id || v.id == p->ghost_live.id || v.id == p->ghost_kind.id);
}

/* A variable of the innermost active frame of its function. */
static bool local_of_any_frame(const tp_state *s, tp_var v, tp_value *out) {
  if (v.id == 0 || s->code->slot_of_var[v.id] == UINT32_MAX) return false;
  tp_func func = tp_var_of(s->program, v)->func;
  for (size_t i = s->frames.n; i-- > 0;) {
    if (s->frames.at[i].func.id != func.id) continue;
    tp_shaded c = tp_slot_get(s, tp_slot_of(s, &s->frames.at[i], v), kind_of_var(s, v));
    *out = (tp_value){.bits = c.bits, .object = c.object};
    return true;
  }
  return false;
}

static bool env_var(void *ctx, tp_term symbol, tp_value *out) {
  eval_env *e = ctx;
  const tp_state *s = e->s;
  tp_var v = tp_program_var_of(s->program, symbol);
  if (!is_ghost_array(s->program, v))
    return tp_state_value(s, v, out) == TP_OK || local_of_any_frame(s, v, out);
  tp_array_value *a = tp_arena_new(e->arena, tp_array_value);
  a->n = s->objects.n;
  a->cells = tp_arena_array(e->arena, struct tp_array_cell, a->n);
  for (uint32_t i = 0; i < a->n; i++)
    a->cells[i] = (struct tp_array_cell){{.bits = i}, ghost_of(s, v, i)};
  *out = (tp_value){.array = a};
  return true;
}

static uint64_t env_base(void *ctx, uint32_t object) {
  return tp_state_base(((eval_env *)ctx)->s, object);
}

/* What a LOAD of this sort at this address gives; false: it would be invalid. */
static bool cell_value(const tp_state *s, tp_sort sort, tp_value at, tp_value *out) {
  tp_layout l = tp_layout_of(s->program, sort);
  if (tp_memory_read_error(s, at.object, (uint64_t)at.bits, l.bytes)) return false;
  tp_shaded c = tp_memory_load(s, at.object, (uint64_t)at.bits, l);
  *out = (tp_value){.bits = c.bits, .object = c.object};
  return true;
}

static bool env_select(void *ctx, tp_term array, tp_value index, tp_value *out) {
  const tp_state *s = ((eval_env *)ctx)->s;
  tp_sort sort;
  if (tp_is_memory(s->program, array, &sort)) return cell_value(s, sort, index, out);
  tp_var v = tp_program_var_of(s->program, array);
  if (!is_ghost_array(s->program, v)) return false;
  *out = ghost_of(s, v, (uint32_t)index.bits);
  return true;
}

tp_status tp_state_eval(const tp_state *s, tp_term t, tp_value *out) {
  tp_arena arena;
  tp_arena_init(&arena);
  eval_env e = {s, &arena};
  const tp_env env = {&e, env_var, env_base, env_select};
  tp_status st = tp_eval(s->program->terms, t, &env, &arena, out);
  out->array = NULL;
  tp_arena_clear(&arena);
  return st;
}

// -------------------------------------------------------------------- checking

static bool complain(tp_str *why, const char *what, uint64_t where) {
  if (why) tp_str_printf(why, "%s (%llu)", what, (unsigned long long)where);
  return false;
}

static bool check_objects(const tp_state *s, tp_str *why) {
  uint64_t end = 0, heap = 0, bytes = 0;
  for (size_t i = 1; i < s->objects.n; i++) {
    const tp_object *o = &s->objects.at[i];
    if (o->base <= end && i > 1) return complain(why, "objects touch", i);
    if (o->base == 0) return complain(why, "object at address 0", i);
    if (!o->live && o->content) return complain(why, "dead object with content", i);
    if (o->content && (o->content->n != o->size || o->content->refs == 0))
      return complain(why, "content of another size", i);
    if (o->content && o->content->origin)
      for (uint64_t k = 0; k < o->size; k++)
        if (o->content->origin[k] >= s->objects.n)
          return complain(why, "origin that does not exist", i);
    heap += o->live && o->kind == TP_O_HEAP;
    bytes += o->live ? o->size + (o->content && o->content->und ? o->size : 0) +
                           (o->content && o->content->origin ? o->size * sizeof(uint32_t) : 0)
                     : 0;
    end = o->base + o->size;
  }
  if (end > s->next_base && s->objects.n > 1)
    return complain(why, "next address inside an object", s->next_base);
  // what is counted against the limit of memory; statics without room count nothing
  if (s->memory_bytes < bytes || s->memory_bytes > bytes + s->objects.n * sizeof(tp_object))
    return complain(why, "count of bytes", s->memory_bytes);
  return heap == s->n_heap || complain(why, "count of heap objects", s->n_heap);
}

static bool check_slots(const tp_state *s, size_t base, tp_func f, tp_str *why) {
  const tp_slot_list list = tp_code_slots(s->code, f);
  const tp_terms *tt = s->program->terms;
  if (base + list.n > s->n_slots) return complain(why, "frame past the end of the slots", base);
  for (size_t i = 0; i < list.n; i++) {
    uint32_t width =
        tp_layout_of(s->program, tp_sort_of(tt, tp_var_of(s->program, list.var[i])->term))
            .width_bits;
    const tp_word w = s->words[base + i];
    bool is_ptr = list.sort[i] == TP_SORT_PTR;
    tp_u128 bits = is_ptr ? w.lo : (tp_u128)w.hi << 64 | w.lo;
    if (bits & ~tp_mask128(width))
      return complain(why, "value wider than its variable", list.var[i].id);
    if (is_ptr && w.hi > UINT32_MAX) return complain(why, "object id too large", list.var[i].id);
    if (!s->marked[base + i]) continue;
    const tp_shade shade = s->shades[base + i];
    if (shade.und & ~tp_mask128(width))
      return complain(why, "shadow wider than its variable", list.var[i].id);
    if (!shade.und && !shade.origin) return complain(why, "mark without a shadow", list.var[i].id);
    if (shade.origin >= s->objects.n) return complain(why, "origin of a slot", list.var[i].id);
  }
  return true;
}

bool tp_state_check(const tp_state *s, tp_str *why) {
  if (!check_objects(s, why) || !check_slots(s, 0, TP_FUNC_NONE, why)) return false;
  for (size_t i = 0; i < s->frames.n; i++) {
    const tp_frame *f = &s->frames.at[i];
    if (tp_loc_of(s->program, f->loc)->func.id != f->func.id)
      return complain(why, "frame in another function", i);
    if (i > 0 && tp_edge_of(s->program, f->call)->kind != TP_E_CALL)
      return complain(why, "frame without a call", i);
    if (!check_slots(s, f->base, f->func, why)) return false;
  }
  return true;
}
