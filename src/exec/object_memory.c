/* Memory of the concrete machine: objects, bytes, shadows.
 *
 * Bytes are what a machine would hold: the concrete address for a pointer. Beside them lie two
 * maps, made only when needed: which bits are indeterminate, and of which object's address a byte
 * is a part. A load gathers both; the origin of a value is the object on which all its bytes agree.
 * Code that moves pointers byte by byte, or through integers, therefore keeps them whole, as memcpy
 * does.
 *
 * Addresses come from one counter that only grows (statics first), with a gap of at least 16 bytes
 * behind each object: different objects never touch, and an address is never used twice. */
#include "exec/object_memory.h"

#include "base/checked.h"
#include "exec/machine_state.h"

// -------------------------------------------------------------------- contents

static tp_object_content *content_new(uint64_t n) {
  tp_object_content *c = tp_alloc(sizeof *c + n);
  *c = (tp_object_content){.refs = 1, .n = n, .bytes = (uint8_t *)(c + 1)};
  return c;
}

static void content_drop(tp_object_content *c) {
  TP_INVARIANT(!c || c->refs > 0);
  if (!c || --c->refs) return;
  tp_free(c->und);
  tp_free(c->origin);
  tp_free(c);
}

static tp_object_content *content_copy(const tp_object_content *from) {
  tp_object_content *c = content_new(from->n);
  memcpy(c->bytes, from->bytes, from->n);
  if (from->und) {
    c->und = tp_alloc(from->n);
    memcpy(c->und, from->und, from->n);
  }
  if (from->origin) {
    c->origin = TP_NEW_ARRAY(uint32_t, from->n);
    memcpy(c->origin, from->origin, from->n * sizeof *c->origin);
  }
  return c;
}

tp_object_content *tp_memory_write(tp_state *s, uint32_t object) {
  TP_REQUIRE(object > 0 && object < s->objects.n);
  tp_object *o = &s->objects.at[object];
  if (!o->content) {
    o->content = content_new(o->size);
  } else if (o->content->refs > 1) {
    tp_object_content *own = content_copy(o->content);
    content_drop(o->content);
    o->content = own;
  }
  return o->content;
}

uint8_t *tp_memory_und(tp_state *s, tp_object_content *c) {
  TP_REQUIRE(c->refs == 1);  // only a content of its own may change
  if (!c->und) {
    c->und = tp_alloc(c->n);
    s->memory_bytes += c->n;
  }
  return c->und;
}

uint32_t *tp_memory_origin(tp_state *s, tp_object_content *c) {
  TP_REQUIRE(c->refs == 1);
  if (!c->origin) {
    c->origin = TP_NEW_ARRAY(uint32_t, c->n);
    s->memory_bytes += c->n * sizeof *c->origin;
  }
  return c->origin;
}

uint64_t tp_memory_shadow_cost(const tp_object *o, bool und, bool origin) {
  const tp_object_content *c = o->content;
  return (und && !(c && c->und) ? o->size : 0) +
         (origin && !(c && c->origin) ? o->size * sizeof(uint32_t) : 0);
}

// --------------------------------------------------------------------- objects

/* The first address behind the object that was made last. */
static uint64_t end_of_last(const tp_state *s) {
  return s->objects.n > 1 ? tp_vec_last(&s->objects).base + tp_vec_last(&s->objects).size : 0;
}

uint32_t tp_memory_alloc(tp_state *s, tp_object_kind kind, uint64_t size, uint32_t align) {
  if (align < TP_ALIGN_DEFAULT) align = TP_ALIGN_DEFAULT;
  const uint64_t last = s->program->ptr_bits == 32 ? 0xffff0000u : (uint64_t)1 << 46;
  uint64_t base = (s->next_base + align - 1) / align * align;
  if (base >= last || size >= last - base) return 0;
  TP_INVARIANT(base >= s->next_base && base % align == 0);  // addresses are used once
  TP_INVARIANT(base > end_of_last(s));                      // objects do not touch
  s->next_base = (base + size + 2 * TP_ALIGN_DEFAULT) / TP_ALIGN_DEFAULT * TP_ALIGN_DEFAULT;
  s->memory_bytes += sizeof(tp_object) + size;
  if (kind == TP_O_HEAP) s->n_heap++;
  tp_vec_push(&s->objects, (tp_object){.base = base, .size = size, .kind = kind, .live = true});
  return (uint32_t)(s->objects.n - 1);
}

