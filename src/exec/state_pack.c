/* States as bytes: a header, a record and the content of each object, frames, slots. Nothing is
 * believed when it is read: sizes are checked as they are met, the state that results by
 * tp_state_check. */
#include "exec/machine_state.h"

enum { HAS_CONTENT = 1, HAS_UND = 2, HAS_ORIGIN = 4, IS_SAME = 8, IS_LIVE = 16, IS_CONST = 32 };

typedef struct {
  uint64_t n_objects, n_frames, n_slots, next_base;
} header;
typedef struct {
  uint64_t base, size;
  uint32_t kind, flags;
} object_record;
typedef struct {
  uint32_t func, loc, call;
} frame_record;

// --------------------------------------------------------------------- writing

static void put(tp_str *out, const void *data, size_t n) {
  if (n) tp_str_add_n(out, data, n);
}

static bool same_content(const tp_object_content *a, const tp_object_content *b) {
  if (a == b) return true;
  if (!a || !b || a->n != b->n || !a->und != !b->und || !a->origin != !b->origin) return false;
  return !memcmp(a->bytes, b->bytes, a->n) && (!a->und || !memcmp(a->und, b->und, a->n)) &&
         (!a->origin || !memcmp(a->origin, b->origin, a->n * sizeof *a->origin));
}

static void put_object(const tp_state *s, const tp_state *than, uint32_t id, tp_str *out) {
  const tp_object *o = &s->objects.at[id];
  const tp_object_content *c = o->content;
  object_record r = {.base = o->base,
                     .size = o->size,
                     .kind = (uint32_t)o->kind,
                     .flags = (o->live ? IS_LIVE : 0u) | (o->is_const ? IS_CONST : 0u)};
  bool is_same = than && id < than->objects.n && than->objects.at[id].size == o->size &&
                 same_content(c, than->objects.at[id].content);
  if (is_same)
    r.flags |= IS_SAME;
  else if (c)
    r.flags |= HAS_CONTENT | (c->und ? HAS_UND : 0u) | (c->origin ? HAS_ORIGIN : 0u);
  put(out, &r, sizeof r);
  if (is_same || !c) return;
  put(out, c->bytes, c->n);
  if (c->und) put(out, c->und, c->n);
  if (c->origin) put(out, c->origin, c->n * sizeof *c->origin);
}

void tp_state_pack(const tp_state *s, const tp_state *than, tp_str *out) {
  header h = {s->objects.n, s->frames.n, s->n_slots, s->next_base};
  put(out, &h, sizeof h);
  for (uint32_t i = 1; i < s->objects.n; i++) put_object(s, than, i, out);
  for (size_t i = 0; i < s->frames.n; i++) {
    frame_record f = {s->frames.at[i].func.id, s->frames.at[i].loc.id, s->frames.at[i].call.id};
    put(out, &f, sizeof f);
  }
  put(out, s->words, s->n_slots * sizeof *s->words);
  put(out, s->marked, s->n_slots);
  for (size_t i = 0; i < s->n_slots; i++)
    if (s->marked[i]) put(out, &s->shades[i], sizeof s->shades[i]);
}

// --------------------------------------------------------------------- reading

typedef struct {
  const char *at;
  size_t left;
} reader;

static bool get(reader *r, void *to, uint64_t n) {
  TP_REQUIRE(r->at || !r->left);
  if (n > r->left) return false;
  if (n) memcpy(to, r->at, n);
  r->at += n;
  r->left -= n;
  return true;
}

static bool get_content(reader *r, tp_state *s, uint32_t id, uint32_t flags) {
  uint64_t size = s->objects.at[id].size,
           each = 1 + (flags & HAS_UND ? 1u : 0u) + (flags & HAS_ORIGIN ? sizeof(uint32_t) : 0u);
  if (size > r->left / each) return false;
  tp_object_content *c = tp_memory_write(s, id);
  return get(r, c->bytes, size) && (!(flags & HAS_UND) || get(r, tp_memory_und(s, c), size)) &&
         (!(flags & HAS_ORIGIN) || get(r, tp_memory_origin(s, c), size * sizeof *c->origin));
}

/* Object `id` of to, which has all before it. */
static bool get_object(reader *r, tp_state *to, const tp_state *than, uint32_t id) {
  object_record o;
  if (!get(r, &o, sizeof o) || o.kind > TP_O_HEAP) return false;
  tp_object made = {.base = o.base,
                    .size = o.size,
                    .kind = (tp_object_kind)o.kind,
                    .live = o.flags & IS_LIVE,
                    .is_const = o.flags & IS_CONST};
  if (o.flags & IS_SAME) {
    if (id >= than->objects.n || than->objects.at[id].size != o.size) return false;
    made.content = tp_memory_share(&than->objects.at[id]).content;
  }
  tp_vec_push(&to->objects, made);
  return !(o.flags & HAS_CONTENT) || get_content(r, to, id, o.flags);
}

static bool get_frame(reader *r, tp_state *to) {
  const tp_program *p = to->program;
  frame_record f;
  if (!get(r, &f, sizeof f) || f.func == 0 || f.func >= p->funcs.n || f.loc >= p->locs.n ||
      f.call >= p->edges.n)
    return false;
  if (!p->funcs.at[f.func].has_body || (f.call != 0) != (to->frames.n != 0) ||
      p->locs.at[f.loc].func.id != f.func)
    return false;
  if (f.call && p->edges.at[f.call].kind != TP_E_CALL) return false;
  tp_state_push(to, (tp_func){f.func}, (tp_edge){f.call});
  tp_state_top(to)->loc = (tp_loc){f.loc};
  return true;
}

static bool get_slots(reader *r, tp_state *to, uint64_t n) {
  if (n != to->n_slots || !get(r, to->words, n * sizeof *to->words) || !get(r, to->marked, n))
    return false;
  for (size_t i = 0; i < n; i++)
    if (to->marked[i] && !get(r, &to->shades[i], sizeof to->shades[i])) return false;
  return true;
}

static bool get_state(reader *r, tp_state *to, const tp_state *than) {
  header h;
  if (!get(r, &h, sizeof h) || h.n_objects == 0 || h.n_objects > r->left || h.n_frames > r->left)
    return false;
  for (uint32_t i = 1; i < h.n_objects; i++)
    if (!get_object(r, to, than, i)) return false;
  for (uint64_t i = 0; i < h.n_frames; i++)
    if (!get_frame(r, to)) return false;
  if (!get_slots(r, to, h.n_slots) || r->left) return false;
  to->next_base = h.next_base;
  tp_state_recount(to);
  return tp_state_check(to, NULL);
}

bool tp_state_unpack(tp_state *s, const char *bytes, size_t n) {
  reader r = {bytes, n};
  tp_state *made = tp_state_copy(s);
  while (made->frames.n) tp_state_pop(made);
  for (size_t i = 1; i < made->objects.n; i++) tp_memory_clear(&made->objects.at[i]);
  made->objects.n = 1;
  bool ok = get_state(&r, made, s);
  if (ok) {
    tp_state old = *s;
    *s = *made;
    *made = old;
  }
  tp_state_free(made);
  return ok;
}
