/* The places of a witness in the text of its program, and the expressions that may stand there. */
#include "app/witness_source.h"

// ------------------------------------------------------------------------- files

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* The file of the program that the witness calls so: by the hashes of the task, which fit (see
 * witness_check.c), where several files are, by their names. n_files: none. */
static size_t file_of(const tp_witness_task *t, const char *name) {
  size_t i = 0;
  if (t->n_files == 1) {
    const char *of_task = t->w->files.at[0].path;
    return strcmp(base_name(of_task), base_name(name)) == 0 ||
                   strcmp(base_name(t->files[0].path), base_name(name)) == 0
               ? 0
               : 1;
  }
  while (i < t->n_files && strcmp(t->files[i].path, name) != 0) i++;
  for (size_t k = 0; i == t->n_files && k < t->n_files; k++)
    if (strcmp(base_name(t->files[k].path), base_name(name)) == 0) return k;
  return i;
}

// ------------------------------------------------------------------------- places

static const tp_outline_statement *starts_at(const tp_outline *o, uint32_t token) {
  for (size_t i = 0; i < o->statements.n; i++) {
    const tp_outline_statement *s = &o->statements.at[i];
    if (s->first == token || s->label == token) return s;
  }
  return NULL;
}

static bool is_loop(const tp_outline_statement *s) {
  return s->kind == TP_OUTLINE_WHILE || s->kind == TP_OUTLINE_DO || s->kind == TP_OUTLINE_FOR;
}

/* The closing parenthesis of a call of a function by its name. */
static bool closes_call(const tp_outline *o, uint32_t token) {
  static const char *const keywords[] = {"if",     "while",  "for",      "switch",
                                         "return", "sizeof", "_Alignof", "case"};
  const uint32_t open = token ? o->tokens.v.at[token].partner : 0;
  if (!tp_c_token_is(&o->tokens, token, ")") || open < 2) return false;
  if (o->tokens.v.at[open - 1].kind != TP_C_TOKEN_NAME || !tp_outline_around(o, token))
    return false;
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (tp_c_token_is(&o->tokens, open - 1, keywords[i])) return false;
  return true;
}

/* Can an item of this kind stand at the token? */
static bool fits(const tp_outline *o, tp_witness_item_kind kind, uint32_t token,
                 tp_witness_spot *out) {
  const tp_outline_statement *s = starts_at(o, token);
  *out = (tp_witness_spot){.token = token, .statement = s};
  switch (kind) {
    case TP_WITNESS_LOOP_INVARIANT: return s && is_loop(s) && s->close && s->first == token;
    case TP_WITNESS_LOCATION_INVARIANT:
    case TP_WITNESS_ASSUMPTION: return s != NULL;
    case TP_WITNESS_BRANCHING:
      return s && s->close && s->first == token && s->kind != TP_OUTLINE_SIMPLE;
    case TP_WITNESS_FUNCTION_ENTER:
    case TP_WITNESS_FUNCTION_RETURN: return closes_call(o, token);
    case TP_WITNESS_TARGET: out->statement = tp_outline_around(o, token); return out->statement;
    case TP_WITNESS_OTHER: return false;
  }
  return false;
}

static const char *wanted(tp_witness_item_kind kind) {
  switch (kind) {
    case TP_WITNESS_LOOP_INVARIANT: return "loop";
    case TP_WITNESS_BRANCHING: return "branch";
    case TP_WITNESS_FUNCTION_ENTER:
    case TP_WITNESS_FUNCTION_RETURN: return "closing parenthesis of a call";
    case TP_WITNESS_LOCATION_INVARIANT:
    case TP_WITNESS_ASSUMPTION:
    case TP_WITNESS_TARGET:
    case TP_WITNESS_OTHER: break;
  }
  return "statement";
}

/* Is the token within the function of this name? */
static bool is_in_function(const tp_outline *o, uint32_t token, const char *name) {
  for (size_t f = 1; f < o->functions.n; f++)
    if (token > o->functions.at[f].open && token < o->functions.at[f].close)
      return tp_c_token_is(&o->tokens, o->functions.at[f].name, name);
  return false;
}

