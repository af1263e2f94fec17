/* Globals, string literals and functions.
 *
 * A scalar global whose address is never taken becomes a global variable (or, if it is const, its
 * value); everything else becomes a static object with an initial image. Both are made when first
 * referred to, so only what the program can reach is in the model. Images can refer to further
 * globals; they are written from a list until nothing new turns up. */
#include "front/front_priv.h"

#include "front/front_limits.h"

// ------------------------------------------------------------------ promotion

/* Loaded and stored only, always with its own type. */
static bool is_promotable(tp_fe *fe, LLVMValueRef g) {
  tp_sort s;
  LLVMTypeRef type = LLVMGlobalGetValueType(g);
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind || !tp_fe_sort(fe, type, &s)) return false;
  LLVMValueRef init = LLVMGetInitializer(g);
  // an integer made of an address is no constant of the model
  if (init && LLVMIsAConstantExpr(init) && LLVMGetTypeKind(type) != LLVMPointerTypeKind)
    return false;
  for (LLVMUseRef u = LLVMGetFirstUse(g); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    bool load = LLVMIsALoadInst(user) && LLVMTypeOf(user) == type;
    bool store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == g &&
                 LLVMGetOperand(user, 0) != g && LLVMTypeOf(LLVMGetOperand(user, 0)) == type;
    if (!load && !store) return false;
  }
  return true;
}

static bool has_stores(LLVMValueRef g) {
  for (LLVMUseRef u = LLVMGetFirstUse(g); u; u = LLVMGetNextUse(u))
    if (LLVMIsAStoreInst(LLVMGetUser(u))) return true;
  return false;
}

/* The DIGlobalVariable, or NULL. */
static LLVMMetadataRef debug_variable(LLVMValueRef g) {
  size_t n = 0;
  LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(g, &n);
  LLVMMetadataRef found = NULL;
  for (size_t i = 0; i < n && !found; i++) {
    LLVMMetadataRef md = LLVMValueMetadataEntriesGetMetadata(all, (unsigned)i);
    if (LLVMGetMetadataKind(md) == LLVMDIGlobalVariableExpressionMetadataKind)
      found = LLVMDIGlobalVariableExpressionGetVariable(md);
  }
  LLVMDisposeValueMetadataEntries(all);
  return found;
}

static const char *ir_name(tp_fe *fe, LLVMValueRef v) {
  size_t n;
  const char *text = LLVMGetValueName2(v, &n);
  tp_str line = {0};  // asm("...") may call a function or a variable anything
  tp_str_add(&line, "");
  tp_str_add_line_text(&line, text);
  const char *name = tp_arena_strdup(&fe->p->arena, line.text);
  tp_str_clear(&line);
  return name;
}

static bool is_bool_type(tp_fe *fe, tp_type t) {
  if (!t.id) return false;
  tp_fe_types_finish(fe);
  return tp_type_of(fe->p, t)->kind == TP_T_BOOL;
}

/* Value at the start; NONE for what another translation unit would define. */
static tp_term initial_value(tp_fe *fe, LLVMValueRef g, tp_sort sort) {
  LLVMValueRef init = LLVMGetInitializer(g);
  tp_fe_value v;
  if (!init) return TP_TERM_NONE;
  bool known = LLVMIsUndef(init) ? tp_fe_zero(fe, LLVMTypeOf(init), &v) : tp_fe_const(fe, init, &v);
  return known ? tp_fe_convert(fe, v.t, sort) : TP_TERM_NONE;
}

static bool is_internal(LLVMValueRef g) {
  return LLVMGetLinkage(g) == LLVMInternalLinkage || LLVMGetLinkage(g) == LLVMPrivateLinkage;
}

/* Is it read or written as a volatile object, somewhere? What is read from one is an input by
 * itself. */
static bool is_volatile(LLVMValueRef v, uint32_t depth) {
  bool found = false;
  for (LLVMUseRef u = LLVMGetFirstUse(v); u && !found && depth < TP_FRONT_VOLATILE_LEVELS;
       u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsALoadInst(user) || LLVMIsAStoreInst(user))
      found = LLVMGetVolatile(user);
    else if (LLVMIsAGetElementPtrInst(user) || LLVMIsAConstantExpr(user))
      found = is_volatile(user, depth + 1);
  }
  return found;
}

static tp_absence absence_of(LLVMValueRef value) {
  return LLVMGetInitializer(value) || is_volatile(value, 0) ? TP_PRESENT : TP_ABSENT;
}

