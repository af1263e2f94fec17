/* The environment in two copies, for two functions that get the same: what is drawn for the first
 * one is copied to the second, and objects that are made are listed, to be compared at the end. */
#include "app/environment_priv.h"

const char *tp_environment_other(tp_arena *arena, const char *lvalue) {
  const char *at = strstr(lvalue, TP_ENV_NEW);
  if (!at) return lvalue;
  return tp_arena_printf(arena, "%.*s%s%s", (int)(at - lvalue), lvalue, TP_ENV_OLD,
                         at + strlen(TP_ENV_NEW));
}

const char *tp_env_twin(const tp_environment *w, const char *lvalue) {
  return tp_environment_other(w->arena, lvalue);
}

void tp_env_note_draw(tp_environment *w, tp_env_draw_kind kind, const char *lvalue, tp_type type) {
  if (!w->twins) return;
  uint32_t line = 1;
  for (size_t i = 0; i < w->text.n; i++) line += w->text.text[i] == '\n';
  tp_vec_push(&w->twins->draws, (tp_env_draw){kind, line, tp_env_shown(w, lvalue), type});
}

void tp_env_copy_to_twin(tp_environment *w, const char *lvalue, uint32_t indent) {
  if (!w->twins) return;
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "%s = %s;\n", tp_env_twin(w, lvalue), lvalue);
}

void tp_env_copy_bytes_to_twin(tp_environment *w, const char *address, const char *size,
                               uint32_t indent) {
  if (!w->twins) return;
  tp_env_begin(w, indent);
  tp_str_printf(&w->text, "__builtin_memcpy(%s, %s, %s);\n", tp_env_twin(w, address), address,
                size);
}

void tp_env_list_twin(tp_environment *w, const char *variable, tp_type element, const char *n,
                      uint32_t indent) {
  if (!w->twins) return;
  tp_env_twins *t = w->twins;
  const bool is_in_table = w->n_loops > 0;
  const char *size = NULL;
  if (is_in_table) {
    t->has_table = true;
    tp_env_begin(w, indent);
    tp_str_printf(&w->text, "twoproof_list(%zu, %s, %s, %s);\n", t->objects.n, variable,
                  tp_env_twin(w, variable), n ? n : "1");
    size = n ? "twoproof_others[twoproof_k].n" : NULL;
  } else if (n) {
    size = tp_arena_printf(w->arena, "twoproof_n%zu", t->objects.n);
    tp_str_printf(&t->declarations, "static unsigned long %s;\n", size);
    tp_env_begin(w, indent);
    tp_str_printf(&w->text, "%s = (unsigned long)(%s);\n", size, n);
  }
  tp_vec_push(&t->objects,
              (tp_env_object){variable, tp_env_shown(w, variable), size, element, is_in_table});
}

void tp_env_twins_clear(tp_env_twins *t) {
  tp_str_clear(&t->declarations);
  tp_str_clear(&t->statements);
  tp_vec_clear(&t->arguments);
  tp_vec_clear(&t->objects);
  tp_vec_clear(&t->draws);
}
