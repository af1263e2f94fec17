/* Debug information: C types and source positions.
 *
 * Debug nodes are read through the generic node interface (operands by position); what has a getter
 * of its own uses it. Types can be recursive through pointers and thousands of structs deep, so a
 * type gets its id first and is completed from a list; names of pointers, arrays and functions are
 * made last, when the names of what they are made of are known. */
#include "front/front_priv.h"

#include <stdio.h>
#include <stdlib.h>

enum {
  DW_TAG_array = 0x01,
  DW_TAG_enum = 0x04,
  DW_TAG_member = 0x0d,
  DW_TAG_pointer = 0x0f,
  DW_TAG_struct = 0x13,
  DW_TAG_typedef = 0x16,
  DW_TAG_union = 0x17,
  DW_TAG_const = 0x26,
  DW_TAG_volatile = 0x35,
  DW_TAG_restrict = 0x37,
  DW_TAG_atomic = 0x47,
  DI_FLAG_BITFIELD = 0x80000
};

// ---------------------------------------------------------------------- nodes

unsigned tp_fe_n_operands(tp_fe *fe, LLVMMetadataRef node) {
  return LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(fe->context, node));
}

/* All operands of a node of n: LLVM's C interface gives no single one, so long lists, such as the
 * members of a struct, are fetched once. */
static LLVMValueRef *operands_of(tp_fe *fe, LLVMMetadataRef node, LLVMValueRef v, unsigned n) {
  uint64_t known;
  if (tp_map_get(&fe->operands, tp_fe_key(node), &known)) return (LLVMValueRef *)(uintptr_t)known;
  LLVMValueRef *all = tp_arena_array(&fe->p->arena, LLVMValueRef, n);
  LLVMGetMDNodeOperands(v, all);
  tp_map_set(&fe->operands, tp_fe_key(node), (uint64_t)(uintptr_t)all);
  return all;
}

/* The i-th operand as LLVM's C interface gives it: constants as themselves, the rest wrapped. */
static LLVMValueRef raw_operand(tp_fe *fe, LLVMMetadataRef node, unsigned i) {
  LLVMValueRef v = LLVMMetadataAsValue(fe->context, node);
  unsigned n = LLVMGetMDNodeNumOperands(v);
  if (i >= n) return NULL;
  LLVMValueRef few[32];
  if (n > sizeof few / sizeof *few) return operands_of(fe, node, v, n)[i];
  LLVMGetMDNodeOperands(v, few);
  return few[i];
}

LLVMMetadataRef tp_fe_operand(tp_fe *fe, LLVMMetadataRef node, unsigned i) {
  LLVMValueRef found = raw_operand(fe, node, i);
  return found ? LLVMValueAsMetadata(found) : NULL;
}

const char *tp_fe_string(tp_fe *fe, LLVMMetadataRef node, unsigned i) {
  LLVMMetadataRef op = tp_fe_operand(fe, node, i);
  if (!op || LLVMGetMetadataKind(op) != LLVMMDStringMetadataKind) return "";
  unsigned n;
  const char *text = LLVMGetMDString(LLVMMetadataAsValue(fe->context, op), &n);
  return tp_arena_strndup(&fe->p->arena, text, n);
}

static unsigned tag_of(LLVMMetadataRef di) { return LLVMGetDINodeTag(di); }

static bool is_qualifier(unsigned tag) {
  return tag == DW_TAG_const || tag == DW_TAG_volatile || tag == DW_TAG_restrict ||
         tag == DW_TAG_atomic;
}

LLVMMetadataRef tp_fe_strip(tp_fe *fe, LLVMMetadataRef di, bool *is_const) {
  while (di && LLVMGetMetadataKind(di) == LLVMDIDerivedTypeMetadataKind &&
         (is_qualifier(tag_of(di)) || tag_of(di) == DW_TAG_typedef)) {
    if (is_const && tag_of(di) == DW_TAG_const) *is_const = true;
    di = tp_fe_operand(fe, di, 3);
  }
  return di;
}

