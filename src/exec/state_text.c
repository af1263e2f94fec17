/* The text form of a state: line by line, complete, made to be read and to be written by hand.
 *
 *   twoproof-state 1
 *   global x#3 = 5                       name#id of the variable; numbers decimal or 0x...
 *   global p#4 = &2+8                    a pointer: object and offset (null is &0+0)
 *   object 1 global 16 at 0x100000       id, kind, size; then any of: at ADDRESS, dead, const
 *     0: 2a 00 00 00                     bytes; what is not listed is 0
 *     pointer 8 &3+4                     a whole pointer lies at 8
 *     origin 16 1 3                      from 16, 1 byte: part of an address in object 3
 *     undetermined 4 ff 0f               from 4, masks of indeterminate bits
 *   frame main#1 at 12 [call 17]         function, location, edge of the call; outermost first
 *     i#7 = 5 ? ffffffff                 with a mask of indeterminate bits
 *     n#8 = 1048592 in 2                 an integer that is an address in object 2
 *   next 0x100040                        where the next object's address is looked for
 *   end
 *
 * Reading starts from the program's own globals and statics, so a fabricated state may list only
 * what differs. */
#include "exec/machine_state.h"

#include <ctype.h>
#include <stdlib.h>

static const char *const kind_names[] = {"none", "global", "literal", "function", "stack", "heap"};
enum { N_KIND_NAMES = sizeof kind_names / sizeof *kind_names, BYTES_PER_LINE = 32 };

// --------------------------------------------------------------------- writing

static void write_number(tp_u128 v, tp_str *out) {
  if (v >> 64)
    tp_str_printf(out, "0x%llx%016llx", (unsigned long long)(v >> 64), (unsigned long long)v);
  else
    tp_str_printf(out, "%llu", (unsigned long long)v);
}

static void write_mask(tp_u128 v, tp_str *out) {
  if (v >> 64)
    tp_str_printf(out, "%llx%016llx", (unsigned long long)(v >> 64), (unsigned long long)v);
  else
    tp_str_printf(out, "%llx", (unsigned long long)v);
}

static void write_slots(const tp_state *s, const char *lead, const tp_frame *f, tp_str *out) {
  const tp_slot_list list = tp_code_slots(s->code, f ? f->func : TP_FUNC_NONE);
  for (size_t i = 0; i < list.n; i++) {
    const tp_shaded c = tp_slot_get(s, (f ? f->base : 0) + i, list.sort[i]);
    tp_str_printf(out, "%s%s#%u = ", lead, tp_var_of(s->program, list.var[i])->name,
                  list.var[i].id);
    if (list.sort[i] == TP_SORT_PTR) {
      tp_str_printf(out, "&%u+%llu", c.object, (unsigned long long)c.bits);
    } else {
      write_number(c.bits, out);
      if (c.object) tp_str_printf(out, " in %u", c.object);
    }
    if (c.und) {
      tp_str_add(out, " ? ");
      write_mask(c.und, out);
    }
    tp_str_add_char(out, '\n');
  }
}

static void write_bytes(const tp_object_content *c, tp_str *out) {
  for (uint64_t at = 0; at < c->n; at += BYTES_PER_LINE) {
    uint64_t n = c->n - at < BYTES_PER_LINE ? c->n - at : BYTES_PER_LINE, used = n;
    while (used && c->bytes[at + used - 1] == 0) used--;
    if (!used) continue;
    tp_str_printf(out, "  %llu:", (unsigned long long)at);
    for (uint64_t i = 0; i < used; i++) tp_str_printf(out, " %02x", c->bytes[at + i]);
    tp_str_add_char(out, '\n');
  }
}

static bool whole_pointer(const tp_object_content *c, uint64_t at, uint32_t bytes) {
  if (at % bytes || at + bytes > c->n) return false;
  for (uint32_t i = 1; i < bytes; i++)
    if (c->origin[at + i] != c->origin[at]) return false;
  return true;
}

static void write_origins(const tp_state *s, const tp_object_content *c, tp_str *out) {
  const uint32_t ptr = s->program->ptr_bits / 8;
  for (uint64_t at = 0; c->origin && at < c->n;) {
    uint32_t o = c->origin[at];
    uint64_t n = 1;
    if (o == 0) {
      at++;
      continue;
    }
    if (whole_pointer(c, at, ptr)) {
      uint64_t address = 0;
      memcpy(&address, c->bytes + at, ptr);
      tp_str_printf(out, "  pointer %llu &%u+%llu\n", (unsigned long long)at, o,
                    (unsigned long long)((address - s->objects.at[o].base) & tp_ptr_mask(s)));
      n = ptr;
    } else {
      while (at + n < c->n && c->origin[at + n] == o && !whole_pointer(c, at + n, ptr)) n++;
      tp_str_printf(out, "  origin %llu %llu %u\n", (unsigned long long)at, (unsigned long long)n,
                    o);
    }
    at += n;
  }
}