void tp_memory_end(tp_state *s, uint32_t id) {
  TP_REQUIRE(id > 0 && id < s->objects.n);
  tp_object *o = &s->objects.at[id];
  TP_INVARIANT(o->live);
  o->live = false;
  if (o->kind == TP_O_HEAP) s->n_heap--;
  TP_INVARIANT(s->memory_bytes >= o->size);
  s->memory_bytes -= o->size;
  if (o->content && o->content->und) s->memory_bytes -= o->size;
  if (o->content && o->content->origin) s->memory_bytes -= o->size * sizeof(uint32_t);
  tp_memory_clear(o);
}

void tp_memory_clear(tp_object *o) {
  content_drop(o->content);
  o->content = NULL;
}

tp_object tp_memory_share(const tp_object *o) {
  if (o->content) o->content->refs++;
  return *o;
}

static bool same_bytes(const uint8_t *a, const uint8_t *b, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    if ((a ? a[i] : 0) != (b ? b[i] : 0)) return false;
  return true;
}

static bool same_origins(const uint32_t *a, const uint32_t *b, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    if ((a ? a[i] : 0) != (b ? b[i] : 0)) return false;
  return true;
}

bool tp_memory_equal(const tp_object *a, const tp_object *b) {
  if (a->base != b->base || a->size != b->size || a->kind != b->kind || a->live != b->live ||
      a->is_const != b->is_const)
    return false;
  const tp_object_content *x = a->content, *y = b->content;
  if (x == y) return true;
  return same_bytes(x ? x->bytes : NULL, y ? y->bytes : NULL, a->size) &&
         same_bytes(x ? x->und : NULL, y ? y->und : NULL, a->size) &&
         same_origins(x ? x->origin : NULL, y ? y->origin : NULL, a->size);
}

// ------------------------------------------------------------ what is allowed

const char *tp_memory_read_error(const tp_state *s, uint32_t object, uint64_t offset, uint64_t n) {
  if (object == 0)
    return offset == 0 ? "access through a null pointer" : "access through an invalid pointer";
  if (object >= s->objects.n) return "access through an invalid pointer";
  const tp_object *o = &s->objects.at[object];
  if (o->kind == TP_O_FUNCTION) return "access to a function";
  if (!o->live)
    return o->kind == TP_O_HEAP ? "access to a freed object"
                                : "access to an object out of its scope";
  if (n > o->size || offset > o->size - n) return "access outside of an object";
  return NULL;
}

const char *tp_memory_write_error(const tp_state *s, uint32_t object, uint64_t offset, uint64_t n) {
  const char *why = tp_memory_read_error(s, object, offset, n);
  if (why) return why;
  return s->objects.at[object].is_const ? "write to a constant object" : NULL;
}

// ------------------------------------------------------------- loads and stores

static uint64_t word_at(const uint8_t *at, uint32_t bytes) {
  uint64_t w = 0;
  switch (bytes) {
    case 1: return *at;
    case 4: {
      uint32_t v;
      memcpy(&v, at, 4);
      return v;
    }
    case 8: memcpy(&w, at, 8); return w;
    default: memcpy(&w, at, bytes); return w;
  }
}

bool tp_memory_load_plain(const tp_object *o, uint64_t offset, uint32_t bytes, uint64_t *out) {
  const tp_object_content *c = o->content;
  if (!c) {
    *out = 0;
    return true;
  }
  if (bytes > 8 || (c->und && word_at(c->und + offset, bytes))) return false;
  if (c->origin)
    for (uint32_t i = 0; i < bytes; i++)
      if (c->origin[offset + i]) return false;
  *out = word_at(c->bytes + offset, bytes);
  return true;
}

