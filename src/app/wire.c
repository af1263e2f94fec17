/* Results on a pipe between processes: lengths in front of every text, all reads checked, so that
 * a damaged message is an error and never a crash. */
#include "app/wire.h"

#include <errno.h>
#include <unistd.h>

// --------------------------------------------------------------------- writing

void tp_wire_put_u64(tp_str *out, uint64_t v) { tp_str_add_n(out, (const char *)&v, sizeof v); }

void tp_wire_put_bytes(tp_str *out, const void *p, size_t n) {
  TP_REQUIRE(n == 0 || p);
  tp_wire_put_u64(out, n);
  if (n) tp_str_add_n(out, p, n);
}

void tp_wire_put_text(tp_str *out, const char *text) {
  if (text)
    tp_wire_put_bytes(out, text, strlen(text));
  else
    tp_wire_put_u64(out, UINT64_MAX);
}

void tp_wire_put_stats(tp_str *out, const tp_stats *s) { tp_wire_put_bytes(out, s, sizeof *s); }

static void put_input(tp_str *out, const tp_input *in) {
  TP_REQUIRE(in->kind <= TP_I_ENVIRONMENT && in->width_bits <= TP_BV_MAX_BITS);
  tp_wire_put_u64(out, in->kind);
  tp_wire_put_u64(out, in->width_bits);
  tp_wire_put_u64(out, (uint64_t)in->is_signed | (uint64_t)in->is_float << 1);
  tp_wire_put_u64(out, (uint64_t)in->bits);
  tp_wire_put_u64(out, (uint64_t)(in->bits >> 64));
  tp_wire_put_bytes(out, in->bytes, in->width_bits == 0 ? in->n_bytes : 0);
  tp_wire_put_text(out, in->name);
  tp_wire_put_bytes(out, &in->pos, sizeof in->pos);
  tp_wire_put_u64(out, in->n_asked);
  tp_wire_put_text(out, in->callee);
  tp_wire_put_bytes(out, &in->call_pos, sizeof in->call_pos);
}

void tp_wire_put_inputs(tp_str *out, const tp_inputs *in) {
  tp_wire_put_u64(out, in->v.n);
  for (size_t i = 0; i < in->v.n; i++) put_input(out, &in->v.at[i]);
}

static void put_claim(tp_str *out, const tp_claim *c) {
  tp_wire_put_u64(out, c->number);
  tp_wire_put_u64(out, c->state);
  tp_wire_put_text(out, c->before);
  tp_wire_put_text(out, c->after);
  tp_wire_put_text(out, c->from);
}

static void put_drawing(tp_str *out, const tp_drawing *d) {
  TP_REQUIRE(d->place && d->caption && !d->file == !d->text);
  tp_wire_put_text(out, d->place);
  tp_wire_put_text(out, d->caption);
  tp_wire_put_text(out, d->file);
  tp_wire_put_text(out, d->text);
}

void tp_wire_put_result(tp_str *out, const tp_result *r) {
  TP_REQUIRE(r->verdict <= TP_VERDICT_FALSE && r->violated < TP_N_PROPERTIES);
  TP_REQUIRE(r->obstacle.kind < TP_N_OBSTACLES);
  tp_wire_put_u64(out, r->verdict);
  tp_wire_put_u64(out, r->violated);
  tp_wire_put_u64(out, r->bound);
  tp_wire_put_u64(out, r->is_tentative);
  tp_wire_put_text(out, r->reason);
  tp_wire_put_bytes(out, &r->obstacle, sizeof r->obstacle);
  tp_wire_put_text(out, r->hint);
  tp_wire_put_text(out, r->condition);
  tp_wire_put_inputs(out, &r->inputs);
  tp_wire_put_text(out, r->help);
  tp_wire_put_bytes(out, tp_str_text(&r->certificate), r->certificate.n);
  tp_wire_put_u64(out, r->assumptions.n);
  for (size_t i = 0; i < r->assumptions.n; i++) tp_wire_put_text(out, r->assumptions.at[i]);
  tp_wire_put_bytes(out, tp_str_text(&r->invariants_text), r->invariants_text.n);
  tp_wire_put_bytes(out, tp_str_text(&r->precision), r->precision.n);
  tp_wire_put_bytes(out, r->proved.at, r->proved.n * sizeof *r->proved.at);
  tp_wire_put_bytes(out, r->unproved.at, r->unproved.n * sizeof *r->unproved.at);
  tp_wire_put_u64(out, r->costliest.id);
  tp_wire_put_u64(out, r->costliest_steps);
  tp_wire_put_bytes(out, r->reach.checks.at, r->reach.checks.n * sizeof *r->reach.checks.at);
  tp_wire_put_bytes(out, r->reach.cuts.at, r->reach.cuts.n * sizeof *r->reach.cuts.at);
  tp_wire_put_u64(out, r->reach.larger);
  tp_wire_put_u64(out, r->reach.tried);
  tp_wire_put_bytes(out, &r->reach.larger_pos, sizeof r->reach.larger_pos);
  tp_wire_put_u64(out, r->claims.n);
  for (size_t i = 0; i < r->claims.n; i++) put_claim(out, &r->claims.at[i]);
  tp_wire_put_u64(out, r->pictures.n);
  for (size_t i = 0; i < r->pictures.n; i++) put_drawing(out, &r->pictures.at[i]);
}