static void write_masks(const tp_object_content *c, tp_str *out) {
  for (uint64_t at = 0; c->und && at < c->n;) {
    if (!c->und[at]) {
      at++;
      continue;
    }
    tp_str_printf(out, "  undetermined %llu", (unsigned long long)at);
    for (unsigned k = 0; k < BYTES_PER_LINE && at < c->n && c->und[at]; k++)
      tp_str_printf(out, " %02x", c->und[at++]);
    tp_str_add_char(out, '\n');
  }
}

void tp_state_write(const tp_state *s, tp_str *out) {
  tp_str_add(out, "twoproof-state 1\n");
  write_slots(s, "global ", NULL, out);
  for (size_t i = 1; i < s->objects.n; i++) {
    const tp_object *o = &s->objects.at[i];
    tp_str_printf(out, "object %zu %s %llu at 0x%llx%s%s\n", i, kind_names[o->kind],
                  (unsigned long long)o->size, (unsigned long long)o->base, o->live ? "" : " dead",
                  o->is_const ? " const" : "");
    if (!o->content) continue;
    write_bytes(o->content, out);
    write_origins(s, o->content, out);
    write_masks(o->content, out);
  }
  for (size_t i = 0; i < s->frames.n; i++) {
    const tp_frame *f = &s->frames.at[i];
    tp_str_printf(out, "frame %s#%u at %u", tp_func_of(s->program, f->func)->name, f->func.id,
                  f->loc.id);
    if (f->call.id) tp_str_printf(out, " call %u", f->call.id);
    tp_str_add_char(out, '\n');
    write_slots(s, "  ", f, out);
  }
  tp_str_printf(out, "next 0x%llx\nend\n", (unsigned long long)s->next_base);
}

// --------------------------------------------------------------------- reading

typedef struct {
  tp_state *s;
  const char *at;  // in the current line
  unsigned line;
  uint32_t object;  // whose bytes are being read, 0: none
  const char *wrong;
  bool ended;
} reader;

static bool fail(reader *r, const char *what) {
  if (!r->wrong) r->wrong = what;
  return false;
}

static void skip_spaces(reader *r) {
  while (*r->at == ' ' || *r->at == '\t') r->at++;
}

static bool at_end(reader *r) {
  skip_spaces(r);
  return *r->at == 0 || *r->at == '\n' || *r->at == '\r';
}