bool tp_memory_store_plain(tp_object *o, uint64_t offset, uint32_t bytes, uint64_t value) {
  tp_object_content *c = o->content;
  if (!c || c->refs > 1 || bytes > 8) return false;
  switch (bytes) {
    case 1: c->bytes[offset] = (uint8_t)value; break;
    case 4: memcpy(c->bytes + offset, &value, 4); break;
    case 8: memcpy(c->bytes + offset, &value, 8); break;
    default: memcpy(c->bytes + offset, &value, bytes);
  }
  if (c->und) memset(c->und + offset, 0, bytes);
  if (c->origin) memset(c->origin + offset, 0, bytes * sizeof *c->origin);
  return true;
}

tp_shaded tp_memory_load(const tp_state *s, uint32_t object, uint64_t offset, tp_layout l) {
  TP_REQUIRE(!tp_memory_read_error(s, object, offset, l.bytes) && l.bytes <= 16);
  const tp_object_content *c = s->objects.at[object].content;
  tp_shaded v = {0};
  if (!c) return v;
  for (uint32_t i = l.bytes; i-- > 0;) {
    v.bits = v.bits << 8 | c->bytes[offset + i];
    v.und = v.und << 8 | (c->und ? c->und[offset + i] : 0);
  }
  v.bits &= tp_mask128(l.width_bits);
  v.und &= tp_mask128(l.width_bits);
  if (!c->origin || l.kind == TP_SORT_BOOL || l.kind == TP_SORT_FP) return v;
  uint32_t from = c->origin[offset];
  for (uint32_t i = 1; i < l.bytes; i++)
    if (c->origin[offset + i] != from) from = 0;
  v.object = from;
  if (l.kind == TP_SORT_PTR && from)
    v.bits = (uint64_t)(v.bits - s->objects.at[from].base) & tp_ptr_mask(s);
  return v;
}

void tp_memory_store(tp_state *s, uint32_t object, uint64_t offset, tp_layout l, tp_shaded v) {
  TP_REQUIRE(!tp_memory_read_error(s, object, offset, l.bytes) && l.bytes <= 16);  // may be const
  tp_object_content *c = tp_memory_write(s, object);
  uint32_t from = l.kind == TP_SORT_PTR || l.kind == TP_SORT_BV ? v.object : 0;
  if (from >= s->objects.n) from = 0;
  if (l.kind == TP_SORT_PTR && from) v.bits = (v.bits + s->objects.at[from].base) & tp_ptr_mask(s);
  uint8_t *und = v.und ? tp_memory_und(s, c) : c->und;
  uint32_t *origin = from ? tp_memory_origin(s, c) : c->origin;
  for (uint32_t i = 0; i < l.bytes; i++) {
    c->bytes[offset + i] = (uint8_t)(v.bits >> (8 * i));
    if (und) und[offset + i] = (uint8_t)(v.und >> (8 * i));
    if (origin) origin[offset + i] = from;
  }
}

// ---------------------------------------------------------------------- blocks

static bool is_shaded_alike(const tp_object_content *a, uint64_t at, const tp_object_content *b,
                            uint64_t bt, uint64_t n) {
  const uint8_t *const und_a = a && a->und ? a->und + at : NULL, *const und_b = b && b->und
                                                                                    ? b->und + bt
                                                                                    : NULL;
  const uint32_t *const from_a = a && a->origin ? a->origin + at : NULL, *const from_b =
                                                                             b && b->origin
                                                                                 ? b->origin + bt
                                                                                 : NULL;
  return ((!und_a && !und_b) || same_bytes(und_a, und_b, n)) &&
         ((!from_a && !from_b) || same_origins(from_a, from_b, n));
}

void tp_memory_copy(tp_state *s, uint32_t to, uint64_t to_off, uint32_t from, uint64_t from_off,
                    uint64_t n) {
  if (n == 0) return;
  TP_REQUIRE(!tp_memory_write_error(s, to, to_off, n) &&
             !tp_memory_read_error(s, from, from_off, n));
  tp_object_content *d = tp_memory_write(s, to);
  const tp_object_content *o =
      s->objects.at[from].content;  // read after: the same object may have got its content
  if (o)
    memmove(d->bytes + to_off, o->bytes + from_off, n);
  else
    memset(d->bytes + to_off, 0, n);
  if (o && o->und)
    memmove(tp_memory_und(s, d) + to_off, o->und + from_off, n);
  else if (d->und)
    memset(d->und + to_off, 0, n);
  if (o && o->origin)
    memmove(tp_memory_origin(s, d) + to_off, o->origin + from_off, n * sizeof *o->origin);
  else if (d->origin)
    memset(d->origin + to_off, 0, n * sizeof *d->origin);
  // the copy is as indeterminate as the original, and its bytes are parts of the same addresses
  TP_INVARIANT(from == to || is_shaded_alike(d, to_off, o, from_off, n));
}

