/* Memory: loads, stores, and the checks of the memory properties.
 *
 * Reading a variable makes no edge; reading memory makes one LOAD. With a memory property in force
 * every access is preceded by a branch to an error location, unless it goes to a known object at an
 * offset that is in bounds. */
#include "front/front_priv.h"

#include "term/x87.h"

// --------------------------------------------------------------------- checks

/* The variable or static at the root of an address and the offset from it. */
typedef struct {
  bool known;  // size_bytes is the object's, which is alive
  uint64_t size_bytes;
  bool is_const;
  tp_term base;  // the variable, or the address of the static
  tp_term offset;
} root;

static root find_root(tp_fb *fb, tp_term p) {
  tp_terms *tt = fb->tt;
  root r = {.offset = tp_fe_size_term(fb->fe, 0)};
  if (tp_kind(tt, p) == TP_OP_PTR_ADD) {
    r.offset = tp_arg(tt, p, 1);
    p = tp_arg(tt, p, 0);
  }
  r.base = p;
  uint32_t object = 0;
  if (tp_kind(tt, p) == TP_OP_PTR_CONST) {
    object = tp_ptr_const_object(tt, p);
    r.base = tp_mk_ptr_const(tt, object, 0);
    r.offset =
        tp_mk2(tt, TP_OP_BV_ADD, r.offset, tp_fe_size_term(fb->fe, tp_ptr_const_offset(tt, p)));
  }
  if (object) {
    const tp_static *s = &fb->p->statics.at[object];
    r.known = s->kind != TP_O_FUNCTION && s->size_bytes > 0;
    r.size_bytes = s->size_bytes;
    r.is_const = s->is_const;
  } else if (tp_kind(tt, p) == TP_OP_VAR) {
    tp_var v = tp_program_var_of(fb->p, p);
    for (size_t i = 0; i < fb->slots.n && v.id; i++)
      if (fb->slots.at[i].is_object && fb->slots.at[i].var.id == v.id &&
          !fb->slots.at[i].is_dynamic) {
        r.known = true;
        r.size_bytes = fb->slots.at[i].size_bytes;
      }
  }
  return r;
}

bool tp_fb_are_distinct(tp_fb *fb, tp_term p, tp_term q) {
  TP_REQUIRE(tp_sort_eq(tp_sort_of(fb->tt, p), tp_sort_of(fb->tt, q)));
  root a = find_root(fb, p), b = find_root(fb, q);
  return a.known && b.known && !tp_term_eq(a.base, b.base);
}

/* off + n <= size, without wrap. */
static tp_term in_bounds(tp_terms *tt, tp_term off, tp_term n, tp_term size) {
  TP_REQUIRE(tp_width(tt, off) == tp_width(tt, size) && tp_width(tt, n) == tp_width(tt, size));
  tp_term fits = tp_mk2(tt, TP_OP_BV_ULE, n, size);
  return tp_mk_and(tt, fits, tp_mk2(tt, TP_OP_BV_ULE, off, tp_mk_sub(tt, size, n)));
}