static void promote(tp_fe *fe, tp_global_storage *g, LLVMValueRef value, tp_var_info info) {
  TP_REQUIRE(!g->object && !g->var.id);
  tp_sort sort;
  (void)tp_fe_sort(fe, LLVMGlobalGetValueType(value), &sort);
  if (is_bool_type(fe, info.type)) sort = tp_sort_bool(fe->tt);
  info.initial = initial_value(fe, value, sort);
  if (LLVMIsGlobalConstant(value) && tp_term_is(info.initial)) {
    g->constant = info.initial;
    return;
  }
  info.kind = TP_V_GLOBAL;
  info.is_internal = is_internal(value);
  info.absence = absence_of(value);
  g->is_extern_volatile = LLVMIsDeclaration(value);
  g->var = tp_program_add_var(fe->p, info, sort);
}

// -------------------------------------------------------------------- objects

/* clang names string literals so; "" is a constant of zeros. */
static bool is_string(LLVMValueRef g) {
  static const char prefix[] = ".str";
  size_t n;
  return LLVMGetLinkage(g) == LLVMPrivateLinkage && LLVMIsGlobalConstant(g) &&
         strncmp(LLVMGetValueName2(g, &n), prefix, sizeof prefix - 1) == 0;
}

static uint32_t make_object(tp_fe *fe, LLVMValueRef value, tp_var_info info) {
  LLVMTypeRef type = LLVMGlobalGetValueType(value);
  uint32_t align = LLVMGetAlignment(value);
  bool is_const = LLVMIsGlobalConstant(value) != 0;
  tp_static s = {.name = info.name,
                 .enclosing_function = info.enclosing_function,
                 .kind = is_const ? TP_O_LITERAL : TP_O_GLOBAL,
                 .type = info.type,
                 .pos = info.pos,
                 .size_bytes = LLVMTypeIsSized(type) ? LLVMABISizeOfType(fe->layout, type) : 0,
                 .align_bytes = align ? align : 1,
                 .is_const = is_const,
                 .is_extern = LLVMGetInitializer(value) == NULL,
                 .is_internal = is_internal(value),
                 .absence = absence_of(value)};
  if (is_string(value)) s.name = TP_STRING_LITERAL;
  return tp_program_add_static(fe->p, s);
}

/* The function that declares the static variable; NULL: it stands outside of functions. */
static const char *function_of(tp_fe *fe, LLVMMetadataRef variable) {
  LLVMMetadataRef scope = tp_fe_operand(fe, variable, 0);
  while (scope && (LLVMGetMetadataKind(scope) == LLVMDILexicalBlockMetadataKind ||
                   LLVMGetMetadataKind(scope) == LLVMDILexicalBlockFileMetadataKind))
    scope = tp_fe_operand(fe, scope, 1);
  return scope && LLVMGetMetadataKind(scope) == LLVMDISubprogramMetadataKind
             ? tp_fe_string(fe, scope, 2)
             : NULL;
}

tp_global_storage *tp_fe_global(tp_fe *fe, LLVMValueRef value) {
  while (LLVMIsAGlobalAlias(value)) value = LLVMAliasGetAliasee(value);
  uint64_t index;
  if (tp_map_get(&fe->globals, (uint64_t)(uintptr_t)value, &index))
    return &fe->global_list.at[index - 1];
  if (!LLVMIsAGlobalVariable(value)) return NULL;
  tp_var_info info = {.name = NULL};
  LLVMMetadataRef di = debug_variable(value);
  if (di) {
    info.name = tp_fe_string(fe, di, 1);
    info.enclosing_function = function_of(fe, di);
    info.type = tp_fe_type(fe, tp_fe_operand(fe, di, 3));
    info.pos = tp_fe_pos_in_file(fe, tp_fe_operand(fe, di, 2), LLVMDIVariableGetLine(di));
  }
  if (!info.name || !*info.name) info.name = ir_name(fe, value);
  tp_global_storage g = {.value = value};
  // known before it is filled: a global's image can hold its own address
  bool promotable = is_promotable(fe, value) && !(LLVMIsGlobalConstant(value) && has_stores(value));
  if (!promotable) g.object = make_object(fe, value, info);
  tp_vec_push(&fe->global_list, g);
  size_t at = fe->global_list.n - 1;
  tp_map_set(&fe->globals, (uint64_t)(uintptr_t)value, at + 1);
  if (promotable) {
    promote(fe, &g, value, info);
    fe->global_list.at[at] = g;
  }
  return &fe->global_list.at[at];
}

// --------------------------------------------------------------------- images

typedef struct {
  tp_fe *fe;
  uint8_t *bytes;
  uint64_t size;
  TP_VEC(tp_reloc) relocs;
  bool is_incomplete;  // something in it could not be written down
} image;

