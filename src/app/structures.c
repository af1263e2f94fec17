/* Members are listed in the order of the type, those of inner structures in place; candidates are
 * proposed from one state, then every further state takes some away. */
#include "app/structures.h"

#include "app/app_limits.h"
#include "app/environment_priv.h"

#include <inttypes.h>

// ---------------------------------------------------------------------- members

typedef struct {
  tp_made_structure *s;
  const tp_environment *w;
} lister;

static void list_members(const lister *l, tp_type type, const char *path);

static void list_pointer(const lister *l, const tp_member *m, tp_made_structure_field *f) {
  f->element = tp_env_type(l->w, m->type)->element;
  const tp_type_info *e = f->element.id ? tp_env_type(l->w, f->element) : NULL;
  f->kind = e && e->kind == TP_T_FUNCTION ? TP_FIELD_FUNCTION : TP_FIELD_POINTER;
  f->element_bytes = e && e->size_bytes > 0 && e->size_bytes < UINT32_MAX && e->kind != TP_T_VOID
                         ? (uint32_t)e->size_bytes
                         : 1;
}

static void list_member(const lister *l, const tp_member *m, const char *text) {
  tp_made_structure *s = l->s;
  const tp_type_info *t = tp_env_type(l->w, m->type);
  tp_made_structure_field f = {.type = m->type, .text = text, .kind = TP_FIELD_BYTES};
  if (t->kind == TP_T_STRUCT) {
    list_members(l, m->type, tp_arena_printf(l->w->arena, "%s.", text));
    return;
  }
  if ((t->kind == TP_T_INT || t->kind == TP_T_ENUM || t->kind == TP_T_BOOL) && t->size_bytes <= 8) {
    f.kind = TP_FIELD_NUMBER;
    f.number = (uint32_t)s->numbers.n;
    tp_vec_push(&s->numbers,
                ((tp_precondition_number){
                    .text = text,
                    .is_signed = t->is_signed,
                    .bits = m->width_bits ? m->width_bits : (uint32_t)t->size_bytes * 8}));
  } else if (t->kind == TP_T_POINTER) {
    list_pointer(l, m, &f);
  } else if (t->size_bytes == 0) {
    s->obstacle = "a member has no size";
  } else if (!tp_env_is_plain(l->w, m->type)) {
    s->obstacle = tp_arena_printf(l->w->arena, "%s holds more than numbers", text);
  }
  tp_vec_push(&s->fields, f);
}

static void list_members(const lister *l, tp_type type, const char *path) {
  const tp_type_info *t = tp_env_type(l->w, type);
  for (uint32_t i = 0; i < t->n_members && !l->s->obstacle; i++) {
    const tp_member *m = &t->members[i];
    const tp_type_info *of = tp_env_type(l->w, m->type);
    if (!m->name[0] && of->kind == TP_T_STRUCT)
      list_members(l, m->type, path);
    else if (!m->name[0] && !m->width_bits)
      l->s->obstacle = "a member has no name";
    else if (m->name[0])
      list_member(l, m, tp_arena_printf(l->w->arena, "%s%s", path, m->name));
  }
}

void tp_made_structure_init(tp_made_structure *s, const tp_program *p, tp_type handle,
                            tp_arena *arena) {
  TP_REQUIRE(s && p && handle.id && handle.id < p->types.n && arena);
  const tp_environment w = {.p = p, .arena = arena};
  const tp_type structure = tp_env_type(&w, handle)->element;
  const tp_type_info *t = tp_env_type(&w, structure);
  *s = (tp_made_structure){.handle = handle,
                           .name = tp_env_declared(&w, handle, ""),
                           .structure = tp_arena_strdup(arena, t->name)};
  if (t->kind != TP_T_STRUCT || t->size_bytes == 0)
    s->obstacle = "it is no structure with a definition";
  else
    list_members(&(lister){s, &w}, structure, TP_STRUCTURE_OBJECT "->");
  if (s->fields.n > TP_APP_STRUCTURE_FIELDS) s->obstacle = "it has too many members";
}