void tp_fb_check_access(tp_fb *fb, tp_term p, tp_term n, tp_access_direction how) {
  TP_REQUIRE(tp_width(fb->tt, n) == fb->fe->ptr_bits);
  if (!fb->fe->check_deref || fb->dead) return;
  tp_terms *tt = fb->tt;
  tp_term ok;
  root r = find_root(fb, p);
  if (r.known) {
    ok = how == TP_FRONT_WRITE && r.is_const
             ? tp_mk_false(tt)
             : in_bounds(tt, r.offset, n, tp_fe_size_term(fb->fe, r.size_bytes));
  } else {
    tp_term object = tp_mk1(tt, TP_OP_PTR_OBJ, p), off = tp_mk1(tt, TP_OP_PTR_OFF, p);
    tp_term size = tp_mk2(tt, TP_OP_SELECT, tp_var_of(fb->p, fb->p->ghost_size)->term, object);
    tp_term live = tp_mk2(tt, TP_OP_SELECT, tp_var_of(fb->p, fb->p->ghost_live)->term, object);
    ok = tp_mk_and(tt, live, in_bounds(tt, off, n, size));
    if (how == TP_FRONT_WRITE) {
      tp_term kind = tp_mk2(tt, TP_OP_SELECT, tp_var_of(fb->p, fb->p->ghost_kind)->term, object);
      ok = tp_mk_and(tt, ok, tp_mk_not(tt, tp_mk_eq(tt, kind, tp_mk_bv(tt, 8, TP_O_LITERAL))));
    }
  }
  // an access of no bytes touches nothing
  ok = tp_mk_or(tt, tp_mk_eq(tt, n, tp_fe_size_term(fb->fe, 0)), ok);
  const char *message =
      how == TP_FRONT_WRITE
          ? "invalid pointer in a write: null, out of bounds, freed, out of scope or constant"
          : "invalid pointer in a read: null, out of bounds, freed or out of scope";
  tp_fb_check(fb, ok, TP_P_VALID_DEREF, message);
}

// ------------------------------------------------------------ loads and stores

static bool fits_bytes(tp_fb *fb, tp_sort s) {
  tp_sort_kind k = tp_sort_kind_of(fb->tt, s);
  return k != TP_SORT_BV || tp_sort_width(fb->tt, s) % 8 == 0;
}

/* The C type of an access, if it has the size of the access. */
static tp_type access_type(tp_fb *fb, const tp_fe_value *p, tp_sort s) {
  if (!p->pointee.id) return TP_TYPE_NONE;
  tp_fe_types_finish(fb->fe);
  tp_type t = p->pointee;
  // a struct's address is its first member's
  for (int depth = 0; depth < 8 && t.id; depth++) {
    const tp_type_info *info = tp_type_of(fb->p, t);
    if (info->kind == TP_T_STRUCT || info->kind == TP_T_UNION)
      t = tp_fe_member_at(fb->fe, t, 0);
    else if (info->kind == TP_T_ARRAY)
      t = info->element;
    else
      break;
  }
  return t.id && tp_type_of(fb->p, t)->size_bytes == tp_sort_bytes(fb->tt, s) ? t : TP_TYPE_NONE;
}

static tp_term address_at(tp_fb *fb, const tp_fe_value *p, uint64_t offset) {
  TP_REQUIRE(tp_sort_kind_of(fb->tt, tp_sort_of(fb->tt, p->t)) == TP_SORT_PTR);
  return offset ? tp_mk_ptr_add(fb->tt, p->t, tp_fe_size_term(fb->fe, offset)) : p->t;
}

static void emit_load(tp_fb *fb, tp_var to, const tp_fe_value *p, uint64_t offset, tp_type type,
                      bool is_volatile) {
  TP_REQUIRE(to.id && tp_term_is(p->t));
  (void)tp_fb_emit(fb, (tp_edge_info){.kind = TP_E_LOAD,
                                      .var = to,
                                      .a = address_at(fb, p, offset),
                                      .type = type,
                                      .volatile_access = is_volatile});
}

tp_term tp_fb_load_at(tp_fb *fb, tp_fe_value p, uint64_t offset, tp_sort sort) {
  tp_term n = tp_fe_size_term(fb->fe, tp_sort_bytes(fb->tt, sort));
  tp_fb_check_access(fb, address_at(fb, &p, offset), n, TP_FRONT_READ);
  tp_var v = tp_fb_temp(fb, sort, TP_TYPE_NONE);
  emit_load(fb, v, &p, offset, TP_TYPE_NONE, false);
  return tp_var_of(fb->p, v)->term;
}

void tp_fb_store_at(tp_fb *fb, tp_fe_value p, uint64_t offset, tp_term value) {
  TP_REQUIRE(tp_term_is(value));
  tp_sort sort = tp_sort_of(fb->tt, value);
  tp_term to = address_at(fb, &p, offset);
  tp_fb_check_access(fb, to, tp_fe_size_term(fb->fe, tp_sort_bytes(fb->tt, sort)), TP_FRONT_WRITE);
  (void)tp_fb_emit(
      fb,
      (tp_edge_info){.kind = TP_E_STORE, .a = to, .b = value, .type = access_type(fb, &p, sort)});
}

