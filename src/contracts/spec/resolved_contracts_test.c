/* Contracts resolved: names, types, conversions, frames; what is wrong with those that are (row
 * K01). */
#include "contracts/spec/testing.h"

const char TESTED_PROGRAM[] =
    "#include <stdbool.h>\n"
    "struct node; struct data { int key; };\n"
    "struct cell { struct node *node; struct cell *next, *prev; struct data *data; };\n"
    "struct list { struct cell *head; int count; };\n"
    "struct node { struct list *in, *out; int indeg, outdeg, seen; struct node *next; void *any; "
    "double weight; union { int a; } u; };\n"
    "struct tree { struct tree *left, *right, *parent; int set; struct { int inner; }; struct list "
    "kids; };\n"
    "typedef struct { struct cell *table[8]; int sizes[8]; int *buffer; int (*compare)(struct data "
    "*, struct data *); } map_t;\n"
    "struct list *the_list; int total; int numbers[10]; map_t the_map; double half;\n"
    "int compare(struct data *a, struct data *b) { return a->key - b->key; }\n"
    "bool push(struct list *l, struct cell *c, int n) { c->next = l->head; l->head = c; "
    "l->count++; total += n + numbers[n]; the_list = l; return true; }\n"
    "struct cell *find(struct list *l, struct data *d) { struct cell *c = l->head; while (c && "
    "c->data != d) c = c->next; return c; }\n"
    "void reset(struct node *g) { g->seen = 0; half = g->weight; }\n"
    "int sum(int *values, int n, map_t *m) { the_map = *m; return values[n] + m->buffer[0] + "
    "m->compare(0, 0); }\n"
    "struct tree *root(struct tree *t) { return t->parent; }\n"
    "int main(void) { the_map.compare = compare; return 0; }\n";