void tp_made_structure_clear(tp_made_structure *s) {
  tp_vec_clear(&s->fields);
  tp_vec_clear(&s->numbers);
  tp_vec_clear(&s->facts);
  tp_vec_clear(&s->conditions);
}

void tp_structures_clear(tp_made_structures *s) {
  for (size_t i = 0; i < s->list.n; i++) tp_made_structure_clear(&s->list.at[i]);
  tp_vec_clear(&s->list);
  tp_vec_clear(&s->uses);
}

size_t tp_structures_find(const tp_made_structures *s, const tp_makers *m, tp_type handle) {
  TP_REQUIRE(s && m);
  size_t i = 0;
  while (i < s->list.n && !tp_makers_is_same(m, s->list.at[i].handle, handle)) i++;
  return i;
}

size_t tp_made_structure_n_facts(const tp_made_structure *s) {
  size_t n = 0;
  for (size_t i = 0; i < s->facts.n; i++) n += !s->facts.at[i].is_out;
  return n;
}

// ----------------------------------------------------------------------- holding

static tp_i128 number_at(const tp_field_value *values, uint32_t field) {
  return field == TP_FIELD_NONE ? 0 : values[field].value;
}

static uint32_t field_of_number(const tp_made_structure *s, uint32_t number) {
  uint32_t i = 0;
  while (i < s->fields.n &&
         (s->fields.at[i].kind != TP_FIELD_NUMBER || s->fields.at[i].number != number))
    i++;
  return i;
}

static bool condition_holds(const tp_made_structure *s, const tp_condition *c,
                            const tp_field_value *values) {
  tp_i128 numbers[TP_APP_STRUCTURE_FIELDS];
  for (uint32_t i = 0; i < s->numbers.n; i++) numbers[i] = values[field_of_number(s, i)].value;
  return tp_condition_holds(c, numbers);
}

/* Bytes behind the pointer that can be accessed. */
static tp_i128 room_of(const tp_field_value *p) {
  return p->object && p->is_live && p->offset <= p->size ? (tp_i128)(p->size - p->offset) : 0;
}

/* Elements of a ROOM: none below 0. */
static tp_i128 wanted_room(const tp_made_structure *s, const tp_made_fact *f,
                           const tp_field_value *values) {
  if (f->a == TP_FIELD_NONE) return f->k;
  const tp_i128 n = values[f->a].value + f->k;
  return n > 0 ? n * s->fields.at[f->pointer].element_bytes : 0;
}

static bool is_within(const tp_made_structure *s, const tp_made_fact *f,
                      const tp_field_value *values) {
  const tp_field_value *p = &values[f->pointer], *start = &values[f->b];
  const uint32_t element = s->fields.at[f->pointer].element_bytes;
  const tp_i128 distance = (tp_i128)p->offset - (tp_i128)start->offset,
                end = values[f->a].value * element;
  return p->object == start->object && distance >= 0 && distance % element == 0 &&
         (f->kind == TP_FACT_UP_TO ? distance <= end : distance < end);
}

bool tp_made_fact_holds(const tp_made_structure *s, const tp_made_fact *f,
                        const tp_field_value *values) {
  const tp_field_value *p = f->pointer == TP_FIELD_NONE ? NULL : &values[f->pointer];
  const tp_i128 a = number_at(values, f->a), b = number_at(values, f->b);
  switch (f->kind) {
    case TP_FACT_NUMBERS: return condition_holds(s, &f->condition, values);
    case TP_FACT_PLUS: return a == b + f->k;
    case TP_FACT_IS: return a == f->k;
    case TP_FACT_POWER: return a > 0 && ((tp_u128)a & (tp_u128)(a - 1)) == 0;
    case TP_FACT_MASK: return a >= 0 && ((tp_u128)a & (tp_u128)(a + 1)) == 0;
    case TP_FACT_NULL: return !p->object && p->offset == 0;
    case TP_FACT_SET: return p->object != 0;
    case TP_FACT_SET_IF: return p->object || a == 0;
    case TP_FACT_ROOM:
      return (!p->object && p->offset == 0) || room_of(p) >= wanted_room(s, f, values);
    case TP_FACT_BLOCK: return !p->object || (p->is_live && p->is_block);
    case TP_FACT_WITHIN:
    case TP_FACT_UP_TO: return is_within(s, f, values);
    case TP_FACT_FUNCTION: return (!p->object && p->offset == 0) || p->is_function;
  }
  return false;
}