/* Read of a variable: no edge. */
static void read_variable(tp_fb *fb, LLVMValueRef inst, tp_var var, bool fixed) {
  TP_REQUIRE(var.id && var.id < fb->p->vars.n);
  tp_fe_value v = tp_fb_read_var(fb, var);
  if (fixed) v.mask = 0, v.reads_global = false;
  if (tp_sort_kind_of(fb->tt, tp_sort_of(fb->tt, v.t)) == TP_SORT_BOOL &&
      LLVMGetIntTypeWidth(LLVMTypeOf(inst)) == 8)
    v.t = tp_fe_bool_bv(fb->tt, 8, v.t);
  tp_fb_set(fb, inst, v);
}

static bool load_global(tp_fb *fb, LLVMValueRef inst, LLVMValueRef p) {
  tp_global_storage *g = tp_fe_global(fb->fe, p);
  if (!g || g->object) return false;
  if (tp_term_is(g->constant)) {
    tp_fe_value v = {.t = g->constant};
    if (tp_sort_kind_of(fb->tt, tp_sort_of(fb->tt, v.t)) == TP_SORT_BOOL)
      v.t = tp_fe_bool_bv(fb->tt, 8, v.t);
    tp_fb_set(fb, inst, v);
    return true;
  }
  tp_var var = g->var;
  if (g->is_extern_volatile && LLVMGetVolatile(inst)) {
    tp_fb_save_readers(fb, var);
    tp_fb_havoc(fb, var, TP_I_VOLATILE, tp_var_of(fb->p, var)->name, false);
  }
  read_variable(fb, inst, var, false);
  return true;
}

/* All bytes of the type must be there, those of its padding, too. */
static void check_whole(tp_fb *fb, tp_term p, LLVMTypeRef type, tp_access_direction how) {
  tp_fb_check_access(fb, p, tp_fe_size_term(fb->fe, LLVMABISizeOfType(fb->fe->layout, type)), how);
}

static tp_term load_part(tp_fb *fb, const tp_fe_value *p, uint64_t offset, tp_sort sort,
                         bool is_volatile) {
  tp_var v = tp_fb_temp(fb, sort, TP_TYPE_NONE);
  emit_load(fb, v, p, offset, TP_TYPE_NONE, is_volatile);
  return tp_var_of(fb->p, v)->term;
}

tp_term tp_fb_load_part(tp_fb *fb, const tp_fe_value *p, uint64_t offset, tp_sort sort) {
  return load_part(fb, p, offset, sort, false);
}

enum { HALF = 64, HALF_BYTES = 8 };  // of a long double, which is read and written in two parts

static tp_term load_long_double(tp_fb *fb, const tp_fe_value *p, uint64_t offset,
                                bool is_volatile) {
  const tp_sort first = tp_sort_bv(fb->tt, HALF), second = tp_sort_bv(fb->tt, TP_X87_BITS - HALF);
  const tp_term low = load_part(fb, p, offset, first, is_volatile),
                high = load_part(fb, p, offset + HALF_BYTES, second, is_volatile);
  return tp_mk2(fb->tt, TP_OP_BV_CONCAT, high, low);
}

tp_term tp_fb_load_long_double(tp_fb *fb, const tp_fe_value *p, uint64_t offset) {
  return load_long_double(fb, p, offset, false);
}

void tp_fb_store_long_double(tp_fb *fb, tp_term to, tp_term value) {
  tp_terms *tt = fb->tt;
  TP_REQUIRE(tp_width(tt, value) == TP_X87_BITS);
  tp_edge_info low = {.kind = TP_E_STORE, .a = to, .b = tp_mk_extract(tt, HALF - 1, 0, value)};
  tp_edge_info high = {.kind = TP_E_STORE,
                       .a = tp_mk_ptr_add(tt, to, tp_fe_size_term(fb->fe, HALF_BYTES)),
                       .b = tp_mk_extract(tt, TP_X87_BITS - 1, HALF, value)};
  (void)tp_fb_emit(fb, low);
  (void)tp_fb_emit(fb, high);
}

