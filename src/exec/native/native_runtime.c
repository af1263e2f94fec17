/* Helpers of generated code: everything but registers, globals and plain bytes.
 *
 * Each helper performs the whole operation as the interpreter would, or none of it: then the code
 * is left and the interpreter performs the operation, with all its cases (shadows, errors, limits).
 * So helpers end no run, except for lack of inputs. */
#include "exec/native/native_priv.h"

#include "exec/exec_limits.h"

void tp_native_describe(tp_native *n, uint32_t object) {
  TP_REQUIRE(object < n->s->objects.n);
  if (object == 0 || object >= TP_EXEC_NATIVE_OBJECTS) return;
  const tp_object *o = &n->s->objects.at[object];
  const tp_object_content *c = o->kind == TP_O_FUNCTION || !o->live ? NULL : o->content;
  tp_native_object *d = &n->objects[object];
  if (object >= n->described) n->described = object + 1;
  *d = (tp_native_object){
      .base = o->base, .size = o->size, .live = o->live, .kind = (uint64_t)o->kind};
  if (!c) return;
  d->bytes = c->bytes;
  bool is_own = c->refs == 1 && !o->is_const;
  if (c->origin) return;
  if (c->und) {
    if (is_own) d->und = c->und;
    return;
  }
  d->plain_r = o->size;
  if (is_own) d->plain_w = o->size;
}

tp_word *tp_native_spill(tp_native *n, uint32_t func, uint32_t loc, uint32_t call) {
  TP_REQUIRE(func && func < n->p->funcs.n && loc < n->p->locs.n && call < n->p->edges.n);
  size_t slots = tp_code_slots(n->code, (tp_func){func}).n;
  tp_word *words =
      tp_arena_array(&n->frames, tp_word, slots + (slots + sizeof *words - 1) / sizeof *words + 1);
  tp_vec_push(&n->out, (tp_native_out){(tp_func){func}, (tp_loc){loc}, (tp_edge){call}, words,
                                       (uint8_t *)(words + slots)});
  return words;
}

static uint64_t reversed(uint64_t x) {
  x = __builtin_bswap64(x);
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
  x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
  return (x >> 1 & 0x5555555555555555u) | (x & 0x5555555555555555u) << 1;
}

/* Below the highest set bit: the decisions, the latest lowest. */
uint32_t tp_native_flush(tp_native *n, uint64_t bits) {
  TP_REQUIRE(bits != 0);  // the highest bit that is set marks the end
  uint32_t count = 63 - (uint32_t)__builtin_clzll(bits);
  if (!n->path || !count) return 1;
  tp_path_code_add64(n->path, reversed(bits) >> (64 - count), count);
  return !n->path->is_cut;
}

// ---------------------------------------------------------------------- inputs

static bool read_input(tp_native *n, tp_input *io) {
  if (n->oracle && n->oracle->ask && n->oracle->ask(n->oracle->ctx, io)) return true;
  n->no_input = true;
  return false;
}

static tp_input request(const tp_native *n, const tp_edge_info *e, tp_input_kind kind) {
  const tp_type_info *type = e->type.id ? tp_type_of(n->p, e->type) : NULL;
  return (tp_input){.kind = kind,
                    .is_signed = type && type->is_signed,
                    .name = e->name ? e->name : "",
                    .pos = e->pos};
}

tp_native_answer tp_native_read_input(tp_native *n, uint32_t edge, uint32_t kind) {
  TP_REQUIRE(edge && edge < n->p->edges.n);
  const tp_edge_info *e = &n->p->edges.at[edge];
  const tp_layout *l = &tp_code_op(n->code, edge)->layout;
  tp_input io = request(n, e, (tp_input_kind)kind);
  io.width_bits = l->width_bits;
  io.is_float = l->kind == TP_SORT_FP;
  if (!*io.name) io.name = tp_var_of(n->p, e->var)->name;
  if (!read_input(n, &io)) return (tp_native_answer){0};
  return (tp_native_answer){(uint64_t)(io.bits & tp_mask128(l->width_bits)), 1};
}