// ------------------------------------------------------------------ positions

static uint32_t file_of_scope(tp_fe *fe, LLVMMetadataRef scope) {
  uint64_t known;
  if (!scope) return 0;
  if (tp_map_get(&fe->files, (uint64_t)(uintptr_t)scope, &known)) return (uint32_t)known;
  LLVMMetadataRef file = LLVMDIScopeGetFile(scope);
  uint32_t id = 0;
  if (file) {
    unsigned n, m;
    const char *name = LLVMDIFileGetFilename(file, &n), *dir = LLVMDIFileGetDirectory(file, &m);
    char cwd[4096];
    bool here = m == 0 || n == 0 || name[0] == '/' || (m == 1 && dir[0] == '.') ||  // a model
                (realpath(".", cwd) && strlen(cwd) == m && memcmp(cwd, dir, m) == 0);
    const char *path = here ? tp_arena_strndup(&fe->scratch, name, n)
                            : tp_arena_printf(&fe->scratch, "%.*s/%.*s", (int)m, dir, (int)n, name);
    id = tp_diag_file(fe->diag, path);
  }
  tp_map_set(&fe->files, (uint64_t)(uintptr_t)scope, id);
  return id;
}

tp_pos tp_fe_pos_of_location(tp_fe *fe, LLVMMetadataRef location) {
  if (!location) return TP_POS_NONE;
  return (tp_pos){file_of_scope(fe, LLVMDILocationGetScope(location)),
                  LLVMDILocationGetLine(location), LLVMDILocationGetColumn(location)};
}

tp_pos tp_fe_pos_of(tp_fe *fe, LLVMValueRef inst) {
  return tp_fe_pos_of_location(fe, LLVMInstructionGetDebugLoc(inst));
}

tp_pos tp_fe_pos_in_file(tp_fe *fe, LLVMMetadataRef scope, unsigned line) {
  return (tp_pos){file_of_scope(fe, scope), line, line ? 1 : 0};
}

// ---------------------------------------------------------------------- types

tp_type tp_fe_type(tp_fe *fe, LLVMMetadataRef di) {
  while (di && LLVMGetMetadataKind(di) == LLVMDIDerivedTypeMetadataKind && is_qualifier(tag_of(di)))
    di = tp_fe_operand(fe, di, 3);
  if (!di) {
    if (!fe->void_type.id)
      fe->void_type = tp_program_add_type(fe->p, (tp_type_info){.kind = TP_T_VOID, .name = "void"});
    return fe->void_type;
  }
  uint64_t known;
  if (tp_map_get(&fe->types, (uint64_t)(uintptr_t)di, &known)) return (tp_type){(uint32_t)known};
  tp_type t = tp_program_add_type(fe->p, (tp_type_info){.kind = TP_T_VOID, .name = NULL});
  tp_map_set(&fe->types, (uint64_t)(uintptr_t)di, t.id);
  tp_vec_resize(&fe->type_nodes, t.id + 1);
  fe->type_nodes.at[t.id] = di;
  return t;
}

static const char *di_name(tp_fe *fe, LLVMMetadataRef di) {
  size_t n = 0;
  const char *text = LLVMDITypeGetName(di, &n);
  return tp_arena_strndup(&fe->p->arena, text ? text : "", n);
}

static void fill_basic(tp_fe *fe, LLVMMetadataRef di, tp_type_info *info) {
  info->name = di_name(fe, di);
  const char *s = info->name;
  info->size_bytes = LLVMDITypeGetSizeInBits(di) / 8;
  const uint64_t power =
      info->size_bytes & -info->size_bytes;  // 12 bytes of a long double on ilp32: 4
  info->align_bytes = (uint32_t)(power < 16 ? power : 16);
  if (strcmp(s, "_Bool") == 0 || strcmp(s, "bool") == 0)
    info->kind = TP_T_BOOL;
  else if (strstr(s, "float") || strstr(s, "double") || strstr(s, "_Float"))
    info->kind = TP_T_FLOAT;
  else
    info->kind = TP_T_INT;
  info->is_signed = info->kind == TP_T_INT && strncmp(s, "unsigned", 8) != 0 &&
                    !strstr(s, "char8_t") && !strstr(s, "char16_t") && !strstr(s, "char32_t");
  info->is_char = strcmp(s, "char") == 0;
}