/* A struct in registers: one load per element. */
static void load_parts(tp_fb *fb, LLVMValueRef inst, tp_fe_value p) {
  LLVMTypeRef type = LLVMTypeOf(inst);
  unsigned n = LLVMCountStructElementTypes(type);
  tp_term *parts = tp_arena_array(&fb->fe->scratch, tp_term, n ? n : 1);
  for (unsigned i = 0; i < n; i++) {
    tp_sort sort;
    if (!tp_fe_sort(fb->fe, LLVMStructGetTypeAtIndex(type, i), &sort) || !fits_bytes(fb, sort)) {
      tp_fb_unsupported(fb, "value of a type that is not supported");
      return;
    }
    const LLVMTypeRef member = LLVMStructGetTypeAtIndex(type, i);
    const uint64_t offset = LLVMOffsetOfElement(fb->fe->layout, type, i);
    if (tp_fe_is_long_double(member)) {
      check_whole(fb, address_at(fb, &p, offset), member, TP_FRONT_READ);
      parts[i] = tp_fb_load_long_double(fb, &p, offset);
    } else {
      parts[i] = tp_fb_load_at(fb, p, offset, sort);
    }
  }
  tp_fb_set(fb, inst, (tp_fe_value){.parts = parts, .n_parts = n});
}

/* Is this a load of a _Bool? clang notes the range 0 .. 1 at each of them, unless its own check
 * stands behind it. */
static bool reads_bool(tp_fb *fb, LLVMValueRef inst) {
  LLVMTypeRef type = LLVMTypeOf(inst);
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 8) return false;
  LLVMValueRef range = LLVMGetMetadata(inst, LLVMGetMDKindIDInContext(fb->fe->context, "range", 5)),
               bounds[2];
  if (!range || LLVMGetMDNodeNumOperands(range) != 2) return false;
  LLVMGetMDNodeOperands(range, bounds);
  return LLVMConstIntGetZExtValue(bounds[0]) == 0 && LLVMConstIntGetZExtValue(bounds[1]) == 2;
}

static void lower_load_long_double(tp_fb *fb, LLVMValueRef inst, const tp_fe_value *p) {
  check_whole(fb, p->t, LLVMTypeOf(inst), TP_FRONT_READ);
  tp_fe_value v = {.t = load_long_double(fb, p, 0, LLVMGetVolatile(inst))};
  tp_fb_set_term(fb, inst, tp_fb_save_term(fb, v.t, TP_TYPE_NONE), &v, NULL);
}

void tp_fb_lower_load(tp_fb *fb, LLVMValueRef inst) {
  TP_REQUIRE(LLVMIsALoadInst(inst));
  LLVMValueRef pointer = LLVMGetOperand(inst, 0);
  const tp_stack_slot *slot = tp_fb_slot(fb, pointer);
  if (slot && !slot->is_object) {
    tp_fb_check_set(fb, slot, inst);
    read_variable(fb, inst, slot->var, slot->never_changes);
    return;
  }
  if (LLVMIsAGlobalVariable(pointer) && load_global(fb, inst, pointer)) return;
  tp_fe_value p;
  tp_sort sort;
  if (!tp_fb_get(fb, pointer, &p)) return;
  if (LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMStructTypeKind) {
    load_parts(fb, inst, p);
    return;
  }
  if (!tp_fe_sort(fb->fe, LLVMTypeOf(inst), &sort) || !fits_bytes(fb, sort)) {
    tp_fb_unsupported(fb, "value of a type that is not supported");
    return;
  }
  if (tp_fe_is_long_double(LLVMTypeOf(inst))) {
    lower_load_long_double(fb, inst, &p);
    return;
  }
  tp_type type = access_type(fb, &p, sort);
  tp_fb_check_access(fb, p.t, tp_fe_size_term(fb->fe, tp_sort_bytes(fb->tt, sort)), TP_FRONT_READ);
  tp_var to = tp_fb_target(fb, inst, sort, type);
  emit_load(fb, to, &p, 0, type, LLVMGetVolatile(inst));
  // any other byte is a trap representation: clang tests its lowest bit, gcc all of them
  if (reads_bool(fb, inst))
    tp_fb_rely_on(fb,
                  tp_mk2(fb->tt, TP_OP_BV_ULT, tp_var_of(fb->p, to)->term, tp_mk_bv(fb->tt, 8, 2)),
                  "_Bool that is neither 0 nor 1", "value that its type cannot have");
  tp_fb_set_target(fb, inst, to);
}