static void put_bytes(image *im, uint64_t at, tp_u128 value, uint64_t n) {
  TP_REQUIRE(n <= sizeof value);
  for (uint64_t i = 0; i < n && at + i < im->size && i < 16; i++)
    im->bytes[at + i] = (uint8_t)(value >> (8 * i));
}

static void put_scalar(image *im, uint64_t at, LLVMValueRef c) {
  tp_terms *tt = im->fe->tt;
  uint64_t size = LLVMStoreSizeOfType(im->fe->layout, LLVMTypeOf(c));
  tp_fe_value v;
  if (!tp_fe_const(im->fe, c, &v) || !tp_term_is(v.t)) {
    im->is_incomplete = true;
    return;
  }
  switch ((int)tp_kind(tt, v.t)) {
    case TP_OP_PTR_CONST: {
      uint32_t object = tp_ptr_const_object(tt, v.t);
      if (object)
        tp_vec_push(&im->relocs, (tp_reloc){at, object, tp_ptr_const_offset(tt, v.t)});
      else
        put_bytes(im, at, tp_ptr_const_offset(tt, v.t), size);
      break;
    }
    case TP_OP_TRUE: put_bytes(im, at, 1, size); break;
    case TP_OP_BV_CONST:
    case TP_OP_FP_CONST: put_bytes(im, at, tp_bv_value(tt, v.t), size); break;
    default: {
      // an address in integer clothes keeps its object
      tp_term p =
          tp_sort_kind_of(tt, tp_sort_of(tt, v.t)) == TP_SORT_BV && size == im->fe->ptr_bytes
              ? tp_mk1(tt, TP_OP_INT_TO_PTR, v.t)
              : v.t;
      if (tp_kind(tt, p) == TP_OP_PTR_CONST)
        tp_vec_push(&im->relocs,
                    (tp_reloc){at, tp_ptr_const_object(tt, p), tp_ptr_const_offset(tt, p)});
      else
        im->is_incomplete = true;
    }
  }
}

/* Nesting is that of the C type, so recursion is shallow. */
static void put(image *im, uint64_t at, LLVMValueRef c) {
  LLVMTypeRef type = LLVMTypeOf(c);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (LLVMIsUndef(c) || LLVMIsAConstantAggregateZero(c) || LLVMIsNull(c)) return;
  if (LLVMIsAConstantDataArray(c) && LLVMIsConstantString(c)) {
    size_t n;
    const char *text = LLVMGetAsString(c, &n);
    for (size_t i = 0; i < n && at + i < im->size; i++) im->bytes[at + i] = (uint8_t)text[i];
  } else if (kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind) {
    uint64_t step = LLVMABISizeOfType(im->fe->layout, LLVMGetElementType(type));
    uint64_t n = kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(type) : LLVMGetVectorSize(type);
    for (uint64_t i = 0; i < n; i++)
      put(im, at + i * step, LLVMGetAggregateElement(c, (unsigned)i));
  } else if (kind == LLVMStructTypeKind) {
    unsigned n = LLVMCountStructElementTypes(type);
    for (unsigned i = 0; i < n; i++)
      put(im, at + LLVMOffsetOfElement(im->fe->layout, type, i), LLVMGetAggregateElement(c, i));
  } else {
    put_scalar(im, at, c);
  }
}

static void write_image(tp_fe *fe, const tp_global_storage *g) {
  LLVMValueRef init = g->object ? LLVMGetInitializer(g->value) : NULL;
  uint64_t size = g->object ? fe->p->statics.at[g->object].size_bytes : 0;
  if (!init || LLVMIsNull(init) || size == 0 || size > (1u << 30)) return;
  uint32_t object = g->object;
  image im = {.fe = fe, .size = size, .bytes = tp_arena_alloc(&fe->p->arena, size)};
  put(&im, 0, init);
  tp_static *s = &fe->p->statics.at[object];
  if (im.is_incomplete)
    tp_vec_push(
        &fe->p->unsupported,
        (tp_unsupported){s->pos, tp_fe_printf(fe, "initial value of %s", s->name), TP_LOC_NONE});
  s->image = im.bytes;
  s->n_relocs = (uint32_t)im.relocs.n;
  if (im.relocs.n) {
    tp_reloc *relocs = tp_arena_array(&fe->p->arena, tp_reloc, im.relocs.n);
    memcpy(relocs, im.relocs.at, im.relocs.n * sizeof *relocs);
    s->relocs = relocs;
  }
  tp_vec_clear(&im.relocs);
}