// --------------------------------------------------------------------- reading

static bool take(tp_wire_reader *r, void *to, size_t n) {
  TP_REQUIRE(r->at <= r->end);
  if (r->bad || (size_t)(r->end - r->at) < n) {
    r->bad = true;
    memset(to, 0, n);
    return false;
  }
  memcpy(to, r->at, n);
  r->at += n;
  return true;
}

uint64_t tp_wire_u64(tp_wire_reader *r) {
  uint64_t v;
  take(r, &v, sizeof v);
  return v;
}

const char *tp_wire_bytes(tp_wire_reader *r, size_t *n) {
  uint64_t length = tp_wire_u64(r);
  *n = 0;
  if (r->bad || length > (uint64_t)(r->end - r->at)) {
    r->bad = true;
    return "";
  }
  const char *p = r->at;
  r->at += length;
  TP_INVARIANT(r->at <= r->end);
  *n = (size_t)length;
  return p;
}

const char *tp_wire_text(tp_wire_reader *r, tp_arena *arena) {
  tp_wire_reader before = *r;
  if (tp_wire_u64(r) == UINT64_MAX) return NULL;
  *r = before;
  size_t n;
  const char *p = tp_wire_bytes(r, &n);
  return r->bad ? NULL : tp_arena_strndup(arena, p, n);
}

/* Bytes of a struct that was put as bytes. */
static void take_struct(tp_wire_reader *r, void *to, size_t size) {
  size_t n;
  const char *p = tp_wire_bytes(r, &n);
  if (n != size) r->bad = true;
  if (r->bad)
    memset(to, 0, size);
  else
    memcpy(to, p, size);
}

void tp_wire_stats(tp_wire_reader *r, tp_stats *out) { take_struct(r, out, sizeof *out); }

static void take_input(tp_wire_reader *r, tp_inputs *to) {
  tp_input in = {0};
  in.kind = (tp_input_kind)tp_wire_u64(r);
  in.width_bits = (uint32_t)tp_wire_u64(r);
  uint64_t flags = tp_wire_u64(r);
  in.is_signed = flags & 1;
  in.is_float = flags >> 1 & 1;
  in.bits = tp_wire_u64(r);
  in.bits |= (tp_u128)tp_wire_u64(r) << 64;
  in.bytes = (const uint8_t *)tp_wire_bytes(r, &in.n_bytes);
  in.name = tp_wire_text(r, &to->arena);
  take_struct(r, &in.pos, sizeof in.pos);
  in.n_asked = (size_t)tp_wire_u64(r);
  in.callee = tp_wire_text(r, &to->arena);
  take_struct(r, &in.call_pos, sizeof in.call_pos);
  if (in.kind > TP_I_ENVIRONMENT || in.width_bits > TP_BV_MAX_BITS) r->bad = true;
  if (!in.name) in.name = "";
  if (!r->bad) tp_inputs_add(to, in);
}

void tp_wire_inputs(tp_wire_reader *r, tp_inputs *out) {
  uint64_t n = tp_wire_u64(r);
  for (uint64_t i = 0; i < n && !r->bad; i++) take_input(r, out);
}

/* A vector of plain values that was put as bytes. */
#define TAKE_LIST(r, list)                                \
  do {                                                    \
    size_t n_bytes_;                                      \
    const char *bytes_ = tp_wire_bytes(r, &n_bytes_);     \
    if (n_bytes_ % sizeof *(list)->at != 0)               \
      (r)->bad = true;                                    \
    else if (n_bytes_) {                                  \
      tp_vec_resize(list, n_bytes_ / sizeof *(list)->at); \
      memcpy((list)->at, bytes_, n_bytes_);               \
    }                                                     \
  } while (0)

static void take_drawing(tp_wire_reader *r, tp_result *out) {
  tp_drawing d;
  d.place = tp_wire_text(r, &out->arena);
  d.caption = tp_wire_text(r, &out->arena);
  d.file = tp_wire_text(r, &out->arena);
  d.text = tp_wire_text(r, &out->arena);
  r->bad |= !d.place || !d.caption || !d.file != !d.text;
  if (!r->bad) tp_vec_push(&out->pictures, d);
}