static tp_status refuse(tp_str *why, const tp_witness_item *item, const char *what) {
  tp_str_printf(why, "line %u: %s:%u", item->at_line, base_name(item->file), item->line);
  if (item->column) tp_str_printf(why, ":%u", item->column);
  tp_str_printf(why, ": %s", what);
  return TP_ERR_INPUT;
}

static tp_status find_token(const tp_outline *o, const tp_witness_item *item, tp_witness_spot *out,
                            tp_str *why) {
  uint32_t token =
      item->column ? tp_outline_place(o, item->line, item->column) : tp_outline_line(o, item->line);
  if (!token) return refuse(why, item, "nothing starts there");
  bool found = fits(o, item->kind, token, out);
  // without a column: the leftmost place that fits
  while (!item->column && !found && ++token < o->tokens.v.n &&
         o->tokens.v.at[token].line == item->line)
    found = fits(o, item->kind, token, out);
  if (!found) {
    tp_str text = {0};
    tp_str_printf(&text, "no %s stands there", wanted(item->kind));
    const tp_status st = refuse(why, item, text.text);
    tp_str_clear(&text);
    return st;
  }
  if (item->function && !is_in_function(o, out->token, item->function))
    return refuse(why, item, "that is not within the function that the witness names");
  return TP_OK;
}

// -------------------------------------------------------------------- expressions

/* A name in parentheses is taken for a type where it looks like one: (size_t)x, (struct s *)p. */
static bool is_cast(const tp_c_tokens *t, uint32_t open, uint32_t close) {
  static const char *const words[] = {
      "int",  "unsigned", "signed", "char", "short", "long",     "float",    "double", "_Bool",
      "void", "struct",   "union",  "enum", "const", "__int128", "volatile", "bool"};
  const tp_c_token *first = &t->v.at[open + 1];
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (tp_c_token_is(t, open + 1, words[i])) return true;
  const bool has_ending = first->n > 2 && strncmp(t->text + first->at + first->n - 2, "_t", 2) == 0;
  return first->kind == TP_C_TOKEN_NAME && close > open + 1 &&
         ((has_ending && close == open + 2) || tp_c_token_is(t, close - 1, "*"));
}

/* The first thing in the expression that is no part of one without effects, from `from` on; NULL:
 * there is none. */
static const char *bad_part(const tp_c_tokens *t) {
  static const char *const never[] = {"=",  "++", "--", "+=",  "-=",  "*=", "/=", "%=",
                                      "&=", "|=", "^=", "<<=", ">>=", ";",  "{",  "}",
                                      "\\", "#",  "@",  "`",   "##",  ","};
  if (t->v.n == 1) return "it is empty";
  for (uint32_t i = 1; i < t->v.n; i++) {
    const tp_c_token *token = &t->v.at[i];
    for (size_t k = 0; k < sizeof never / sizeof *never; k++)
      if (tp_c_token_is(t, i, never[k])) return "it has an effect, or is no expression";
    if (token->kind == TP_C_TOKEN_PUNCTUATOR && token->n == 1 &&
        strchr("()[]", t->text[token->at]) && !token->partner)
      return "its brackets do not match";
    if (token->kind == TP_C_TOKEN_NAME && token->n > 10 &&
        strncmp(t->text + token->at, "__twoproof", 10) == 0)
      return "it has a name that is ours";
    if (!tp_c_token_is(t, i, "(") || i == 1) continue;
    const tp_c_token *before = &t->v.at[i - 1];
    const bool is_size = tp_c_token_is(t, i - 1, "sizeof");
    const bool behind_bracket = tp_c_token_is(t, i - 1, ")") || tp_c_token_is(t, i - 1, "]");
    const bool is_behind_cast =
        tp_c_token_is(t, i - 1, ")") && before->partner && is_cast(t, before->partner, i - 1);
    if ((before->kind == TP_C_TOKEN_NAME && !is_size) || (behind_bracket && !is_behind_cast))
      return "it has a call";
  }
  return NULL;
}

