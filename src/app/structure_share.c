/* One finding behind the other, each as the wire has it (app/wire.h), with its length in front. */
#include "app/structure_share.h"

#include "app/app_limits.h"
#include "app/wire.h"

#include <sys/mman.h>

struct tp_shared_structures {
  size_t n;
  char text[TP_APP_STRUCTURE_BYTES];
};

tp_shared_structures *tp_shared_structures_new(void) {
  tp_shared_structures *x =
      mmap(NULL, sizeof *x, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (x == MAP_FAILED) tp_out_of_memory(sizeof *x);
  return x;
}

void tp_shared_structures_free(tp_shared_structures *x) {
  if (x) (void)munmap(x, sizeof *x);
}

// ----------------------------------------------------------------------- writing

static void put_fact(tp_str *out, const tp_made_fact *f) {
  tp_wire_put_bytes(out, f, sizeof *f);
  tp_wire_put_text(out, f->kind == TP_FACT_NUMBERS ? f->condition.text : NULL);
}

static void put_structure(tp_str *out, const tp_made_structure *s) {
  tp_wire_put_text(out, s->name);
  tp_wire_put_u64(out, tp_made_structure_n_facts(s));
  for (size_t i = 0; i < s->facts.n; i++)
    if (!s->facts.at[i].is_out) put_fact(out, &s->facts.at[i]);
}

void tp_shared_structures_put(tp_shared_structures *x, const tp_structure_finding *f) {
  TP_REQUIRE(f);
  if (!x) return;
  tp_str text = {0};
  tp_wire_put_u64(&text, f->structures.list.n);
  for (size_t k = 0; k < f->structures.list.n; k++) put_structure(&text, &f->structures.list.at[k]);
  tp_wire_put_text(&text, f->obstacle);
  tp_wire_put_u64(&text, f->n_proofs);
  tp_wire_put_u64(&text, f->assumptions.n);
  for (size_t i = 0; i < f->assumptions.n; i++) tp_wire_put_text(&text, f->assumptions.at[i]);
  if (x->n + sizeof text.n + text.n <= sizeof x->text) {
    memcpy(x->text + x->n, &text.n, sizeof text.n);
    memcpy(x->text + x->n + sizeof text.n, text.text, text.n);
    x->n += sizeof text.n + text.n;
  }
  tp_str_clear(&text);
}

// ----------------------------------------------------------------------- reading

static bool is_field(const tp_made_structure *s, uint32_t field) {
  return field == TP_FIELD_NONE || field < s->fields.n;
}

static bool take_fact(tp_wire_reader *r, tp_made_structure *s, tp_arena *arena) {
  size_t n = 0;
  const char *bytes = tp_wire_bytes(r, &n);
  tp_made_fact f;
  if (r->bad || !bytes || n != sizeof f) return false;
  memcpy(&f, bytes, sizeof f);
  f.condition.text = tp_wire_text(r, arena);
  f.condition.failed = "";
  if (r->bad || !is_field(s, f.pointer) || !is_field(s, f.a) || !is_field(s, f.b)) return false;
  if (f.kind == TP_FACT_NUMBERS && !f.condition.text) return false;
  tp_vec_push(&s->facts, f);
  return true;
}

static bool take_structure(tp_wire_reader *r, tp_made_structure *s, tp_arena *arena) {
  const char *name = tp_wire_text(r, arena);
  const uint64_t n = tp_wire_u64(r);
  bool fits = !r->bad && name && strcmp(name, s->name) == 0;
  for (uint64_t i = 0; i < n && fits; i++) fits = take_fact(r, s, arena);
  return fits;
}

static bool take_finding(tp_wire_reader *r, tp_structure_finding *f, tp_arena *arena) {
  bool fits = tp_wire_u64(r) == f->structures.list.n;
  for (size_t k = 0; k < f->structures.list.n; k++) f->structures.list.at[k].facts.n = 0;
  for (size_t k = 0; k < f->structures.list.n && fits; k++)
    fits = take_structure(r, &f->structures.list.at[k], arena);
  if (!fits) return false;
  f->obstacle = tp_wire_text(r, arena);
  f->n_proofs = tp_wire_u64(r);
  const uint64_t n = tp_wire_u64(r);
  for (uint64_t i = 0; i < n && !r->bad; i++) {
    const char *text = tp_wire_text(r, arena);
    if (text) tp_vec_push(&f->assumptions, text);
  }
  return !r->bad;
}

bool tp_shared_structures_take(const tp_shared_structures *x, tp_structure_finding *f,
                               tp_arena *arena) {
  TP_REQUIRE(f && arena);
  for (size_t at = 0; x && at + sizeof(size_t) <= x->n;) {
    size_t n;
    memcpy(&n, x->text + at, sizeof n);
    at += sizeof n;
    if (n > x->n - at) return false;
    tp_wire_reader r = {x->text + at, x->text + at + n, false};
    f->assumptions.n = 0;
    if (take_finding(&r, f, arena)) return true;
    at += n;
  }
  f->assumptions.n = 0;
  f->obstacle = NULL;
  for (size_t k = 0; k < f->structures.list.n; k++) f->structures.list.at[k].facts.n = 0;
  return false;
}