static void store_variable(tp_fb *fb, tp_var var, tp_fe_value value) {
  TP_REQUIRE(var.id && var.id < fb->p->vars.n);
  tp_sort sort = tp_sort_of(fb->tt, tp_var_of(fb->p, var)->term);
  if (tp_sort_kind_of(fb->tt, sort) == TP_SORT_BOOL &&
      !tp_sort_eq(tp_sort_of(fb->tt, value.t), sort))
    value.t = tp_fe_to_bool(fb->tt, value.t);
  tp_fb_save_readers(fb, var);
  tp_fb_assign(fb, var, value.t);
}

/* The initial store of a parameter into the variable that it shares. */
static bool is_param_store(const tp_stack_slot *slot, LLVMValueRef value) {
  if (LLVMIsAZExtInst(value)) value = LLVMGetOperand(value, 0);
  return slot->is_param && LLVMIsAArgument(value);
}

static void store_long_double(tp_fb *fb, tp_term to, LLVMTypeRef type, tp_term value) {
  check_whole(fb, to, type, TP_FRONT_WRITE);
  tp_fb_store_long_double(fb, to, value);
}

void tp_fb_lower_store(tp_fb *fb, LLVMValueRef inst) {
  TP_REQUIRE(LLVMIsAStoreInst(inst));
  if (inst == fb->skip) return;
  LLVMValueRef pointer = LLVMGetOperand(inst, 1), stored = LLVMGetOperand(inst, 0);
  const tp_stack_slot *slot = tp_fb_slot(fb, pointer);
  tp_fe_value value, p;
  if (slot && !slot->is_object && is_param_store(slot, stored)) {
    tp_fb_mark_stored(fb, slot, stored);
    return;
  }
  if (!tp_fb_get(fb, stored, &value)) return;
  if (slot && !slot->is_object) {
    store_variable(fb, slot->var, value);
    tp_fb_mark_stored(fb, slot, stored);
    return;
  }
  tp_global_storage *g = LLVMIsAGlobalVariable(pointer) ? tp_fe_global(fb->fe, pointer) : NULL;
  if (g && !g->object) {
    store_variable(fb, g->var, value);
    return;
  }
  if (!tp_fb_get(fb, pointer, &p)) return;
  for (uint32_t i = 0; i < value.n_parts; i++) {
    const uint64_t offset = LLVMOffsetOfElement(fb->fe->layout, LLVMTypeOf(stored), i);
    const LLVMTypeRef member = LLVMStructGetTypeAtIndex(LLVMTypeOf(stored), i);
    if (tp_fe_is_long_double(member))
      store_long_double(fb, address_at(fb, &p, offset), member, value.parts[i]);
    else
      tp_fb_store_at(fb, p, offset, value.parts[i]);
  }
  if (value.n_parts) return;
  if (tp_fe_is_long_double(LLVMTypeOf(stored))) {
    store_long_double(fb, p.t, LLVMTypeOf(stored), value.t);
    return;
  }
  if (!fits_bytes(fb, tp_sort_of(fb->tt, value.t))) {
    tp_fb_unsupported(fb, "value of a type that is not supported");
    return;
  }
  tp_fb_store_at(fb, p, 0, value.t);
}