/* `\result` becomes a name, in which the expression is then looked at. */
static tp_status check_expression(const tp_witness_item *item, tp_str *why) {
  tp_str text = {0};
  tp_c_tokens tokens;
  for (const char *c = item->value; *c;) {
    const bool is_result = strncmp(c, "\\result", 7) == 0;
    if (is_result && item->kind == TP_WITNESS_FUNCTION_RETURN) {
      tp_str_add(&text, "result");
      c += 7;
    } else {
      tp_str_add_char(&text, *c == '\n' ? ' ' : *c);
      c++;
    }
  }
  // a directive or a comment would swallow what stands behind
  const bool has_comment = text.n && (strstr(text.text, "//") || strstr(text.text, "/*"));
  tp_c_tokens_read(&tokens, tp_str_text(&text), text.n);
  const char *bad = has_comment ? "it has a comment" : bad_part(&tokens);
  tp_c_tokens_clear(&tokens);
  tp_str_clear(&text);
  if (!bad) return TP_OK;
  tp_str line = {0};
  tp_str_printf(&line, "the expression '%.60s' cannot be used: %s", item->value, bad);
  const tp_status st = refuse(why, item, line.text);
  tp_str_clear(&line);
  return st;
}

static bool is_outcome(const tp_witness_item *item, const tp_outline_statement *s) {
  const char *v = item->value;
  if (s->kind != TP_OUTLINE_SWITCH) return strcmp(v, "true") == 0 || strcmp(v, "false") == 0;
  if (*v == '-') v++;
  return *v && strlen(v) < 20 && strspn(v, "0123456789") == strlen(v);
}

tp_status tp_witness_locate(const tp_witness_task *t, const tp_witness_item *item,
                            tp_witness_spot *out, tp_str *why) {
  TP_REQUIRE(t && item && out && why);
  const size_t file = file_of(t, item->file);
  if (file >= t->n_files) return refuse(why, item, "the program has no such file");
  if (item->kind == TP_WITNESS_OTHER) {
    (void)refuse(why, item, item->type);
    tp_str_add(why, "s are not followed here");
    return TP_ERR_UNSUPPORTED;
  }
  TP_TRY(find_token(&t->files[file], item, out, why));
  out->file = file;
  const tp_c_tokens *tokens = &t->files[file].tokens;
  if (item->kind == TP_WITNESS_BRANCHING) {
    if (is_outcome(item, out->statement)) return TP_OK;
    if (out->statement->kind != TP_OUTLINE_SWITCH || strcmp(item->value, "default") != 0)
      return refuse(why, item, "the branch has no such outcome");
    (void)refuse(why, item, "the outcome 'default' is not followed here");
    return TP_ERR_UNSUPPORTED;
  }
  if (item->kind == TP_WITNESS_FUNCTION_ENTER || item->kind == TP_WITNESS_FUNCTION_RETURN) {
    const uint32_t name = tokens->v.at[out->token].partner - 1;
    if (tp_c_token_is(tokens, name - 1, "->") || tp_c_token_is(tokens, name - 1, ".")) {
      (void)refuse(why, item, "calls of members are not followed here");
      return TP_ERR_UNSUPPORTED;
    }
  }
  return item->value ? check_expression(item, why) : TP_OK;
}

bool tp_witness_is_target(const tp_witness_task *t, const tp_witness_spot *target, size_t file,
                          uint32_t token) {
  if (file != target->file || !token) return false;
  const tp_outline *o = &t->files[file];
  const tp_outline_statement *s = target->statement;
  // what happens where a block ends, happens behind its last statement
  if (tp_outline_before_end(o, token) == s) return true;
  if (tp_outline_around(o, token) != s) return false;
  // of a loop or a branch: its condition; of a block: its last brace, where a function ends
  if (s->kind == TP_OUTLINE_SIMPLE || s->kind == TP_OUTLINE_BLOCK) return true;
  return token >= s->first && token <= s->close;
}