void tp_made_structure_see(tp_made_structure *s, const tp_field_value *values) {
  for (size_t i = 0; i < s->facts.n; i++) {
    tp_made_fact *f = &s->facts.at[i];
    f->is_out |= !tp_made_fact_holds(s, f, values);
    f->is_loose |= f->kind == TP_FACT_ROOM && values[f->pointer].object &&
                   room_of(&values[f->pointer]) != wanted_room(s, f, values);
  }
}

/* is_exact: in all states no more than that. */
static bool has_room(const tp_made_structure *s, uint32_t pointer, bool is_exact) {
  for (size_t i = 0; i < s->facts.n; i++) {
    const tp_made_fact *f = &s->facts.at[i];
    if (f->kind == TP_FACT_ROOM && f->pointer == pointer && !f->is_out &&
        !(is_exact && f->is_loose))
      return true;
  }
  return false;
}

void tp_made_structure_settle(tp_made_structure *s) {
  TP_REQUIRE(s);
  size_t n = 0;
  for (size_t i = 0; i < s->facts.n; i++) {
    tp_made_fact *f = &s->facts.at[i];
    f->is_out |= f->kind == TP_FACT_ROOM && f->is_loose && has_room(s, f->pointer, true);
  }
  for (size_t i = 0; i < s->facts.n; i++) {
    tp_made_fact *f = &s->facts.at[i];  // what nothing is known of nobody frees
    f->is_out |= f->kind == TP_FACT_BLOCK && !has_room(s, f->pointer, false);
  }
  for (size_t i = 0; i < s->facts.n; i++)
    if (!s->facts.at[i].is_out) s->facts.at[n++] = s->facts.at[i];
  s->facts.n = n;
}

// --------------------------------------------------------------------- proposing

static void propose(tp_made_structure *s, tp_made_fact f, const tp_field_value *values) {
  if (s->facts.n < TP_APP_STRUCTURE_FACTS && tp_made_fact_holds(s, &f, values))
    tp_vec_push(&s->facts, f);
}

static tp_made_fact about(tp_made_fact_kind kind, uint32_t pointer, uint32_t a, uint32_t b,
                          int64_t k) {
  return (tp_made_fact){.kind = kind, .pointer = pointer, .a = a, .b = b, .k = k};
}

static bool is_kind(const tp_made_structure *s, uint32_t field, tp_field_kind kind) {
  return s->fields.at[field].kind == kind;
}

/* Constants of the module, as they stand and less one, and the signs of numbers: what is seen of
 * others depends on the runs. */
static bool is_bound(const tp_condition *c, const int64_t *constants, size_t n_constants) {
  if (c->kind == TP_CONDITION_AT_LEAST && (c->k == 0 || c->k == 1)) return true;
  for (size_t i = 0; i < n_constants; i++)
    if (c->k == constants[i] || c->k == constants[i] - 1) return true;
  return false;
}

/* Constants may come in several ways to one bound. */
static bool is_proposed(const tp_made_structure *s, const tp_condition *c) {
  for (size_t i = 0; i < s->facts.n; i++)
    if (s->facts.at[i].kind == TP_FACT_NUMBERS &&
        strcmp(s->facts.at[i].condition.text, c->text) == 0)
      return true;
  return false;
}

/* Products and multiples are left to preconditions: they hold in few structures, by chance in many;
 * so are sums that need more than 64 bits, which solvers are slow with. */
static void propose_conditions(tp_made_structure *s, const tp_field_value *values,
                               const int64_t *constants, size_t n_constants, tp_arena *arena) {
  tp_precondition_list_conditions(&s->numbers, constants, n_constants, arena, &s->conditions);
  for (size_t i = 0; i < s->conditions.n; i++) {
    const tp_condition *c = &s->conditions.at[i];
    if (c->kind == TP_CONDITION_IS_MULTIPLE || c->kind == TP_CONDITION_PRODUCT_LE ||
        (c->kind == TP_CONDITION_SUM_LE && strstr(c->text, "__int128")) || is_proposed(s, c))
      continue;
    if ((c->kind == TP_CONDITION_AT_MOST || c->kind == TP_CONDITION_AT_LEAST) &&
        !is_bound(c, constants, n_constants))
      continue;
    tp_made_fact f = about(TP_FACT_NUMBERS, TP_FIELD_NONE, TP_FIELD_NONE, TP_FIELD_NONE, 0);
    f.condition = *c;
    propose(s, f, values);
  }
}