static bool read_input_bytes(tp_native *n, const tp_edge_info *e, tp_input_kind kind, uint64_t size,
                             tp_input *out) {
  *out = request(n, e, kind);
  out->n_bytes = size;
  if (!read_input(n, out)) return false;
  if (out->n_bytes > size) out->n_bytes = size;
  if (!out->bytes) out->n_bytes = 0;
  return true;
}

// ---------------------------------------------------------------------- memory

static bool is_id(const tp_native *n, uint64_t object) { return object < n->s->objects.n; }

tp_native_answer tp_native_load(const tp_native *n, uint32_t edge, uint64_t object,
                                uint64_t offset) {
  TP_REQUIRE(edge && edge < n->p->edges.n);
  const tp_layout *l = &n->code->ops[edge].layout;
  tp_native_answer a = {0};
  if (!is_id(n, object) || tp_memory_read_error(n->s, (uint32_t)object, offset, l->bytes)) return a;
  a.ok = tp_memory_load_plain(&n->s->objects.at[object], offset, l->bytes, &a.value);
  a.value &= (uint64_t)tp_mask128(l->width_bits);
  return a;
}

tp_native_answer tp_native_load_ptr(const tp_native *n, uint64_t object, uint64_t offset) {
  const uint32_t bits = n->p->ptr_bits;
  if (!is_id(n, object) || tp_memory_read_error(n->s, (uint32_t)object, offset, bits / 8))
    return (tp_native_answer){0};
  tp_shaded v =
      tp_memory_load(n->s, (uint32_t)object, offset, (tp_layout){TP_SORT_PTR, bits, bits / 8});
  if (v.und) return (tp_native_answer){0};
  return (tp_native_answer){(uint64_t)v.bits, (uint64_t)v.object + 1};
}

/* Never moves a content: descriptors stay valid. */
uint32_t tp_native_store(tp_native *n, uint64_t object, uint64_t offset, uint32_t bytes,
                         uint64_t value) {
  if (!is_id(n, object) || tp_memory_write_error(n->s, (uint32_t)object, offset, bytes)) return 0;
  return tp_memory_store_plain(&n->s->objects.at[object], offset, bytes, value);
}

/* Would anything that costs this much, in the worst case, stay below all limits? */
static bool has_plenty(const tp_native *n, uint64_t bytes) {
  uint64_t most = bytes * 6 + 4096;
  return bytes < UINT64_MAX / 8 && most <= n->limits.memory_bytes &&
         n->s->memory_bytes <= n->limits.memory_bytes - most;
}

/* What code takes for plain must stay so while it runs. */
static bool is_assumed(const tp_native *n, uint64_t object) {
  return object < n->p->statics.n && n->uses[object];
}

uint32_t tp_native_store_ptr(tp_native *n, uint64_t object, uint64_t offset, uint64_t to,
                             uint64_t to_offset) {
  const uint32_t bits = n->p->ptr_bits;
  if (is_assumed(n, object)) return 0;
  if (!is_id(n, object) || tp_memory_write_error(n->s, (uint32_t)object, offset, bits / 8))
    return 0;
  if (!has_plenty(n, n->s->objects.at[object].size)) return 0;
  tp_memory_store(n->s, (uint32_t)object, offset, (tp_layout){TP_SORT_PTR, bits, bits / 8},
                  (tp_shaded){.bits = to_offset, .object = (uint32_t)to});
  tp_native_describe(n, (uint32_t)object);
  return 1;
}