static void fill_members(tp_fe *fe, LLVMMetadataRef elements, tp_type_info *info) {
  unsigned n = elements ? tp_fe_n_operands(fe, elements) : 0;
  tp_member *members = tp_arena_array(&fe->p->arena, tp_member, n ? n : 1);
  uint32_t count = 0;
  for (unsigned i = 0; i < n; i++) {
    LLVMMetadataRef m = tp_fe_operand(fe, elements, i);
    if (!m || LLVMGetMetadataKind(m) != LLVMDIDerivedTypeMetadataKind || tag_of(m) != DW_TAG_member)
      continue;
    bool bits = (LLVMDITypeGetFlags(m) & DI_FLAG_BITFIELD) != 0;
    members[count++] =
        (tp_member){di_name(fe, m), tp_fe_type(fe, tp_fe_operand(fe, m, 3)),
                    LLVMDITypeGetOffsetInBits(m), bits ? (uint32_t)LLVMDITypeGetSizeInBits(m) : 0};
  }
  info->members = members;
  info->n_members = count;
}

/* An array of several dimensions is one node; the inner ones get types of their own. */
static void fill_array(tp_fe *fe, LLVMMetadataRef di, uint32_t id) {
  TP_REQUIRE(id && id < fe->p->types.n);
  LLVMMetadataRef ranges = tp_fe_operand(fe, di, 4);
  unsigned n = ranges ? tp_fe_n_operands(fe, ranges) : 0;
  tp_type element = tp_fe_type(fe, tp_fe_operand(fe, di, 3));
  uint64_t counts[16] = {0};
  if (n > 16) n = 16;
  for (unsigned i = 0; i < n; i++) {
    LLVMMetadataRef range = tp_fe_operand(fe, ranges, i);
    LLVMValueRef count = range ? raw_operand(fe, range, 0) : NULL;
    int64_t value = count && LLVMIsAConstantInt(count) ? LLVMConstIntGetSExtValue(count) : 0;
    counts[i] = value > 0 ? (uint64_t)value : 0;
  }
  uint64_t total = LLVMDITypeGetSizeInBits(di) / 8;
  for (unsigned i = n; i-- > 1;) {
    tp_type inner = tp_program_add_type(
        fe->p, (tp_type_info){.kind = TP_T_ARRAY, .element = element, .n_elements = counts[i]});
    tp_vec_resize(&fe->type_nodes, inner.id + 1);
    uint64_t outer = 1;
    for (unsigned k = 0; k < i; k++) outer *= counts[k];
    fe->p->types.at[inner.id].size_bytes = outer ? total / outer : 0;
    element = inner;
  }
  tp_type_info *info = &fe->p->types.at[id];
  info->kind = TP_T_ARRAY;
  info->size_bytes = total;
  info->element = element;
  info->n_elements = n ? counts[0] : 0;
}

static void fill_function(tp_fe *fe, LLVMMetadataRef di, tp_type_info *info) {
  LLVMMetadataRef list = tp_fe_operand(fe, di, 3);
  unsigned n = list ? tp_fe_n_operands(fe, list) : 0;
  tp_type *params = tp_arena_array(&fe->p->arena, tp_type, n ? n : 1);
  info->kind = TP_T_FUNCTION;
  info->element = TP_TYPE_NONE;
  for (unsigned i = 0; i < n; i++) {
    LLVMMetadataRef t = tp_fe_operand(fe, list, i);
    if (i == 0)
      info->element = t ? tp_fe_type(fe, t) : TP_TYPE_NONE;
    else if (!t)
      info->is_variadic = true;
    else
      params[info->n_params++] = tp_fe_type(fe, t);
  }
  info->params = params;
}

