/* Calls by contract inside of the program: functions that it only declares do what the model finder
 * chose for each call, one after the other. Whatever else the program does on its path ends it: it
 * then does not take the path that was found. */
#include "base/files.h"
#include "contracts/modular/finder_choices.h"
#include "contracts/modular/heap_program_priv.h"

static const tp_type_info *info_of(const tp_rheap *h, tp_type t) {
  return tp_type_of(h->program, t);
}

/* Of a parameter or a result. */
static const char *c_type(const tp_rheap *h, tp_type t) {
  const tp_type_info *info = info_of(h, t);
  if (!tp_rheap_is_integer(h, t)) return "void *";
  if (info->kind == TP_T_BOOL) return "_Bool ";
  switch (info->size_bytes) {
    case 1: return info->is_signed ? "signed char " : "unsigned char ";
    case 2: return info->is_signed ? "short " : "unsigned short ";
    case 4: return info->is_signed ? "int " : "unsigned ";
    default: return info->is_signed ? "long long " : "unsigned long long ";
  }
}

static bool has_simple_types(const tp_rheap *h, const tp_function_contract *c) {
  for (uint32_t i = 0; i <= c->n_params; i++) {
    const tp_symbol *s = i < c->n_params ? c->params[i] : c->result;
    if (s && (!s->ctype.id ||
              (!tp_rheap_is_integer(h, s->ctype) && info_of(h, s->ctype)->kind != TP_T_POINTER)))
      return false;
  }
  return true;
}

static void print_signature(const tp_heap_program *p, const tp_function_contract *c, tp_str *out) {
  const tp_rheap *h = p->l->h;
  tp_str_printf(out, "%stp_call_%u(", c->result ? c_type(h, c->result->ctype) : "void ",
                c->func.id);
  for (uint32_t i = 0; i < c->n_params; i++)
    tp_str_printf(out, "%s%sa%u", i ? ", " : "", c_type(h, c->params[i]->ctype), i);
  tp_str_add(out, c->n_params ? ")" : "void)");
}

// ----------------------------------------------------------------------- one call

/* The program passes what was found. */
static void print_arguments(const tp_heap_program *p, const tp_chosen_call *k, tp_str *out) {
  const tp_rheap *h = p->l->h;
  int64_t value;
  for (uint32_t i = 0; i < k->call->n_args; i++) {
    if (tp_rel_atom_is_int(h->atoms, k->args[i], &value))
      tp_str_printf(out, "      if (a%u != (%s)%lld) tp_leave();\n", i,
                    c_type(h, k->call->contract->params[i]->ctype), (long long)value);
    else if (k->args[i] >= h->types[TP_OTHER_BASIC].atoms.n)
      tp_str_printf(out, "      tp_expect(a%u, %s);\n", i, p->atoms[k->args[i]]);
  }
}

static bool is_inner(const tp_rheap *h, uint32_t basic, uint32_t atom) {
  const size_t n_own = tp_rheap_n_own(h, basic);
  for (size_t i = 0; i < n_own && i < h->types[basic].atoms.n; i++)
    if (h->types[basic].atoms.at[i] == atom) return false;
  return true;
}

static uint64_t length_after(const tp_heap_program *p, const tp_chosen_call *k, uint32_t array) {
  uint64_t n = 1;
  for (size_t s = 0; s < p->l->slots.n; s++) {
    const tp_heap_slot *slot = &p->l->slots.at[s];
    if (slot->kind == TP_HEAP_SLOT_FIELD && slot->owner == array && slot->index >= (int64_t)n &&
        k->after.slots[s] != TP_POST_ABSENT)
      n = (uint64_t)slot->index + 1;
  }
  return n;
}

static void print_objects(const tp_heap_program *p, const tp_chosen_call *k, tp_str *out) {
  const tp_rheap *h = p->l->h;
  bool makes = false;
  for (uint32_t b = TP_OTHER_BASIC + 1; b < h->object_model->basics.n; b++)
    for (size_t i = 0; h->types[b].is_used && i < h->types[b].atoms.n; i++) {
      const uint32_t atom = h->types[b].atoms.at[i];
      const tp_basic *basic = &h->object_model->basics.at[b];
      if (is_inner(h, b, atom) || k->before.exists[atom] == k->after.exists[atom]) continue;
      if (k->before.exists[atom])
        tp_str_printf(out, "      tp_free(tp_at[%s]);\n", p->atoms[atom]);
      else if (basic->kind == TP_BASIC_ARRAY)
        tp_str_printf(out, "      tp_at[%s] = tp_calloc(%llu, sizeof(%s));\n", p->atoms[atom],
                      (unsigned long long)length_after(p, k, atom), info_of(h, basic->type)->name);
      else
        tp_str_printf(out, "      tp_at[%s] = tp_calloc(1, sizeof(%s));\n", p->atoms[atom],
                      basic->name);
      makes = makes || !k->before.exists[atom];
    }
  if (makes) tp_str_add(out, "      tp_find();\n");
}

static void print_pointer(const tp_heap_program *p, uint32_t atom, tp_str *out) {
  const tp_rheap *h = p->l->h;
  for (size_t i = 0; i < h->functions.n; i++)
    if (h->types[TP_FUNCTION_BASIC].atoms.at[i] == atom) {
      tp_str_printf(out, "(void *)%s", h->program->statics.at[h->functions.at[i].object].name);
      return;
    }
  if (atom == h->null_atom)
    tp_str_add(out, "NULL");
  else
    tp_str_printf(out, "tp_at[%s]", p->atoms[atom]);
}

