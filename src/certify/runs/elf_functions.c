/* Addresses of functions in a linked program, from its symbol table: also static ones, which no
 * other translation unit can name. Reads 32- and 64-bit little-endian ELF; every offset is checked,
 * for the program may be anything. */
#include "certify/runs/native_replay.h"

#include <elf.h>

typedef struct {
  const uint8_t *at;
  size_t n;
  bool is64;
} image;

/* A section or symbol, of either class. */
typedef struct {
  uint32_t type, link, name;
  uint64_t offset, size, entry_size, value;
  bool is_function;
} record;

static bool read_section(const image *f, uint64_t table, uint32_t index, record *out) {
  uint64_t each = f->is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
  uint64_t at = table + (uint64_t)index * each;
  if (at > f->n || f->n - at < each) return false;
  if (f->is64) {
    Elf64_Shdr h;
    memcpy(&h, f->at + at, sizeof h);
    *out = (record){.type = h.sh_type,
                    .link = h.sh_link,
                    .offset = h.sh_offset,
                    .size = h.sh_size,
                    .entry_size = h.sh_entsize};
  } else {
    Elf32_Shdr h;
    memcpy(&h, f->at + at, sizeof h);
    *out = (record){.type = h.sh_type,
                    .link = h.sh_link,
                    .offset = h.sh_offset,
                    .size = h.sh_size,
                    .entry_size = h.sh_entsize};
  }
  return out->type == SHT_NOBITS || (out->offset <= f->n && out->size <= f->n - out->offset);
}

static record read_symbol(const image *f, uint64_t at) {
  if (f->is64) {
    Elf64_Sym s;
    memcpy(&s, f->at + at, sizeof s);
    return (record){.name = s.st_name,
                    .value = s.st_value,
                    .is_function = ELF64_ST_TYPE(s.st_info) == STT_FUNC && s.st_shndx != SHN_UNDEF};
  }
  Elf32_Sym s;
  memcpy(&s, f->at + at, sizeof s);
  return (record){.name = s.st_name,
                  .value = s.st_value,
                  .is_function = ELF32_ST_TYPE(s.st_info) == STT_FUNC && s.st_shndx != SHN_UNDEF};
}

static bool is_wanted(const char *name, size_t room, const char *const *names, size_t n_names) {
  size_t n = strnlen(name, room);
  for (size_t i = 0; i < n_names; i++)
    if (strlen(names[i]) == n && memcmp(names[i], name, n) == 0) return true;
  return false;
}

static void scan_symbols(const image *f, const record *symbols, const record *strings,
                         const char *const *names, size_t n_names, tp_str *out) {
  uint64_t each = f->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
  for (uint64_t i = 0; (i + 1) * each <= symbols->size; i++) {
    record s = read_symbol(f, symbols->offset + i * each);
    if (!s.is_function || s.name >= strings->size) continue;
    const char *name = (const char *)f->at + strings->offset + s.name;
    if (is_wanted(name, (size_t)(strings->size - s.name), names, n_names))
      tp_str_printf(out, "%s%llx", out->n ? "," : "", (unsigned long long)s.value);
  }
}

tp_status tp_chk_elf_functions(const char *path, const char *const *names, size_t n_names,
                               tp_str *out) {
  tp_str file = {0};
  TP_TRY(tp_read_file(path, &file));
  image f = {(const uint8_t *)file.text, file.n, false};
  uint64_t table = 0;
  uint32_t count = 0;
  bool ok = f.n >= sizeof(Elf64_Ehdr) && memcmp(f.at, ELFMAG, SELFMAG) == 0;
  if (ok) {
    f.is64 = f.at[EI_CLASS] == ELFCLASS64;
    Elf64_Ehdr h64;
    Elf32_Ehdr h32;
    memcpy(&h64, f.at, sizeof h64);
    memcpy(&h32, f.at, sizeof h32);
    table = f.is64 ? h64.e_shoff : h32.e_shoff;
    count = f.is64 ? h64.e_shnum : h32.e_shnum;
  }
  for (uint32_t i = 0; ok && i < count; i++) {
    record section, strings;
    if (!read_section(&f, table, i, &section) || section.type != SHT_SYMTAB) continue;
    if (read_section(&f, table, section.link, &strings))
      scan_symbols(&f, &section, &strings, names, n_names, out);
  }
  tp_str_clear(&file);
  return ok ? TP_OK : TP_ERR_INPUT;
}