/* The last clause of a text, and how it is understood. */
static const struct {
  const char *text, *meaning;
} good[] = {
    // members by the type of what is in front of them, under a star, under a dot behind it
    {"function push { requires l.head.next != null }",
     "requires l.struct list::head.struct cell::next != null"},
    {"function push { requires c in l.head.*next }",
     "requires c in l.struct list::head.*struct cell::next"},
    {"function push { requires l.head.*next.node.*next in struct node + null }",
     "requires l.struct list::head.*struct cell::next.struct cell::node.*struct node::next in "
     "struct node + null"},
    {"function push { ensures l.head' = c and \\result }",
     "ensures l.struct list::head' = c and int[\\result] != 0"},
    {"function push { ensures (l.head.*next)' = l.head.*next + c }",
     "ensures l.struct list::head'.*struct cell::next' = l.struct list::head.*struct cell::next + "
     "c"},
    {"function find { ensures \\result = null or \\result.data = d }",
     "ensures \\result = null or \\result.struct cell::data = d"},
    {"function root { requires all x, y : struct tree | x.parent = y <=> (y.left = x or y.right = "
     "x) }",
     "requires all x, y : struct tree | x.struct tree::parent = y <=> (y.struct tree::left = x or "
     "y.struct tree::right = x)"},
    {"function root { requires all t : struct tree | not (t in t.^(left + right)) }",
     "requires all t : struct tree | not t in t.^(struct tree::left + struct tree::right)"},
    {"function root { requires all n : t.*(left+right) | #(n.left.*(left+right)) = "
     "#n.right.*(left+right) }",
     "requires all n : t.*(struct tree::left + struct tree::right) | #n.struct tree::left.*(struct "
     "tree::left + struct tree::right) = "
     "#n.struct tree::right.*(struct tree::left + struct tree::right)"},
    {"function push { ensures l.head'.*next'.data' = l.head.*next.data - c.data }",
     "ensures l.struct list::head'.*struct cell::next'.struct cell::data' = l.struct "
     "list::head.*struct cell::next.struct cell::data - c.struct cell::data"},
    // integers
    {"function push { ensures l.count' = l.count + 1 }",
     "ensures l.struct list::count' = Int[plus[int[l.struct list::count], 1]]"},
    {"function push { ensures total' = total + n + numbers[n] }",
     "ensures total' = Int[plus[plus[int[total], int[n]], int[n.numbers]]]"},
    {"function push { requires n < #l.head.*next * 2 }",
     "requires int[n] < #l.struct list::head.*struct cell::next * 2"},
    {"function push { requires n in l.head.*next.node.indeg + 3 }",
     "requires n in l.struct list::head.*struct cell::next.struct cell::node.struct node::indeg + "
     "Int[3]"},
    {"function push { requires n in {1, 2, n + 3} }",
     "requires n in {Int[1], Int[2], Int[plus[int[n], 3]]}"},
    {"function push { requires n = (if some l.head then 1 else total) }",
     "requires n = Int[if some l.struct list::head then 1 else int[total]]"},
    {"function push { requires (sum c : struct cell | c.node.indeg) = sum struct node.indeg }",
     "requires (sum c : struct cell | int[c.struct cell::node.struct node::indeg]) = sum struct "
     "node.struct node::indeg"},
    {"function push { requires let k = n + 1 | k < total }",
     "requires let k = plus[int[n], 1] | k < int[total]"},
    {"function push { requires n => l != null }", "requires int[n] != 0 => l != null"},
    // arrays, functions, inner structs, names that mean something
    {"function sum { requires values[n] = m.sizes[n] }",
     "requires n.(values.\\elements) = n.(m.map_t::sizes)"},
    {"function sum { requires m.buffer[0] > 0 }",
     "requires int[Int[0].(m.map_t::buffer.\\elements)] > 0"},
    {"function sum { requires m.table[n].data != null }",
     "requires n.(m.map_t::table).struct cell::data != null"},
    {"function sum { requires the_map.compare = compare }",
     "requires the_map.map_t::compare = compare"},
    {"function sum { requires all x : map_t | some x.table }",
     "requires all x : map_t | some x.map_t::table"},
    {"function root { requires t.set > t.inner and t.kids.head = null }",
     "requires int[t.struct tree::set] > int[t.struct tree::inner] and t.struct tree::kids.struct "
     "list::head = null"},
    {"function root { requires t.struct tree::set = 3 }", "requires t.struct tree::set = Int[3]"},
    {"function reset { requires g.any.head = null }",
     "requires g.struct node::any.struct list::head = null"},
    // an inner name hides, and arity tells a member from a variable
    {"function push { requires all l : struct cell | l.next != l }",
     "requires all l : struct cell | l.struct cell::next != l"},
    {"function push { requires all next : struct cell | next.next in struct cell }",
     "requires all next : struct cell | next.struct cell::next in struct cell"},
    {"function push { requires some struct cell <: next }",
     "requires some struct cell <: struct cell::next"},
    {"function push { requires no next :> l.head & struct cell -> struct cell }",
     "requires no struct cell::next :> l.struct list::head & struct cell -> struct cell"},
    {"function push { requires no ~next & next & (struct cell -> struct cell) }",
     "requires no ~struct cell::next & struct cell::next & struct cell -> struct cell"},
    {"function push { requires l.head.(next ++ (c -> null)) = null }",
     "requires l.struct list::head.(struct cell::next ++ c -> null) = null"},
    {"function push { requires {x : struct cell | x.next = null} in \\alloc }",
     "requires {x : struct cell | x.struct cell::next = null} in \\alloc"},
    // declarations
    {"pred acyclic[l : struct list] { no c : l.head.*next | c in c.^next }\nfunction push { "
     "preserves acyclic[l] }",
     "preserves acyclic[l]"},
    {"pred grows[l : struct list] { l.head.*next in l.head'.*next' }\nfunction push { ensures "
     "grows[l] }",
     "ensures grows[l]"},
    {"pred empty[l : struct list] { l.head = null }\nfunction push { ensures not empty[l]' }",
     "ensures not empty[l]'"},
    {"fun cells[l : struct list] : set struct cell { l.head.*next - null }\nfunction push { "
     "ensures cells[l]' = cells[l] + c }",
     "ensures cells[l]' = cells[l] + c"},
    {"struct list { model content : set struct data = this.head.*next.data - null }\nfunction push "
     "{ ensures l.content' = l.content + c.data }",
     "ensures l.struct list::content' = l.struct list::content + c.struct cell::data"},
    {"struct list { ghost seen : lone struct data; invariant this.seen in this.head.*next.data }",
     "invariant this.struct list::seen in this.struct list::head.*struct cell::next.struct "
     "cell::data"},
    {"ghost log : int -> lone struct data\nfunction push { ensures log[3]' = c.data }", NULL},
    {"function push { modifies l.head, total, c.next, \\alloc }",
     "modifies l.head, total, c.next, \\alloc"},
};

