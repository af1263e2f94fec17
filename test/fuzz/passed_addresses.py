#!/usr/bin/python3
"""Random programs whose functions get addresses of local and global objects, of members and of pointers: what `--places` turns into variables.

usage: test/fuzz/passed_addresses.py SEED
Prints a C program that ends with one number. -DNATIVE prints it; otherwise it is compared with EXPECT: an error where they differ or, with
-DEQUAL, where they do not. Its four inputs have one value each, every other value ends the run. With -DFAULT a block that was freed stays in
use, in one function.
"""
import random
import sys

PARAMETERS = {"S": "struct s *", "SS": "struct s **", "U": "unsigned ", "P": "int **", "I": "unsigned *"}

HEAD = """#include <assert.h>
#include <stdlib.h>
static const unsigned inputs[] = {%s};
static int asked;
#ifdef NATIVE
#include <stdio.h>
static unsigned input(void) { return inputs[asked++]; }
#else
unsigned __VERIFIER_nondet_uint(void);
static unsigned input(void) {
  unsigned x = __VERIFIER_nondet_uint();
  if (x != inputs[asked++]) exit(0);
  return x;
}
#endif
#ifdef FAULT
#define AFTER_FREE(p) (void)0
#else
#define AFTER_FREE(p) (p) = 0
#endif
struct s { int *p; unsigned n; struct s *next; unsigned char c; };
static struct s g0, g1 = {0, 7, &g0, 3};
static unsigned sum;
static void mix(unsigned x) { sum = sum * 31 + x; }
"""

TAIL = """int main(void) {
  unsigned r = body() ^ sum;
#ifdef NATIVE
  printf("%u\\n", r);
#elif defined EQUAL
  assert(r != EXPECT);
#else
  assert(r == EXPECT);
#endif
  return 0;
}"""


