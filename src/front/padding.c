/* Padding: bytes of a struct that belong to no member.
 *
 * C leaves them open when a value is stored in the struct (C11 6.2.6.1p6): an initialiser or an
 * assignment may copy them, zero them or leave what was there, and compilers do all of that.
 * clang's code writes the bytes of an image, or copies all bytes; behind that the padding becomes
 * indeterminate, so that nothing is proved from it. Stores to members leave padding alone, as those
 * of both compilers do; memcpy and memset, which the program calls, write all bytes, as C demands.
 * Where the program never looks at bytes, nobody can see padding, and it stays as it is. */
#include "front/front_priv.h"

#include "front/front_limits.h"

typedef struct {
  uint64_t size;
  uint8_t *is_value;  // for each byte: does it belong to a member
} cover;

static void cover_bytes(cover *c, uint64_t start, uint64_t n) {
  for (uint64_t i = start; i < start + n && i < c->size; i++) c->is_value[i] = 1;
}

/* A union's bytes count as values: which member they belong to is not known here. */
static void cover_type(tp_fe *fe, cover *c, tp_type t, uint64_t at) {
  TP_REQUIRE(t.id < fe->p->types.n);
  enum { X87_BYTES = 10 };
  const tp_type_info *info = tp_type_of(fe->p, t);
  const uint64_t size = info->size_bytes;
  if (info->kind == TP_T_STRUCT) {
    for (uint32_t i = 0; i < info->n_members; i++) {
      const tp_member *m = &tp_type_of(fe->p, t)->members[i];
      const uint64_t first = m->offset_bits / 8;
      if (m->width_bits)
        cover_bytes(c, at + first, (m->offset_bits + m->width_bits + 7) / 8 - first);
      else if (m->type.id)
        cover_type(fe, c, m->type, at + first);
    }
  } else if (info->kind == TP_T_ARRAY && info->element.id && info->n_elements) {
    const uint64_t step = tp_type_of(fe->p, info->element)->size_bytes;
    for (uint64_t i = 0; i < info->n_elements; i++) cover_type(fe, c, info->element, at + i * step);
  } else {
    cover_bytes(c, at, info->kind == TP_T_FLOAT && size > 8 ? X87_BYTES : size);
  }
}

/* The same for a type of LLVM's, where no type of C is known (compound literals). */
static void cover_storage(tp_fe *fe, cover *c, LLVMTypeRef t, uint64_t at) {
  if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
    for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
      cover_storage(fe, c, LLVMStructGetTypeAtIndex(t, i),
                    at + LLVMOffsetOfElement(fe->layout, t, i));
  } else if (LLVMGetTypeKind(t) == LLVMArrayTypeKind) {
    const uint64_t step = LLVMABISizeOfType(fe->layout, LLVMGetElementType(t));
    for (uint64_t i = 0; i < LLVMGetArrayLength2(t); i++)
      cover_storage(fe, c, LLVMGetElementType(t), at + i * step);
  } else {
    cover_bytes(c, at, LLVMStoreSizeOfType(fe->layout, t));
  }
}

static void open_ranges(tp_fb *fb, const cover *c, tp_term to) {
  uint32_t n = 0;
  for (uint64_t i = 0; i < c->size;) {
    uint64_t end = i;
    while (end < c->size && !c->is_value[end]) end++;
    if (end > i && ++n <= TP_FRONT_PADDING_RANGES)
      (void)tp_fb_emit(fb,
                       (tp_edge_info){.kind = TP_E_HAVOC_MEMORY,
                                      .a = tp_mk_ptr_add(fb->tt, to, tp_fe_size_term(fb->fe, i)),
                                      .c = tp_fe_size_term(fb->fe, end - i),
                                      .input = TP_I_INDETERMINATE,
                                      .name = "padding"});
    i = end > i ? end : i + 1;
  }
  if (n > TP_FRONT_PADDING_RANGES)
    tp_fe_add_assumption(fb->fe, "padding of large objects is what clang's code makes it");
}