static void take_claim(tp_wire_reader *r, tp_result *out) {
  tp_claim c = {.number = (uint32_t)tp_wire_u64(r)};
  const uint64_t state = tp_wire_u64(r);
  c.before = tp_wire_text(r, &out->arena);
  c.after = tp_wire_text(r, &out->arena);
  c.from = tp_wire_text(r, &out->arena);
  r->bad |= state > TP_CLAIM_RESTS;
  c.state = r->bad ? TP_CLAIM_OPEN : (tp_claim_state)state;
  if (!r->bad) tp_vec_push(&out->claims, c);
}

void tp_wire_result(tp_wire_reader *r, tp_result *out) {
  uint64_t verdict = tp_wire_u64(r), violated = tp_wire_u64(r);
  if (verdict > TP_VERDICT_FALSE || violated >= TP_N_PROPERTIES) r->bad = true;
  out->verdict = r->bad ? TP_VERDICT_UNKNOWN : (tp_verdict)verdict;
  out->violated = r->bad ? TP_P_NONE : (tp_property)violated;
  out->bound = tp_wire_u64(r);
  out->is_tentative = tp_wire_u64(r) != 0;
  out->reason = tp_wire_text(r, &out->arena);
  take_struct(r, &out->obstacle, sizeof out->obstacle);
  if (out->obstacle.kind >= TP_N_OBSTACLES) r->bad = true;
  out->hint = tp_wire_text(r, &out->arena);
  out->condition = tp_wire_text(r, &out->arena);
  tp_wire_inputs(r, &out->inputs);
  out->help = tp_wire_text(r, &out->arena);
  size_t n;
  const char *certificate = tp_wire_bytes(r, &n);
  tp_str_add_n(&out->certificate, certificate, n);
  uint64_t n_assumptions = tp_wire_u64(r);
  for (uint64_t i = 0; i < n_assumptions && !r->bad; i++) {
    const char *text = tp_wire_text(r, &out->arena);
    if (text) tp_vec_push(&out->assumptions, text);
  }
  const char *invariants = tp_wire_bytes(r, &n);
  tp_str_add_n(&out->invariants_text, invariants, n);
  const char *precision = tp_wire_bytes(r, &n);
  tp_str_add_n(&out->precision, precision, n);
  TAKE_LIST(r, &out->proved);
  TAKE_LIST(r, &out->unproved);
  out->costliest.id = (uint32_t)tp_wire_u64(r);
  out->costliest_steps = tp_wire_u64(r);
  TAKE_LIST(r, &out->reach.checks);
  TAKE_LIST(r, &out->reach.cuts);
  out->reach.larger = tp_wire_u64(r);
  out->reach.tried = tp_wire_u64(r);
  take_struct(r, &out->reach.larger_pos, sizeof out->reach.larger_pos);
  const uint64_t n_claims = tp_wire_u64(r);
  for (uint64_t i = 0; i < n_claims && !r->bad; i++) take_claim(r, out);
  uint64_t n_pictures = tp_wire_u64(r);
  for (uint64_t i = 0; i < n_pictures && !r->bad; i++) take_drawing(r, out);
  TP_INVARIANT(r->at <= r->end);
  if (r->bad) out->verdict = TP_VERDICT_UNKNOWN;
}

// ---------------------------------------------------------------------- frames

static bool write_all(int fd, const char *p, size_t n) {
  TP_REQUIRE(fd >= 0);
  while (n > 0) {
    ssize_t k = write(fd, p, n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    p += k;
    n -= (size_t)k;
  }
  return true;
}

bool tp_wire_send(int fd, tp_frame_tag tag, const tp_str *payload) {
  tp_str head = {0};
  tp_wire_put_u64(&head, tag);
  tp_wire_put_u64(&head, payload->n);
  bool ok = write_all(fd, head.text, head.n) && write_all(fd, tp_str_text(payload), payload->n);
  tp_str_clear(&head);
  return ok;
}

bool tp_wire_next(const tp_str *text, size_t *done, tp_frame_tag *tag, tp_wire_reader *payload) {
  TP_REQUIRE(*done <= text->n);
  tp_wire_reader r = {tp_str_text(text) + *done, tp_str_text(text) + text->n, false};
  uint64_t t = tp_wire_u64(&r), n = tp_wire_u64(&r);
  if (r.bad || n > (uint64_t)(r.end - r.at)) return false;
  *tag = (tp_frame_tag)t;
  *payload = (tp_wire_reader){r.at, r.at + n, false};
  *done = (size_t)(r.at + n - tp_str_text(text));
  TP_INVARIANT(*done <= text->n);
  return true;
}