static void propose_number(tp_made_structure *s, uint32_t i, const tp_field_value *values) {
  const tp_i128 value = values[i].value;
  if (value >= INT64_MIN && value <= INT64_MAX)
    propose(s, about(TP_FACT_IS, TP_FIELD_NONE, i, TP_FIELD_NONE, (int64_t)value), values);
  propose(s, about(TP_FACT_POWER, TP_FIELD_NONE, i, TP_FIELD_NONE, 0), values);
  propose(s, about(TP_FACT_MASK, TP_FIELD_NONE, i, TP_FIELD_NONE, 0), values);
  for (uint32_t b = 0; b < i; b++) {
    const tp_i128 k = value - values[b].value;
    if (is_kind(s, b, TP_FIELD_NUMBER) && k >= INT32_MIN && k <= INT32_MAX)
      propose(s, about(TP_FACT_PLUS, TP_FIELD_NONE, i, b, (int64_t)k), values);
  }
}

static void propose_pointer(tp_made_structure *s, uint32_t i, const tp_field_value *values) {
  const tp_field_value *p = &values[i];
  propose(s, about(TP_FACT_NULL, i, TP_FIELD_NONE, TP_FIELD_NONE, 0), values);
  propose(s, about(TP_FACT_SET, i, TP_FIELD_NONE, TP_FIELD_NONE, 0), values);
  if (is_kind(s, i, TP_FIELD_FUNCTION)) {
    propose(s, about(TP_FACT_FUNCTION, i, TP_FIELD_NONE, TP_FIELD_NONE, 0), values);
    return;
  }
  propose(s, about(TP_FACT_BLOCK, i, TP_FIELD_NONE, TP_FIELD_NONE, 0), values);
  if (room_of(p) > 0 && p->size <= TP_APP_STRUCTURE_CONSTANT)
    propose(s, about(TP_FACT_ROOM, i, TP_FIELD_NONE, TP_FIELD_NONE, (int64_t)room_of(p)), values);
  for (uint32_t a = 0; a < s->fields.n; a++) {
    if (!is_kind(s, a, TP_FIELD_NUMBER)) continue;
    propose(s, about(TP_FACT_SET_IF, i, a, TP_FIELD_NONE, 0), values);
    propose(s, about(TP_FACT_ROOM, i, a, TP_FIELD_NONE, 0), values);
    propose(s, about(TP_FACT_ROOM, i, a, TP_FIELD_NONE, 1), values);
    for (uint32_t b = 0; b < i; b++) {
      if (!is_kind(s, b, TP_FIELD_POINTER)) continue;
      propose(s, about(TP_FACT_WITHIN, i, a, b, 0), values);
      propose(s, about(TP_FACT_UP_TO, i, a, b, 0), values);
    }
  }
}

void tp_made_structure_propose(tp_made_structure *s, const tp_field_value *values,
                               const int64_t *constants, size_t n_constants, tp_arena *arena) {
  TP_REQUIRE(s && values && !s->obstacle && s->facts.n == 0);
  propose_conditions(s, values, constants, n_constants, arena);
  for (uint32_t i = 0; i < s->fields.n; i++)
    if (is_kind(s, i, TP_FIELD_NUMBER))
      propose_number(s, i, values);
    else if (!is_kind(s, i, TP_FIELD_BYTES))
      propose_pointer(s, i, values);
}

// -------------------------------------------------------------------------- text

/* As many elements as no object has. */
static uint64_t most_elements(const tp_made_structure *s, const tp_made_fact *f) {
  return (uint64_t)INT64_MAX / s->fields.at[f->pointer].element_bytes - 1;
}