void tp_fe_images(tp_fe *fe) {
  for (; fe->globals_done < fe->global_list.n; fe->globals_done++) {
    tp_global_storage g = fe->global_list.at[fe->globals_done];
    write_image(fe, &g);
  }
}

bool tp_fe_literal_text(tp_fe *fe, LLVMValueRef pointer, tp_str *out) {
  (void)fe;
  LLVMValueRef init = LLVMIsAGlobalVariable(pointer) ? LLVMGetInitializer(pointer) : NULL;
  if (!init || !LLVMIsAConstantDataArray(init) || !LLVMIsConstantString(init)) return false;
  size_t n;
  const char *text = LLVMGetAsString(init, &n);
  tp_str_add_n(out, text, strnlen(text, n));
  return true;
}

static void find_undefined(tp_fe *fe, LLVMValueRef c, uint64_t at, tp_byte_ranges *out) {
  LLVMTypeRef type = LLVMTypeOf(c);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (LLVMIsUndef(c)) {
    uint64_t size = LLVMABISizeOfType(fe->layout, type);
    if (out->n && tp_vec_last(out).end == at)
      tp_vec_last(out).end = at + size;
    else
      tp_vec_push(out, (tp_byte_range){at, at + size});
  } else if (LLVMIsAConstantArray(c)) {
    uint64_t step = LLVMABISizeOfType(fe->layout, LLVMGetElementType(type));
    for (uint64_t i = 0; i < LLVMGetArrayLength2(type); i++)
      find_undefined(fe, LLVMGetAggregateElement(c, (unsigned)i), at + i * step, out);
  } else if (LLVMIsAConstantStruct(c) && kind == LLVMStructTypeKind) {
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
      find_undefined(fe, LLVMGetAggregateElement(c, i),
                     at + LLVMOffsetOfElement(fe->layout, type, i), out);
  }
}

void tp_fe_undefined_ranges(tp_fe *fe, LLVMValueRef pointer, tp_byte_ranges *out) {
  LLVMValueRef init = LLVMIsAGlobalVariable(pointer) ? LLVMGetInitializer(pointer) : NULL;
  // objects with static storage have zeros there; what local variables are initialised from has not
  if (init && LLVMGetLinkage(pointer) == LLVMPrivateLinkage) find_undefined(fe, init, 0, out);
}

// ------------------------------------------------------------------ functions

const char *tp_fe_func_name(tp_fe *fe, LLVMValueRef fn) {
  TP_REQUIRE(LLVMIsAFunction(fn));
  size_t n;
  const char *called = tp_fe_called_by_address(fn, &n);
  if (called) return tp_arena_strndup(&fe->p->arena, called, n);
  LLVMMetadataRef sub = LLVMGetSubprogram(fn);
  const char *name = sub && !LLVMIsDeclaration(fn) ? tp_fe_string(fe, sub, 2) : "";
  return *name ? name : ir_name(fe, fn);
}

LLVMMetadataRef tp_fe_func_type(tp_fe *fe, LLVMValueRef fn) {
  LLVMMetadataRef sub = LLVMGetSubprogram(fn);
  return sub ? tp_fe_operand(fe, sub, 4) : NULL;
}

tp_func tp_fe_func(tp_fe *fe, LLVMValueRef fn) {
  TP_REQUIRE(LLVMIsAFunction(fn));
  uint64_t known;
  if (tp_map_get(&fe->funcs, (uint64_t)(uintptr_t)fn, &known)) return (tp_func){(uint32_t)known};
  LLVMMetadataRef sub = LLVMGetSubprogram(fn), type = tp_fe_func_type(fe, fn);
  tp_func_info info = {.name = tp_fe_func_name(fe, fn), .has_body = !LLVMIsDeclaration(fn)};
  if (type) info.type = tp_fe_type(fe, type);
  if (sub) info.pos = tp_fe_pos_in_file(fe, sub, LLVMDISubprogramGetLine(sub));
  info.is_model = tp_fe_is_model(fn);
  info.object = tp_program_add_static(fe->p, (tp_static){.name = info.name,
                                                         .kind = TP_O_FUNCTION,
                                                         .type = info.type,
                                                         .pos = info.pos,
                                                         .align_bytes = 16,
                                                         .is_const = true});
  tp_func f = tp_program_add_func(fe->p, info);
  fe->p->statics.at[info.object].func = f;
  tp_map_set(&fe->funcs, (uint64_t)(uintptr_t)fn, f.id);
  tp_vec_resize(&fe->func_values, f.id + 1);
  fe->func_values.at[f.id] = fn;
  if (info.has_body) tp_vec_push(&fe->todo, f);
  return f;
}