static void test_K01_meanings(void **state) {
  world *w = *state;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    reading r;
    read_all(w, &r, good[i].text);
    if (r.clauses.n_wrong || *said(w) || r.m.all.n != r.clauses.all.n)
      fail_msg("%s\n%s", good[i].text, said(w));
    tp_str once = {0}, twice = {0};
    const tp_resolved_clause *last = &tp_vec_last(&r.m.all);
    tp_resolved_clause_print(last, &once);
    if (good[i].meaning) assert_string_equal(once.text, good[i].meaning);
    // what is understood is understood again as itself
    tp_clauses_read(&r.clauses, "t", 1, once.text, last->clause->subject);
    tp_clauses again = r.clauses;
    reading q = {0};
    tp_contracts_clear(&r.m);
    tp_contracts_init(&q.m, &w->u, &again);
    if (again.n_wrong) fail_msg("%s, understood as %s:\n%s", good[i].text, once.text, said(w));
    tp_resolved_clause_print(&tp_vec_last(&q.m.all), &twice);
    assert_string_equal(once.text, twice.text);
    tp_contracts_clear(&q.m);
    tp_clauses_clear(&again);
    tp_str_clear(&once);
    tp_str_clear(&twice);
  }
}

/* Clauses of `push` that are wrong: the column, what is said. */
static const struct {
  const char *text, *said;
} wrong[] = {
    {"requires l.hed = null", "13: error: nothing is called 'hed' here; did you mean 'head'?"},
    {"requires MAX > 3",
     "11: error: nothing is called 'MAX' here: no variable, parameter, global, member or named "
     "formula (macros"},
    {"requires l.next = null",
     "12: error: this is always empty: nothing that ends on the left begins on the right (left: "
     "struct list + null; right: "},
    {"requires l.head.head = null", "17: error: this is always empty"},
    {"requires null.head = null",
     "15: error: this is always empty: nothing that ends on the left begins on the right (left: "
     "null; right: struct list -> (struct cell + null)); nothing leads on from null"},
    {"requires l.c = null", "12: error: two sets cannot be joined"},
    {"requires l & struct cell = none",
     "13: error: this is always empty: the sides have nothing in common (left: struct list + null; "
     "right: struct cell)"},
    {"requires no struct list & struct cell",
     "26: error: this is always empty: the sides have nothing in common (left: struct list; right: "
     "struct cell)"},
    {"requires l.head = l",
     "18: error: the sides can never have anything in common (left: struct cell + null; right: "
     "struct list + null)"},
    {"requires l.head = 3", "18: error: the sides can never have anything in common"},
    {"requires l != NULL", "16: error: nothing is called 'NULL' here: write null"},
    {"requires l->head = c",
     "12: error: C's x->head is x.head here; a -> b are the pairs of a and b"},
    {"modifies l->head", "12: error: C's x->head is x.head here; a -> b are the pairs of a and b"},
    {"requires next = l", "16: error: relations of different arity cannot be compared"},
    {"requires c + next = next",
     "13: error: relations of different arity cannot be united (left: struct cell + null; right: "},
    {"requires some ^l",
     "16: error: '^' takes a relation of two columns, and this is struct list + null"},
    {"requires l",
     "11: error: a formula is needed here, and this is struct list + null; some, no, one, lone "
     "make a formula"},
    {"requires l.head", "12: error: a formula is needed here"},
    {"requires l.head + 1 > 3",
     "11: error: 'l' (struct list + null) never contributes anything here"},
    {"requires l.head.*next.node.indeg < 3",
     "28: error: one integer is needed here, and this is a set of integers: write sum for their "
     "sum"},
    {"requires (some l) = true", "20: error: formulas are compared with <=>"},
    {"requires (some l) = n",
     "20: error: a formula cannot be compared with a relation or an integer"},
    {"requires some l < 3", "11: error: an integer is needed here, and this is a formula"},
    {"requires l' != null", "12: error: there is no state after in a precondition"},
    {"requires \\result", "11: error: there is no \\result in a precondition"},
    {"ensures l' = null", "11: error: nothing in front of this ' ever changes (parameters"},
    {"ensures (l.head')' = null", "17: error: one ' is enough"},
    {"requires this != null", "11: error: 'this' means something inside of a struct only"},
    {"requires all x : set struct cell | x = x",
     "15: error: variables stand for single objects, not for sets (set x)"},
    {"requires all x : next | x = x", "19: error: 'next' can mean several things here"},
    {"requires all x : none | x = x", "19: error: there is nothing that 'x' could be"},
    {"requires struct car != null",
     "11: error: the program has no struct car, or uses nothing of it"},
    {"requires l.struct cell::head = null", "26: error: struct cell has no member 'head'"},
    {"requires l.foo::head = null", "18: error: the program has no type 'foo'"},
    {"requires some next",
     "16: error: 'next' can mean several things here: write struct cell::next, struct node::next"},
    {"requires half > 0",
     "11: error: 'half' cannot be used in a contract: contracts know objects and integers, no "
     "floating point"},
    {"requires all g : struct node | some g.u",
     "40: error: 'u' cannot be used in a contract: unions have no relations"},
    {"requires l[3] = null",
     "12: error: this is struct list + null, and neither an array nor a pointer to one"},
    {"requires c -> lone l = none",
     "13: error: how many (one, lone, some, set) can be said in declarations only"},
    {"requires p[l]", "11: error: nothing is called 'p' here"},
    {"requires nice[l]", "11: error: 'nice' takes 2, not 1, in brackets"},
    {"requires nice[c, l]",
     "16: error: 'a' of 'nice' is struct list, and this is struct cell + null"},
    {"requires nice[l, l.head.*next]",
     "25: error: 'b' of 'nice' stands for one, and this can be several; declare it as set"},
    {"requires changes[l]",
     "11: error: 'changes' speaks of the state after, and there is none in a precondition"},
    {"ensures changes[l]'", "10: error: 'changes' speaks of two states itself"},
    {"requires l.count + nice[l, c] = 3",
     "25: error: a relation or an integer is needed here, and this is a formula"},
    {"modifies l.content", "13: error: 'content' is computed from other members; name those"},
    {"modifies l", "11: error: this never changes; name a member"},
    {"requires l.\\content = l",
     "13: error: \\content stands at the end of what modifies names, and nowhere else"},
    {"modifies struct cell::next.\\content",
     "28: error: in front of \\content stands a set of objects"},
    {"modifies the_map.sizes[the_map.table.node.seen]",
     "43: error: what changes is named by a set of objects or indices, and this is int -> int"},
    {"modifies the_map.sizes[map_t::sizes]",
     "32: error: what changes is named by a set of objects or indices, and this is map_t -> int -> "
     "int"},
    {"modifies struct cell::next.next",
     "24: error: what changes is named by a set of objects or indices, and this is struct cell -> "
     "(struct cell + null)"},
    {"modifies none, total", "11: error: 'none' stands alone"},
    {"modifies l.head'", "17: error: there is no state after in modifies"},
    {"modifies next", "11: error: 'next' can mean several things here"},
    {"preserves n > 0",
     "14: error: this never changes, so there is nothing to preserve; write requires"},
    {"ensures l.head = null",
     "2: warning: this says nothing about the state after: it has no ' and no \\result"},
    {"requires let p = some l | n > 0",
     "19: error: let names relations and integers; pred names formulas"},
    {"requires n / (l = null) > 3", "18: error: an integer is needed here, and this is a formula"},
    {"requires c in l.head.*next.node", "13: error: the sides can never have anything in common"},
    {"requires l.head.any = null", "17: error: this is always empty"},
    {"requires l + the_list.head.next.next.next.node.out.head.data = null", NULL},
};