void tp_memory_set(tp_state *s, uint32_t object, uint64_t offset, uint64_t n, tp_shaded byte) {
  if (n == 0) return;
  TP_REQUIRE(!tp_memory_write_error(s, object, offset, n));
  tp_object_content *c = tp_memory_write(s, object);
  memset(c->bytes + offset, (uint8_t)byte.bits, n);
  if (byte.und || c->und) memset(tp_memory_und(s, c) + offset, (uint8_t)byte.und, n);
  if (c->origin) memset(c->origin + offset, 0, n * sizeof *c->origin);
}

void tp_memory_fill(tp_state *s, uint32_t object, uint64_t offset, uint64_t n, const uint8_t *given,
                    size_t n_given, tp_content_is is) {
  if (n == 0) return;
  TP_REQUIRE(object > 0 && object < s->objects.n && n <= s->objects.at[object].size &&
             offset <= s->objects.at[object].size - n);
  tp_object_content *c = tp_memory_write(s, object);
  size_t first = n_given < n ? n_given : (size_t)n;
  if (first) memcpy(c->bytes + offset, given, first);
  memset(c->bytes + offset + first, 0, n - first);
  bool mark = is == TP_CONTENT_INDETERMINATE;
  if (mark || c->und) memset(tp_memory_und(s, c) + offset, mark ? 0xff : 0, n);
  if (c->origin) memset(c->origin + offset, 0, n * sizeof *c->origin);
}

// ------------------------------------------------------------------------ leaks

typedef struct {
  const tp_state *s;
  uint8_t *reached;
  uint32_t *stack;
  size_t n;
} reach;

static void reach_object(reach *r, uint32_t id) {
  if (id == 0 || id >= r->s->objects.n || r->reached[id] || !r->s->objects.at[id].live) return;
  r->reached[id] = 1;
  r->stack[r->n++] = id;
}

static void reach_all(reach *r) {
  while (r->n) {
    const tp_object_content *c = r->s->objects.at[r->stack[--r->n]].content;
    if (!c || !c->origin) continue;
    for (uint64_t i = 0; i < c->n; i++) reach_object(r, c->origin[i]);
  }
}

/* Temporaries do not count: no user's variable holds what only they hold. */
static void reach_slots(reach *r, const tp_frame *f) {
  const tp_state *s = r->s;
  const tp_slot_list vars = tp_code_slots(s->code, f ? f->func : TP_FUNC_NONE);
  for (size_t i = 0; i < vars.n; i++) {
    size_t slot = (f ? f->base : 0) + i;
    if (tp_var_of(s->program, vars.var[i])->kind == TP_V_TEMP) continue;
    if (vars.sort[i] == TP_SORT_PTR)
      reach_object(r, (uint32_t)s->words[slot].hi);
    else if (s->marked[slot])
      reach_object(r, s->shades[slot].origin);
  }
}

bool tp_memory_has_leak(const tp_state *s) {
  if (s->n_heap == 0) return false;
  reach r = {
      .s = s, .reached = tp_alloc(s->objects.n), .stack = TP_NEW_ARRAY(uint32_t, s->objects.n)};
  reach_slots(&r, NULL);
  for (size_t i = 0; i < s->frames.n; i++) reach_slots(&r, &s->frames.at[i]);
  for (uint32_t id = 1; id < s->objects.n; id++)
    if (s->objects.at[id].kind != TP_O_HEAP) reach_object(&r, id);
  reach_all(&r);
  bool leaked = false;
  for (size_t id = 1; id < s->objects.n && !leaked; id++)
    leaked = s->objects.at[id].live && s->objects.at[id].kind == TP_O_HEAP && !r.reached[id];
  tp_free(r.reached);
  tp_free(r.stack);
  return leaked;
}