static void fill_composite(tp_fe *fe, LLVMMetadataRef di, uint32_t id) {
  TP_REQUIRE(id && id < fe->p->types.n);
  unsigned tag = tag_of(di);
  if (tag == DW_TAG_array) {
    fill_array(fe, di, id);
    return;
  }
  tp_type_info info = {.size_bytes = LLVMDITypeGetSizeInBits(di) / 8};
  const char *name = di_name(fe, di);
  const char *word = tag == DW_TAG_struct ? "struct" : tag == DW_TAG_union ? "union" : "enum";
  info.name = *name ? tp_arena_printf(&fe->p->arena, "%s %s", word, name) : word;
  if (tag == DW_TAG_enum) {
    info.kind = TP_T_ENUM;
    LLVMMetadataRef base = tp_fe_strip(fe, tp_fe_operand(fe, di, 3), NULL);
    tp_type_info b = {.is_signed = true};
    if (base && LLVMGetMetadataKind(base) == LLVMDIBasicTypeMetadataKind) fill_basic(fe, base, &b);
    info.is_signed = b.is_signed;
    info.align_bytes = (uint32_t)info.size_bytes;
  } else {
    info.kind = tag == DW_TAG_union ? TP_T_UNION : TP_T_STRUCT;
    fill_members(fe, tp_fe_operand(fe, di, 4), &info);
  }
  fe->p->types.at[id] = info;
}

/* Complete one type; may add others behind it. */
static void complete(tp_fe *fe, uint32_t id) {
  TP_REQUIRE(id && id < fe->type_nodes.n && id < fe->p->types.n);
  LLVMMetadataRef di = fe->type_nodes.at[id];
  tp_type_info info = {0};
  switch ((int)LLVMGetMetadataKind(di)) {
    case LLVMDIBasicTypeMetadataKind: fill_basic(fe, di, &info); break;
    case LLVMDISubroutineTypeMetadataKind: fill_function(fe, di, &info); break;
    case LLVMDICompositeTypeMetadataKind: fill_composite(fe, di, id); return;
    default:
      info.kind = TP_T_POINTER;
      info.element = tp_fe_type(fe, tp_fe_operand(fe, di, 3));
      info.size_bytes = info.align_bytes = fe->ptr_bytes;
      if (tag_of(di) == DW_TAG_typedef) info.name = di_name(fe, di);
  }
  fe->p->types.at[id] = info;
}

/* A typedef is the type it names under another name. Chains are short, types complete by now. */
static void resolve_typedef(tp_fe *fe, uint32_t id) {
  LLVMMetadataRef di = fe->type_nodes.at[id];
  if (!di || LLVMGetMetadataKind(di) != LLVMDIDerivedTypeMetadataKind ||
      tag_of(di) != DW_TAG_typedef)
    return;
  LLVMMetadataRef under = tp_fe_strip(fe, di, NULL);
  const char *name = fe->p->types.at[id].name;
  fe->p->types.at[id] = fe->p->types.at[tp_fe_type(fe, under).id];
  if (fe->p->types.at[id].kind == TP_T_VOID) fe->p->types.at[id].element = TP_TYPE_NONE;
  fe->p->types.at[id].name = name;
}

/* The outer dimension stands first: "int[2][3]" is two arrays of "int[3]". */
static const char *array_name(tp_fe *fe, const tp_type_info *info, const char *element) {
  const bool is_nested = info->element.id && fe->p->types.at[info->element.id].kind == TP_T_ARRAY;
  const char *inner = is_nested ? strchr(element, '[') : NULL;
  const int n = (int)(inner ? (size_t)(inner - element) : strlen(element));
  tp_arena *a = &fe->p->arena;
  if (!info->n_elements) return tp_arena_printf(a, "%.*s[]%s", n, element, inner ? inner : "");
  return tp_arena_printf(a, "%.*s[%llu]%s", n, element, (unsigned long long)info->n_elements,
                         inner ? inner : "");
}