static void test_K01_wrong_meanings(void **state) {
  world *w = *state;
  size_t n_others = 0;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    reading r;
    tp_str text = {0}, expected = {0};
    tp_str_printf(&text,
                  "pred nice[a : struct list, b : struct cell] { a.head = b }\npred changes[a : "
                  "struct list] { a.head' != a.head }\n"
                  "struct list { model content : set struct data = this.head.*next.data "
                  "}\nfunction push {\n %s\n}\n",
                  wrong[i].text);
    tp_str_printf(&expected, "t:5:%s", wrong[i].said ? wrong[i].said : "");
    read_all(w, &r, text.text);
    if (wrong[i].said && strncmp(said(w), expected.text, expected.n) != 0) {
      print_error("'%s':\nsaid %s\nnot  %s\n", wrong[i].text, said(w), expected.text);
      n_others++;
    }
    if (!wrong[i].said && *said(w)) fail_msg("'%s': %s", wrong[i].text, said(w));
    const bool is_error = strstr(expected.text, "error") != NULL;
    assert_int_equal(r.clauses.n_wrong, is_error);
    assert_int_equal(r.m.all.n, is_error ? 3 : 4);
    end(&r);
    tp_str_clear(&text);
    tp_str_clear(&expected);
  }
  assert_int_equal(n_others, 0);
}