uint64_t tp_native_alloc(tp_native *n, uint32_t edge, uint64_t size, uint64_t fill) {
  TP_REQUIRE(n->p->edges.at[edge].kind == TP_E_ALLOC);
  const tp_edge_info *e = &n->p->edges.at[edge];
  const uint64_t last = n->p->ptr_bits == 32 ? 0x80000000u : (uint64_t)1 << 45;
  if (!has_plenty(n, size) || n->s->next_base >= last || size >= last / 2 || e->align_bytes > 4096)
    return 0;
  bool filled = tp_term_is(e->b);
  tp_input given = {0};
  if (!filled && !read_input_bytes(n, e, TP_I_INDETERMINATE, size, &given)) return UINT64_MAX;
  uint32_t id = tp_memory_alloc(n->s, e->object_kind, size, e->align_bytes);
  TP_INVARIANT(id);  // far from the end of the address space
  if (!filled)
    tp_memory_fill(n->s, id, 0, size, given.bytes, given.n_bytes, TP_CONTENT_INDETERMINATE);
  else if (fill)
    tp_memory_set(n->s, id, 0, size, (tp_shaded){.bits = fill});
  else if (size)
    (void)tp_memory_write(n->s, id);  // zeros, ready to be written
  tp_native_describe(n, id);
  n->rt->n_heap = n->s->n_heap;
  return id;
}

/* FREE and END_SCOPE. */
uint32_t tp_native_end_object(tp_native *n, uint32_t edge, uint64_t object, uint64_t offset) {
  tp_object_kind kind = n->p->edges.at[edge].kind == TP_E_FREE ? TP_O_HEAP : TP_O_STACK;
  if (object == 0 && offset == 0) return 1;
  if (object == 0 || !is_id(n, object) || offset) return 0;
  const tp_object *o = &n->s->objects.at[object];
  if (o->kind != kind || !o->live) return 0;
  tp_memory_end(n->s, (uint32_t)object);
  tp_native_describe(n, (uint32_t)object);
  n->rt->n_heap = n->s->n_heap;
  return 1;
}

/* COPY, SET (from_offset: the byte). */
uint32_t tp_native_write_block(tp_native *n, uint32_t edge, uint64_t to, uint64_t to_offset,
                               uint64_t from, uint64_t from_offset, uint64_t size) {
  const tp_edge_info *e = &n->p->edges.at[edge];
  if (size == 0) return 1;
  if (!is_id(n, to) || tp_memory_write_error(n->s, (uint32_t)to, to_offset, size)) return 0;
  if (!has_plenty(n, n->s->objects.at[to].size)) return 0;
  if (e->kind == TP_E_COPY) {
    if (!is_id(n, from) || tp_memory_read_error(n->s, (uint32_t)from, from_offset, size)) return 0;
    const tp_object_content *c = n->s->objects.at[from].content;
    if (c && (c->und || c->origin) && is_assumed(n, to)) return 0;
    tp_memory_copy(n->s, (uint32_t)to, to_offset, (uint32_t)from, from_offset, size);
  } else {
    tp_memory_set(n->s, (uint32_t)to, to_offset, size, (tp_shaded){.bits = from_offset});
  }
  tp_native_describe(n, (uint32_t)to);
  return 1;
}

// ---------------------------------------------------------------------- others

tp_native_answer tp_native_apply(const tp_instr *in, const tp_word *v) {
  TP_REQUIRE(in->n_args <= 3);
  tp_shaded x[3] = {{0}};
  for (uint32_t i = 0; i < in->n_args; i++) x[i].bits = (tp_u128)v[i].hi << 64 | v[i].lo;
  tp_u128 r = tp_apply(in, 64, &x[0], &x[1], &x[2]) & tp_mask128(in->width);
  return (tp_native_answer){(uint64_t)r, (uint64_t)(r >> 64)};
}

uint32_t tp_native_callee(const tp_native *n, uint64_t object) {
  if (!is_id(n, object) || object >= n->p->statics.n ||
      n->s->objects.at[object].kind != TP_O_FUNCTION)
    return 0;
  return n->p->statics.at[object].func.id;
}

uint32_t tp_native_touch(void *value, void *mark, void *object) {
  (void)value, (void)mark, (void)object;
  return 0;
}