static void print_values(const tp_heap_program *p, const tp_chosen_call *k, tp_str *out) {
  for (size_t s = 0; s < p->l->slots.n; s++) {
    const tp_heap_slot *slot = &p->l->slots.at[s];
    if (slot->kind != TP_HEAP_SLOT_FIELD || k->after.slots[s] == k->before.slots[s] ||
        k->after.slots[s] == TP_POST_ABSENT)
      continue;
    if (p->l->h->fields.at[slot->field].symbol->kind != TP_SYMBOL_GLOBAL)
      tp_str_printf(out, "      if (!tp_at[%s]) tp_leave();\n", p->atoms[slot->owner]);
    tp_str_add(out, "      ");
    tp_heap_program_print_lvalue(p, slot, out);
    tp_str_add(out, " = ");
    if (tp_heap_layout_is_pointer(p->l, s))
      print_pointer(p, (uint32_t)k->after.slots[s], out);
    else
      tp_str_printf(out, "%lld", (long long)k->after.slots[s]);
    tp_str_add(out, ";\n");
  }
}

static void print_return(const tp_heap_program *p, const tp_chosen_call *k, tp_str *out) {
  int64_t value;
  if (!k->call->contract->result)
    tp_str_add(out, "      return;\n");
  else {
    tp_str_add(out, "      return ");
    if (!k->call->result.id)
      tp_str_add(out, "0");
    else if (tp_rel_atom_is_int(p->l->h->atoms, k->result, &value))
      tp_str_printf(out, "%lld", (long long)value);
    else
      print_pointer(p, k->result, out);
    tp_str_add(out, ";\n");
  }
}

static void print_case(const tp_heap_program *p, const tp_finder_choices *all, size_t number,
                       tp_str *out) {
  const tp_chosen_call *k = &all->calls.at[number];
  tp_str_printf(out, "    case %zu:\n", number);
  print_arguments(p, k, out);
  if (k->fails)
    tp_str_add(out, "      tp_broken();\n");
  else {
    print_objects(p, k, out);
    print_values(p, k, out);
  }
  print_return(p, k, out);
}

// ------------------------------------------------------------------ all functions

static void print_function(const tp_heap_program *p, const tp_finder_choices *all,
                           const tp_function_contract *c, tp_str *out) {
  print_signature(p, c, out);
  tp_str_add(out, " __asm__(\"");
  tp_str_add_c_text(out, c->name);
  tp_str_add(out, "\");\n__attribute__((weak)) ");
  print_signature(p, c, out);
  tp_str_add(out, " {\n  switch (tp_n_called++) {\n");
  for (size_t i = 0; i < all->calls.n; i++)
    if (all->calls.at[i].call->contract == c) print_case(p, all, i, out);
  tp_str_add(out, "  }\n  tp_leave();\n}\n\n");
}

static void print_common(const tp_heap_program *p, tp_str *out) {
  tp_str_add(out,
             "/* Functions without bodies: each call is answered as the contract allows, in this "
             "order. */\nstatic int tp_n_called, tp_says;\n"
             "static _Noreturn void tp_leave(void) {\n  puts(\"stopped\");\n  fflush(stdout);\n  "
             "exit(2);\n}\n"
             "static void tp_find(void) {\n  do {\n    tp_new = 0;\n    tp_look(tp_post);\n");
  tp_heap_program_print_adoptions(p, out);
  tp_str_add(out,
             "  } while (tp_new);\n}\n"
             "static void tp_expect(void *p, int atom) {\n  for (int i = 0; p && i < TP_ATOMS; "
             "i++)\n    if (tp_at[i] == p && i != atom) tp_leave();\n"
             "  if (p && atom != TP_NULL && !tp_at[atom]) tp_at[atom] = p;\n  if ((atom == "
             "TP_NULL) != !p || (p && tp_at[atom] != p)) tp_leave();\n}\n");
  tp_str_printf(out,
                "static void tp_say(void) {\n  for (int i = 0; i <= %zu && tp_says; i++) "
                "printf(\"%%ld\\n\", tp_post[i]);\n"
                "  for (int i = 0; i < TP_ATOMS && tp_says; i++) printf(\"%%d\\n\", tp_gone[i] ? 2 "
                ": tp_at[i] != 0);\n}\n",
                p->l->slots.n);
  tp_str_printf(out,
                "static _Noreturn void tp_broken(void) {\n  tp_find();\n  tp_post[%zu] = "
                "TP_ABSENT;\n  puts(\"asked\");\n  tp_say();\n",
                p->l->slots.n);
  tp_str_add(out,
             "  puts(\"the function is called where it must not be\");\n  fflush(stdout);\n  "
             "exit(10);\n}\n\n");
}

bool tp_heap_program_print_calls(const tp_heap_program *p, const tp_contract_vc *c,
                                 const tp_finder_choices *all, tp_str *out) {
  const tp_contracts *m = c->contracts;
  bool any = false;
  for (size_t i = 0; i < m->of_functions.n; i++) {
    const tp_function_contract *k = m->of_functions.at[i];
    if (!tp_finder_choices_replace_call(c, k) || !has_simple_types(p->l->h, k)) continue;
    if (!any) print_common(p, out);
    any = true;
    print_function(p, all, k, out);
  }
  return any;
}