static bool word(reader *r, const char *text) {
  skip_spaces(r);
  size_t n = strlen(text);
  char next = strncmp(r->at, text, n) == 0 ? r->at[n] : 'x';
  if (isalnum((unsigned char)next) || next == '_' || next == '#')
    return false;  // a variable may be called `end`
  r->at += n;
  return true;
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

static bool digits(reader *r, uint32_t base, tp_u128 *out) {
  const char *first = r->at;
  const tp_u128 times = base;
  for (*out = 0; hex_digit(*r->at) >= 0 && hex_digit(*r->at) < (int)base; r->at++) {
    const tp_u128 digit = (tp_u128)hex_digit(*r->at);
    *out = *out * times + digit;
  }
  return r->at > first || fail(r, "number expected");
}

static bool number(reader *r, tp_u128 *out) {
  skip_spaces(r);
  bool hex = r->at[0] == '0' && r->at[1] == 'x';
  if (hex) r->at += 2;
  return digits(r, hex ? 16 : 10, out);
}

static bool number64(reader *r, uint64_t *out) {
  tp_u128 v;
  if (!number(r, &v)) return false;
  *out = (uint64_t)v;
  return v >> 64 == 0 || fail(r, "number too large");
}

static bool id_below(reader *r, size_t n, uint32_t *out) {
  uint64_t v;
  if (!number64(r, &v)) return false;
  *out = (uint32_t)v;
  return v < n || fail(r, "no such number in this program");
}

/* name#id: the id counts, the name is for people. */
static bool name_and_id(reader *r, size_t n, uint32_t *out) {
  skip_spaces(r);
  while (*r->at && *r->at != '#' && *r->at != '\n') r->at++;
  if (*r->at != '#') return fail(r, "name#id expected");
  r->at++;
  return id_below(r, n, out) && (*out != 0 || fail(r, "no such number in this program"));
}

static bool pointer(reader *r, tp_shaded *out) {
  uint64_t object, offset;
  skip_spaces(r);
  if (*r->at != '&') return fail(r, "pointer expected");
  r->at++;
  if (!number64(r, &object)) return false;
  if (*r->at != '+') return fail(r, "+ expected");
  r->at++;
  if (!number64(r, &offset)) return false;
  *out = (tp_shaded){.bits = offset & tp_ptr_mask(r->s), .object = (uint32_t)object};
  return true;
}

static bool read_value_line(reader *r, tp_func f) {
  uint32_t id;
  tp_state *s = r->s;
  if (!name_and_id(r, s->program->vars.n, &id)) return false;
  const tp_var v = {id};
  if (s->code->slot_of_var[id] == UINT32_MAX || tp_var_of(s->program, v)->func.id != f.id)
    return fail(r, "variable of another function");
  tp_layout l =
      tp_layout_of(s->program, tp_sort_of(s->program->terms, tp_var_of(s->program, v)->term));
  if (!word(r, "=")) return fail(r, "= expected");
  tp_shaded c = {0};
  if (l.kind == TP_SORT_PTR) {
    if (!pointer(r, &c)) return false;
  } else {
    if (!number(r, &c.bits)) return false;
    uint64_t in = 0;
    if (word(r, "in") && !number64(r, &in)) return false;
    c.object = (uint32_t)in;
  }
  skip_spaces(r);
  if (*r->at == '?') {
    r->at++;
    skip_spaces(r);
    if (!digits(r, 16, &c.und)) return false;
  }
  if ((c.bits | c.und) & ~tp_mask128(l.width_bits)) return fail(r, "value wider than its variable");
  tp_slot_set(s, tp_slot_of(s, f.id ? tp_state_top(s) : NULL, v), l.kind, c);
  return true;
}

static bool read_object(reader *r) {
  tp_state *s = r->s;
  uint64_t size;
  if (!id_below(r, s->objects.n + 1, &r->object)) return false;
  if (r->object == 0) return fail(r, "object 0 is null");
  skip_spaces(r);
  size_t kind = 0;
  while (kind < N_KIND_NAMES && !word(r, kind_names[kind])) kind++;
  if (kind == N_KIND_NAMES) return fail(r, "kind of object expected");
  if (!number64(r, &size)) return false;
  if (size > (uint64_t)1 << 40) return fail(r, "object too large");
  if (r->object == s->objects.n && !tp_memory_alloc(s, TP_O_GLOBAL, size, 0))
    return fail(r, "address space used up");
  tp_object *o = &s->objects.at[r->object];
  tp_memory_clear(o);
  *o = (tp_object){.base = o->base, .size = size, .kind = (tp_object_kind)kind, .live = true};
  for (;;) {
    if (word(r, "dead"))
      o->live = false;
    else if (word(r, "const"))
      o->is_const = true;
    else if (!word(r, "at"))
      break;
    else if (!number64(r, &o->base))
      return false;
  }
  return true;
}

static bool room_for(reader *r, uint64_t at, uint64_t n) {
  const tp_object *o = &r->s->objects.at[r->object];
  return (o->live && n <= o->size && at <= o->size - n) || fail(r, "outside of the object");
}

static bool read_byte(reader *r, uint8_t *out) {
  int hi = hex_digit(r->at[0]), lo = hi < 0 ? -1 : hex_digit(r->at[1]);
  if (lo < 0) return fail(r, "two hexadecimal digits expected");
  *out = (uint8_t)(hi * 16 + lo);
  r->at += 2;
  return true;
}

/* Bytes, or masks, up to the end of the line. */
static bool read_row(reader *r, uint64_t at, bool masks) {
  for (uint8_t b; !at_end(r); at++) {
    if (!read_byte(r, &b) || !room_for(r, at, 1)) return false;
    tp_object_content *c = tp_memory_write(r->s, r->object);
    *((masks ? tp_memory_und(r->s, c) : c->bytes) + at) = b;
  }
  return true;
}

static bool read_origin(reader *r) {
  uint64_t at, n, from;
  if (!number64(r, &at) || !number64(r, &n) || !number64(r, &from) || !room_for(r, at, n))
    return false;
  tp_object_content *c = tp_memory_write(r->s, r->object);
  for (uint64_t i = 0; i < n; i++) tp_memory_origin(r->s, c)[at + i] = (uint32_t)from;
  return true;
}

static bool read_content(reader *r) {
  const tp_layout l = {TP_SORT_PTR, r->s->program->ptr_bits, r->s->program->ptr_bits / 8};
  uint64_t at;
  if (word(r, "undetermined")) return number64(r, &at) && read_row(r, at, true);
  if (word(r, "origin")) return read_origin(r);
  if (!word(r, "pointer")) {
    if (!number64(r, &at)) return false;
    if (*r->at != ':') return fail(r, ": expected");
    r->at++;
    return read_row(r, at, false);
  }
  tp_shaded p;
  if (!number64(r, &at) || !pointer(r, &p) || !room_for(r, at, l.bytes)) return false;
  if (p.object >= r->s->objects.n)
    return fail(r, "pointer into an object that comes later: write its address and origin");
  const tp_object_content *c = tp_memory_write(r->s, r->object);
  for (uint32_t i = 0; c->und && i < l.bytes; i++) p.und |= (tp_u128)c->und[at + i] << (8 * i);
  tp_memory_store(r->s, r->object, at, l, p);
  return true;
}

static bool read_frame(reader *r) {
  tp_state *s = r->s;
  uint32_t func, loc, call = 0;
  if (!name_and_id(r, s->program->funcs.n, &func)) return false;
  if (!word(r, "at") || !id_below(r, s->program->locs.n, &loc)) return fail(r, "location expected");
  if (word(r, "call") && !id_below(r, s->program->edges.n, &call)) return false;
  if (tp_loc_of(s->program, (tp_loc){loc})->func.id != func)
    return fail(r, "location of another function");
  if ((call != 0) != (s->frames.n != 0) ||
      (call && tp_edge_of(s->program, (tp_edge){call})->kind != TP_E_CALL))
    return fail(r, "all frames but the first come from a call");
  tp_state_push(s, (tp_func){func}, (tp_edge){call});
  tp_state_top(s)->loc = (tp_loc){loc};
  r->object = 0;
  return true;
}

static bool read_line(reader *r) {
  if (at_end(r) || *r->at == '#') return true;
  if (word(r, "global")) return read_value_line(r, TP_FUNC_NONE);
  if (word(r, "object")) return read_object(r);
  if (word(r, "frame")) return read_frame(r);
  if (word(r, "next")) return number64(r, &r->s->next_base);
  if (word(r, "end")) return r->ended = true;
  if (r->object) return read_content(r);
  return r->s->frames.n ? read_value_line(r, tp_state_top(r->s)->func)
                        : fail(r, "line not understood");
}

/* Pointers may name objects that come later in the text, so two passes: objects first, then
 * everything. */
static bool read_lines(reader *r, const char *text, bool only_objects) {
  for (r->line = 2, r->object = 0, r->ended = false; *text && !r->ended; r->line++) {
    r->at = text;
    if (!only_objects) {
      if (!read_line(r)) return false;
      if (!at_end(r) && *r->at != '#') return fail(r, "more on the line than expected");
    } else if (word(r, "object") && !read_object(r)) {
      return false;
    }
    text += strcspn(text, "\n");
    if (*text) text++;
  }
  return true;
}

void tp_state_recount(tp_state *s) {
  s->n_heap = s->memory_bytes = 0;
  for (size_t i = 1; i < s->objects.n; i++) {
    const tp_object *o = &s->objects.at[i];
    s->memory_bytes += sizeof *o;
    if (!o->live) continue;
    s->n_heap += o->kind == TP_O_HEAP;
    s->memory_bytes += o->size;
    if (o->content && o->content->und) s->memory_bytes += o->size;
    if (o->content && o->content->origin) s->memory_bytes += o->size * sizeof(uint32_t);
  }
}

tp_status tp_state_read(const tp_program *p, const char *text, tp_state **out, tp_str *why) {
  static const char magic[] = "twoproof-state 1\n";
  *out = NULL;
  if (strncmp(text, magic, sizeof magic - 1) != 0) {
    if (why) tp_str_add(why, "line 1: twoproof-state 1 expected");
    return TP_ERR_INPUT;
  }
  reader r = {.s = tp_state_empty(p)};
  text += sizeof magic - 1;
  bool ok = read_lines(&r, text, true) && read_lines(&r, text, false);
  if (ok && !r.ended) ok = fail(&r, "end expected");
  if (ok) {
    tp_state_recount(r.s);
    tp_str broken = {0};
    if (!tp_state_check(r.s, &broken)) ok = fail(&r, "the state contradicts itself");
    tp_str_clear(&broken);
  }
  if (ok) {
    *out = r.s;
    return TP_OK;
  }
  if (why) tp_str_printf(why, "line %u: %s", r.line, r.wrong);
  tp_state_free(r.s);
  return TP_ERR_INPUT;
}