const char *tp_made_fact_size_text(const tp_made_structure *s, const tp_made_fact *f,
                                   const char *size, tp_arena *arena) {
  TP_REQUIRE(s && f && f->kind == TP_FACT_ROOM && size && arena);
  if (f->a == TP_FIELD_NONE) return tp_arena_printf(arena, "%s >= %" PRId64, size, f->k);
  const tp_made_structure_field *a = &s->fields.at[f->a];
  const bool is_signed = s->numbers.at[a->number].is_signed;
  return tp_arena_printf(
      arena, "%s%s%s(%s <= %" PRIu64 "u && %s >= ((__SIZE_TYPE__)%s + %" PRId64 ") * %u)",
      is_signed ? a->text : "", is_signed ? " < 0" : "", is_signed ? " || " : "",
      tp_arena_printf(arena, "(unsigned long long)%s", a->text), most_elements(s, f), size, a->text,
      f->k, s->fields.at[f->pointer].element_bytes);
}

static const char *room_text(const tp_made_structure *s, const tp_made_fact *f, tp_arena *arena) {
  const char *p = s->fields.at[f->pointer].text;
  const char *room = tp_arena_printf(arena, "__twoproof_room(%s)", p);
  return tp_arena_printf(arena, "(%s == 0 || %s)", p, tp_made_fact_size_text(s, f, room, arena));
}

static const char *within_text(const tp_made_structure *s, const tp_made_fact *f, tp_arena *arena) {
  const char *p = s->fields.at[f->pointer].text, *start = s->fields.at[f->b].text,
             *a = s->fields.at[f->a].text;
  const uint32_t element = s->fields.at[f->pointer].element_bytes;
  const char *text =
      tp_arena_printf(arena,
                      "%s %s 0 && (unsigned long long)%s <= %" PRIu64
                      "u && __twoproof_within(%s, %s, ((__SIZE_TYPE__)%s - %d) * %u)",
                      a, f->kind == TP_FACT_UP_TO ? ">=" : ">", a, most_elements(s, f), p, start, a,
                      f->kind != TP_FACT_UP_TO, element);
  if (element == 1) return tp_arena_printf(arena, "(%s)", text);
  return tp_arena_printf(arena,
                         "(%s && (__SIZE_TYPE__)((const char *)%s - (const char *)%s) %% %u == 0)",
                         text, p, start, element);
}

const char *tp_made_fact_text(const tp_made_structure *s, const tp_made_fact *f, tp_arena *arena) {
  const char *p = f->pointer == TP_FIELD_NONE ? "" : s->fields.at[f->pointer].text,
             *a = f->a == TP_FIELD_NONE ? "" : s->fields.at[f->a].text,
             *b = f->b == TP_FIELD_NONE ? "" : s->fields.at[f->b].text;
  switch (f->kind) {
    case TP_FACT_NUMBERS: return f->condition.text;
    case TP_FACT_PLUS:
      return tp_arena_printf(arena, "(__int128)%s == (__int128)%s + %" PRId64, a, b, f->k);
    case TP_FACT_IS: return tp_arena_printf(arena, "(__int128)%s == %" PRId64, a, f->k);
    case TP_FACT_POWER:
      return tp_arena_printf(
          arena, "%s > 0 && ((unsigned long long)%s & ((unsigned long long)%s - 1)) == 0", a, a, a);
    case TP_FACT_MASK:
      return tp_arena_printf(
          arena, "%s >= 0 && ((unsigned long long)%s & ((unsigned long long)%s + 1)) == 0", a, a,
          a);
    case TP_FACT_NULL: return tp_arena_printf(arena, "%s == 0", p);
    case TP_FACT_SET: return tp_arena_printf(arena, "%s != 0", p);
    case TP_FACT_SET_IF: return tp_arena_printf(arena, "(%s != 0 || %s == 0)", p, a);
    case TP_FACT_ROOM: return room_text(s, f, arena);
    case TP_FACT_BLOCK: return tp_arena_printf(arena, "__twoproof_is_block((void *)%s)", p);
    case TP_FACT_WITHIN:
    case TP_FACT_UP_TO: return within_text(s, f, arena);
    case TP_FACT_FUNCTION: return NULL;
  }
  return NULL;
}