static void test_K01_wrong_declarations(void **state) {
  static const struct {
    const char *text, *said;
  } cases[] = {
      {"pred p[x : struct list] { q[x] }\npred q[x : struct list] { p[x] }",
       "t:2:28: error: 'p' needs itself; closures"},
      {"fun f : set struct cell { f.next }", "t:1:27: error: 'f' needs itself"},
      {"fun f[l : struct list] : struct cell { l.head.*next }",
       "t:1:46: error: 'f' is declared to be one, and this can be several"},
      {"fun f[l : struct list] : set struct node { l.head.*next }",
       "t:1:50: error: 'f' is declared as struct node, and this is struct cell + null"},
      {"pred p { nothing_known > 3 }\nfunction push { requires p }",
       "t:1:10: error: nothing is called 'nothing_known' here"},
      {"pred p { true }\npred p { false }",
       "t:2:6: error: 'p' is the name of something else already"},
      {"pred next { true }", "t:1:6: error: 'next' is the name of something else already"},
      {"struct list { ghost head : int }",
       "t:1:21: error: 'head' is the name of something else already"},
      {"struct list { model m : int = this.head'.next }",
       "error: there is no state after in a model field"},
      {"struct list { model m : struct node = this.head }",
       "t:1:43: error: 'm' is declared as struct node, and this is struct cell + null"},
      {"struct nowhere { invariant true }", "t:1:18: error: the program has no struct nowhere"},
      {"function nowhere { requires true }",
       "t:1:20: error: the program has no function 'nowhere'"},
      {"function reset { ensures \\result = 3 }",
       "t:1:26: error: there is no \\result in a contract of a function without result"},
      {"ghost g : set struct nowhere", "t:1:15: error: the program has no struct nowhere"},
      {"ghost g : none", "t:1:11: error: this type has no members"},
  };
  world *w = *state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    reading r;
    read_all(w, &r, cases[i].text);
    if (!strstr(said(w), cases[i].said))
      fail_msg("'%s':\nsaid %s\nnot  %s", cases[i].text, said(w), cases[i].said);
    end(&r);
  }
}