class Names:
    """What expressions can name, by kind; `objects` and `numbers` are locals whose address can be taken."""

    def __init__(self, other=None):
        self.of = {k: list(other.of[k]) if other else [] for k in (*PARAMETERS, "objects", "numbers")}


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines, self.functions, self.n_names, self.faulty = [], [], 0, False

    def fresh(self, letter):
        self.n_names += 1
        return f"{letter}{self.n_names}"

    def expression(self, names, depth=0):
        of, choose = names.of, self.r.choice
        kind = self.r.randrange(7)
        if kind == 1 and of["U"]:
            return choose(of["U"])
        if kind == 2 and of["S"]:
            return choose(of["S"]) + choose(["->n", "->c"])
        if kind == 3 and of["I"]:
            return "*" + choose(of["I"])
        if kind == 4 and depth < 3:
            return f"({self.expression(names, depth + 1)} {choose('+-^*')} {self.expression(names, depth + 1)})"
        if kind == 5 and of["SS"]:
            x = choose(of["SS"])
            return f"(*{x} ? (*{x})->n : 4u)"
        if kind == 6 and of["S"]:
            x = choose(of["S"])
            return f"({x}->p ? (unsigned)*{x}->p : 2u)"
        return str(self.r.randrange(12))

    def condition(self, names):
        of, choose = names.of, self.r.choice
        kind = self.r.randrange(5)
        if kind == 0 and len(of["S"]) > 1:
            return f"{choose(of['S'])} == {choose(of['S'])}"
        if kind == 1 and of["S"]:
            return choose(of["S"]) + "->next != 0"
        if kind == 2 and of["P"]:
            return f"*{choose(of['P'])} != 0"
        return f"{self.expression(names)} {choose(['<', '==', '!='])} {self.expression(names)}"

    def argument(self, names, kind):
        of = names.of
        if kind == "U":
            return self.expression(names)
        more = {
            "S": ["&" + v for v in of["objects"]],
            "I": ["&" + v for v in of["numbers"]] + [f"&{x}->n" for x in of["S"]],
            "SS": [f"&{x}->next" for x in of["S"]],
            "P": [f"&{x}->p" for x in of["S"]],
        }
        candidates = of[kind] + more[kind]
        return self.r.choice(candidates) if candidates else None

    def call(self, names, indent, n_callable):
        if not n_callable:
            return
        name, kinds = self.functions[self.r.randrange(n_callable)]
        arguments = [self.argument(names, k) for k in kinds]
        if None not in arguments:
            self.lines.append(f"{indent}mix({name}({', '.join(arguments)}));")

    def block(self, names, indent):
        """Memory that a pointer leads to is allocated, or read and perhaps freed."""
        x = self.r.choice(names.of["P"])
        after = f"*{x} = 0" if self.faulty else f"AFTER_FREE(*{x})"
        self.faulty = True
        self.lines.append(f"{indent}if (!*{x}) {{ *{x} = malloc(4); if (!*{x}) exit(0); **{x} = (int){self.expression(names)}; }}")
        self.lines.append(f"{indent}else {{ mix((unsigned)**{x}); if ({self.condition(names)}) {{ free(*{x}); {after}; }} }}")

    def declare_object(self, names, indent):
        v, of = self.fresh("t"), names.of
        self.lines.append(f"{indent}struct s {v}; {v}.p = 0; {v}.n = {self.expression(names)}; {v}.next = {self.r.choice(['0', '&g0', '&g1'])}; {v}.c = {self.r.randrange(256)};")
        of["objects"].append(v)
        for kind, text in ("S", f"struct s *%s = &{v};"), ("SS", f"struct s **%s = &{v}.next;"):
            if self.r.random() < 0.4:
                q = self.fresh("q")
                self.lines.append(indent + text % q)
                of[kind].append(q)

    def statement(self, names, indent, n_callable, in_loop):
        of, choose, put = names.of, self.r.choice, self.lines.append
        kind = self.r.randrange(16)
        if kind < 2 and of["S"]:
            put(f"{indent}{choose(of['S'])}{choose(['->n', '->c'])} = {self.expression(names)};")
        elif kind == 2 and of["S"]:
            put(f"{indent}{choose(of['S'])}->next = {choose(['0', '&g0', '&g1'])};")
        elif kind == 3 and of["SS"]:
            put(f"{indent}*{choose(of['SS'])} = {choose(['0', '&g0', '&g1'])};")
        elif kind == 4 and of["I"]:
            put(f"{indent}*{choose(of['I'])} {choose(['=', '+='])} {self.expression(names)};")
        elif kind == 5 and of["P"]:
            self.block(names, indent)
        elif kind == 6:
            v = self.fresh("v")
            put(f"{indent}unsigned {v} = {self.expression(names)};")
            of["numbers"].append(v)
            of["U"].append(v)
        elif kind == 7:
            self.declare_object(names, indent)
        elif kind in (8, 9, 10):
            self.call(names, indent, n_callable)
        elif kind == 11:
            put(f"{indent}if ({self.condition(names)}) {{")
            self.statements(names, 1, 3, indent + "  ", n_callable, in_loop)
            put(indent + "} else {")
            self.statements(names, 0, 2, indent + "  ", n_callable, in_loop)
            put(indent + "}")
        elif kind == 12 and len(indent) < 6:
            i, inner = self.fresh("i"), Names(names)
            inner.of["U"].append(i)
            put(f"{indent}for (unsigned {i} = 0; {i} < {self.r.randint(1, 3)}; {i}++) {{")
            self.statements(inner, 1, 4, indent + "  ", n_callable, True)
            put(indent + "}")
        elif kind == 13 and in_loop:
            put(f"{indent}if ({self.condition(names)}) {choose(['break', 'continue'])};")
        elif kind == 14:
            put(f"{indent}if ({self.condition(names)}) return {self.expression(names)};")
        else:
            put(f"{indent}mix({self.expression(names)});")

    def statements(self, names, least, most, indent, n_callable, in_loop):
        inner = Names(names)
        for _ in range(self.r.randint(least, most)):
            self.statement(inner, indent, n_callable, in_loop)

    def function(self, number):
        kinds = [self.r.choice(list(PARAMETERS)) for _ in range(self.r.randint(1, 3))]
        names = Names()
        for k, kind in enumerate(kinds):
            names.of[kind].append(f"a{k}")
        self.lines.append(f"static unsigned f{number}({', '.join(PARAMETERS[kind] + f'a{k}' for k, kind in enumerate(kinds))}) {{")
        self.statements(names, 2, 6, "  ", number, False)
        self.lines.append(f"  return {self.expression(names)};\n}}")
        self.functions.append((f"f{number}", kinds))

    def program(self):
        self.lines.append(HEAD % ", ".join(str(self.r.randrange(9)) for _ in range(4)))
        n = self.r.randint(2, 4)
        for number in range(n):
            self.function(number)
        names = Names()
        names.of.update(objects=["m", "k", "g0", "g1"], numbers=["u"], U=["u"], P=["&h"], S=["(&m)", "(&g0)"] if self.r.random() < 0.5 else [])
        self.lines.append("static unsigned body(void) {\n  struct s m, k;\n  m.p = 0; m.n = input(); m.next = 0; m.c = 1;\n  k.p = 0; k.n = 2; k.next = &g1; k.c = (unsigned char)input();")
        self.lines.append("  unsigned u = input();\n  int *h = malloc(4);\n  if (!h) exit(0);\n  *h = (int)input();")
        self.statements(names, 5, 9, "  ", n, False)
        self.lines.append("  return m.n + k.n * 3 + u * 5 + g0.n * 7 + g1.c + (h ? (unsigned)*h : 1);\n}")
        self.lines.append(TAIL)
        return "\n".join(self.lines)


print(Generator(int(sys.argv[1])).program())