static const char *shown_k(tp_arena *arena, int64_t k) {
  if (k == 0) return "";
  return tp_arena_printf(arena, k > 0 ? " + %" PRId64 : " - %" PRId64, k > 0 ? k : -k);
}

const char *tp_made_fact_shown(const tp_made_structure *s, const tp_made_fact *f, tp_arena *arena) {
  const char *p = f->pointer == TP_FIELD_NONE ? "" : s->fields.at[f->pointer].text,
             *a = f->a == TP_FIELD_NONE ? "" : s->fields.at[f->a].text,
             *b = f->b == TP_FIELD_NONE ? "" : s->fields.at[f->b].text;
  switch (f->kind) {
    case TP_FACT_PLUS: return tp_arena_printf(arena, "%s == %s%s", a, b, shown_k(arena, f->k));
    case TP_FACT_IS: return tp_arena_printf(arena, "%s == %" PRId64, a, f->k);
    case TP_FACT_POWER: return tp_arena_printf(arena, "%s is a power of 2", a);
    case TP_FACT_MASK: return tp_arena_printf(arena, "%s is a power of 2 less 1", a);
    case TP_FACT_SET_IF: return tp_arena_printf(arena, "%s != 0 || %s == 0", p, a);
    case TP_FACT_ROOM:
      if (f->a == TP_FIELD_NONE)
        return tp_arena_printf(arena, "%s is null or leads to %" PRId64 " bytes", p, f->k);
      return tp_arena_printf(arena, "%s is null or leads to %s%s element%s", p, a,
                             shown_k(arena, f->k), "s");
    case TP_FACT_BLOCK: return tp_arena_printf(arena, "%s can be freed", p);
    case TP_FACT_WITHIN: return tp_arena_printf(arena, "%s leads below %s + %s", p, b, a);
    case TP_FACT_UP_TO: return tp_arena_printf(arena, "%s leads at most to %s + %s", p, b, a);
    case TP_FACT_FUNCTION: return tp_arena_printf(arena, "%s is null or a function", p);
    case TP_FACT_NUMBERS:
    case TP_FACT_NULL:
    case TP_FACT_SET: break;
  }
  return tp_made_fact_text(s, f, arena);
}

// ------------------------------------------------------------------------ needed

static bool says_less(const tp_condition *c, const tp_condition *of) {
  if (c->kind == TP_CONDITION_LE && of->kind == TP_CONDITION_LT)
    return c->a == of->a && c->b == of->b;
  if (c->kind == TP_CONDITION_IS_NOT_ZERO && of->kind == TP_CONDITION_AT_LEAST)
    return c->a == of->a && of->k > 0;
  if (c->kind != of->kind || c->a != of->a) return false;
  return (c->kind == TP_CONDITION_AT_LEAST && c->k < of->k) ||
         (c->kind == TP_CONDITION_AT_MOST && c->k > of->k);
}

static bool follows(const tp_made_fact *f, const tp_made_fact *from) {
  if (f->kind == TP_FACT_NUMBERS && from->kind == TP_FACT_NUMBERS)
    return says_less(&f->condition, &from->condition);
  if (f->pointer != from->pointer || f->pointer == TP_FIELD_NONE) return false;
  const bool is_null = from->kind == TP_FACT_NULL;
  if (f->kind == TP_FACT_SET_IF) return from->kind == TP_FACT_SET;
  if (f->kind == TP_FACT_FUNCTION || f->kind == TP_FACT_BLOCK) return is_null;
  if (f->kind == TP_FACT_UP_TO && from->kind == TP_FACT_WITHIN)
    return f->a == from->a && f->b == from->b;
  if (f->kind != TP_FACT_ROOM) return false;
  return is_null || (from->kind == TP_FACT_ROOM && f->a == from->a && f->k < from->k);
}

bool tp_made_fact_is_needless(const tp_made_structure *s, size_t number) {
  TP_REQUIRE(s && number < s->facts.n);
  for (size_t i = 0; i < s->facts.n; i++)
    if (i != number && !s->facts.at[i].is_out && follows(&s->facts.at[number], &s->facts.at[i]))
      return true;
  return false;
}