/* What is left as it is, for a contract and a symbol. */
static void test_K01_frames(void **state) {
  static const struct {
    const char *modifies, *symbol, *frame;
  } cases[] = {
      {"none", "head",
       "all object_ : struct list & (\\alloc & \\alloc') | object_.struct list::head' = "
       "object_.struct list::head"},
      {"l.head", "head",
       "all object_ : struct list & (\\alloc & \\alloc') - l | object_.struct list::head' = "
       "object_.struct list::head"},
      {"l.head, the_list.head", "head",
       "all object_ : struct list & (\\alloc & \\alloc') - l - the_list | object_.struct "
       "list::head' = object_.struct list::head"},
      {"struct list::head", "head", NULL},
      {"head", "head", NULL},
      {"l.\\content", "head",
       "all object_ : struct list & (\\alloc & \\alloc') - l | object_.struct list::head' = "
       "object_.struct list::head"},
      {"the_list.head.*next.\\content", "prev",
       "all object_ : struct cell & (\\alloc & \\alloc') - the_list.struct list::head.*struct "
       "cell::next | object_.struct cell::prev' = object_.struct cell::prev"},
      {"l.\\content", "prev",
       "all object_ : struct cell & (\\alloc & \\alloc') | object_.struct cell::prev' = "
       "object_.struct cell::prev"},
      {"none", "total", "total' = total"},
      {"total", "total", NULL},
      {"numbers[n], numbers[3]", "numbers",
       "all index_ : int | not index_ in n and not index_ in Int[3] => index_.numbers' = "
       "index_.numbers"},
      {"the_map.sizes[n]", "sizes",
       "all object_ : map_t & (\\alloc & \\alloc'), index_ : int | not (object_ in the_map and "
       "index_ in n) => index_.(object_.map_t::sizes') = index_.(object_.map_t::sizes)"},
      {"none", "\\alloc", "\\alloc' = \\alloc"},
      {"\\alloc", "\\alloc", NULL},
  };
  world *w = *state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    reading r;
    tp_str text = {0}, out = {0};
    tp_str_printf(&text, "function push { modifies %s }", cases[i].modifies);
    read_all(w, &r, text.text);
    assert_string_equal(said(w), "");
    assert_int_equal(r.m.of_functions.n, 1);
    const tp_symbol *symbol = w->u.alloc;
    for (size_t k = 0; k < w->u.symbols.n; k++)
      if (strcmp(w->u.symbols.at[k]->name, cases[i].symbol) == 0) symbol = w->u.symbols.at[k];
    const tp_spec_expr *frame = tp_function_contract_frame(&r.m, r.m.of_functions.at[0], symbol);
    if (frame) tp_spec_expr_print(frame, &out);
    assert_string_equal(tp_str_text(&out), cases[i].frame ? cases[i].frame : "");
    // as a postcondition it is understood as itself
    if (frame) {
      tp_str clause = {0};
      tp_str_printf(&clause, "ensures %s", out.text);
      const tp_subject subject = {TP_SUBJECT_FUNCTION, "push", TP_POS_NONE, NULL, 0, false};
      reading q;
      forget(w);
      tp_clauses_init(&q.clauses, w->diag);
      tp_clauses_read(&q.clauses, "t", 1, clause.text, subject);
      tp_contracts_clear(&r.m);
      tp_contracts_init(&q.m, &w->u, &q.clauses);
      if (*said(w)) fail_msg("%s: %s", clause.text, said(w));
      tp_str again = {0};
      tp_resolved_clause_print(&q.m.all.at[0], &again);
      assert_string_equal(again.text, clause.text);
      tp_str_clear(&again);
      tp_str_clear(&clause);
      end(&q);
    } else {
      tp_contracts_clear(&r.m);
    }
    tp_clauses_clear(&r.clauses);
    tp_str_clear(&text);
    tp_str_clear(&out);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_K01_meanings), cmocka_unit_test(test_K01_wrong_meanings),
      cmocka_unit_test(test_K01_wrong_declarations), cmocka_unit_test(test_K01_frames)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