static const char *name_of(tp_fe *fe, uint32_t id, int depth) {
  TP_REQUIRE(id < fe->p->types.n);
  tp_type_info *info = &fe->p->types.at[id];
  if (info->name && *info->name) return info->name;
  if (depth > 40) return "?";
  const char *element = info->element.id ? name_of(fe, info->element.id, depth + 1) : "void";
  tp_arena *a = &fe->p->arena;
  const char *name = "?";
  if (info->kind == TP_T_POINTER)
    name = tp_arena_printf(a, element[strlen(element) - 1] == '*' ? "%s*" : "%s *", element);
  else if (info->kind == TP_T_ARRAY)
    name = array_name(fe, info, element);
  else if (info->kind == TP_T_FUNCTION) {
    tp_str s = {0};
    tp_str_printf(&s, "%s (", element);
    for (uint32_t i = 0; i < info->n_params; i++)
      tp_str_printf(&s, "%s%s", i ? ", " : "", name_of(fe, info->params[i].id, depth + 1));
    tp_str_add(&s, info->is_variadic ? (info->n_params ? ", ...)" : "...)") : ")");
    name = tp_arena_strdup(a, tp_str_text(&s));
    tp_str_clear(&s);
  }
  return fe->p->types.at[id].name = name;
}

static uint32_t align_of(tp_fe *fe, uint32_t id, int depth) {
  TP_REQUIRE(id < fe->p->types.n);
  const tp_type_info *info = &fe->p->types.at[id];
  if (info->align_bytes || depth > 40) return info->align_bytes ? info->align_bytes : 1;
  uint32_t align = 1;
  if (info->kind == TP_T_ARRAY) align = align_of(fe, info->element.id, depth + 1);
  for (uint32_t i = 0; i < info->n_members; i++) {
    uint32_t a = align_of(fe, info->members[i].type.id, depth + 1);
    if (a > align) align = a;
  }
  return fe->p->types.at[id].align_bytes = align;
}

/* Complete all types asked for so far. Cheap when there is nothing new. */
void tp_fe_types_finish(tp_fe *fe) {
  uint32_t start = fe->types_done;
  if (start == 0) start = 1;
  uint32_t i = start;
  for (; i < fe->p->types.n; i++)
    if (i < fe->type_nodes.n && fe->type_nodes.at[i]) complete(fe, i);
  tp_vec_resize(&fe->type_nodes, fe->p->types.n);
  for (uint32_t k = start; k < i; k++) resolve_typedef(fe, k);
  for (uint32_t k = start; k < i; k++) (void)name_of(fe, k, 0);
  for (uint32_t k = start; k < i; k++) (void)align_of(fe, k, 0);
  fe->types_done = i;
}

tp_type tp_fe_pointee(tp_fe *fe, tp_type t) {
  TP_REQUIRE(t.id < fe->p->types.n);
  if (!t.id) return TP_TYPE_NONE;
  tp_fe_types_finish(fe);
  const tp_type_info *info = tp_type_of(fe->p, t);
  return info->kind == TP_T_POINTER ? info->element : TP_TYPE_NONE;
}

tp_type tp_fe_member_at(tp_fe *fe, tp_type t, uint64_t offset_bytes) {
  TP_REQUIRE(t.id < fe->p->types.n);
  if (!t.id) return TP_TYPE_NONE;
  tp_fe_types_finish(fe);
  const tp_type_info *info = tp_type_of(fe->p, t);
  for (uint32_t i = 0; i < info->n_members; i++)
    if (info->members[i].offset_bits == offset_bytes * 8 && !info->members[i].width_bits)
      return info->members[i].type;
  return TP_TYPE_NONE;
}