void tp_fb_havoc_padding(tp_fb *fb, const tp_fe_value *to, LLVMValueRef pointer, tp_term size) {
  TP_REQUIRE(tp_term_is(to->t) && tp_width(fb->tt, size) == fb->fe->ptr_bits);
  tp_fe *fe = fb->fe;
  cover c = {0};
  if (!fe->reads_bytes || !tp_bv_value_u64(fb->tt, size, &c.size)) return;
  if (c.size > TP_FRONT_PADDED_BYTES) {
    tp_fe_add_assumption(fe, "padding of large objects is what clang's code makes it");
    return;
  }
  tp_fe_types_finish(fe);
  tp_mark mark = tp_arena_mark(&fe->scratch);
  c.is_value = tp_arena_array(&fe->scratch, uint8_t, c.size + 1);
  LLVMTypeRef storage = LLVMIsAAllocaInst(pointer) ? LLVMGetAllocatedType(pointer) : NULL;
  bool known = true;
  if (to->pointee.id && tp_type_of(fe->p, to->pointee)->size_bytes == c.size)
    cover_type(fe, &c, to->pointee, 0);
  else if (storage && LLVMABISizeOfType(fe->layout, storage) == c.size)
    cover_storage(fe, &c, storage, 0);
  else
    known = false;
  if (known)
    open_ranges(fb, &c, to->t);
  else
    tp_fe_add_assumption(fe, "padding of structs whose type is not known is copied");
  tp_arena_release(&fe->scratch, mark);
}

// ------------------------------------------------------------- who looks at bytes

/* Functions of the library that read bytes of any object. */
static bool reads_any_object(LLVMValueRef callee) {
  static const char *const names[] = {"memcmp",  "bcmp",  "memchr", "memrchr",       "memccpy",
                                      "mempcpy", "bcopy", "memmem", "llvm.memmove.", "wmem"};
  size_t n;
  const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(names[i], name, strlen(names[i])) == 0) return true;
  return false;
}

bool tp_fe_is_struct_copy(tp_fe *fe, LLVMValueRef inst) {
  return LLVMGetMetadata(inst, LLVMGetMDKindIDInContext(fe->context, "tbaa.struct", 11)) != NULL;
}

/* memcpy, called by the program: neither an assignment nor an initialiser. */
static bool copies_bytes(tp_fe *fe, LLVMValueRef call) {
  size_t n;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(callee) || strncmp(LLVMGetValueName2(callee, &n), "llvm.memcpy.", 12) != 0)
    return false;
  LLVMValueRef from = LLVMGetOperand(call, 1);
  const bool is_image = LLVMIsAGlobalVariable(from) && LLVMGetLinkage(from) == LLVMPrivateLinkage;
  return !is_image && !tp_fe_is_struct_copy(fe, call);
}

/* A load that could be of padding: of a character behind a pointer, or of a scalar from a variable
 * of another type. Members are loaded through an address computation within their struct. */
static bool loads_bytes(LLVMValueRef load) {
  LLVMTypeRef type = LLVMTypeOf(load);
  LLVMValueRef p = LLVMGetOperand(load, 0);
  if (LLVMIsAAllocaInst(p)) return LLVMGetAllocatedType(p) != type;
  if (LLVMIsAGlobalVariable(p)) return LLVMGlobalGetValueType(p) != type;
  const bool is_char =
      LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 8;
  if (!is_char) return false;
  const bool is_member = LLVMIsAGetElementPtrInst(p) &&
                         LLVMGetTypeKind(LLVMGetGEPSourceElementType(p)) == LLVMStructTypeKind;
  return !is_member;
}

/* A member of a union may lie over the padding of another. Of unions behind pointers only those are
 * seen whose type an instruction names. */
static bool is_of_union(LLVMValueRef inst) {
  LLVMTypeRef type = LLVMIsAAllocaInst(inst)          ? LLVMGetAllocatedType(inst)
                     : LLVMIsAGetElementPtrInst(inst) ? LLVMGetGEPSourceElementType(inst)
                                                      : NULL;
  const char *name =
      type && LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
  return name && strncmp(name, "union.", 6) == 0;
}

bool tp_fe_reads_bytes(tp_fe *fe) {
  for (LLVMValueRef f = LLVMGetFirstFunction(fe->module); f; f = LLVMGetNextFunction(f)) {
    if (tp_fe_is_model(f)) continue;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        if ((LLVMIsALoadInst(i) && loads_bytes(i)) || is_of_union(i)) return true;
        if (LLVMIsACallInst(i) && (reads_any_object(LLVMGetCalledValue(i)) || copies_bytes(fe, i)))
          return true;
      }
  }
  return false;
}
