/* Every start state of topo() with N objects of each type and one graph, and how the compiled function ends from it.
 *
 * Start states are those of topo_states.contracts: all objects exist, the graph has its list; members of lists are what is met on a walk of N cells from
 * the head. Runs that read through null are caught (SIGSEGV), runs that do not end are cut after LONGEST blocks of topo.c, which is compiled with
 * -fsanitize-coverage=trace-pc. Counters of nodes are 0, but with MOST > 0 that of the first cell's node, which is 0 .. MOST.
 *
 * usage: topo_states N MOST    prints: heaps, how many return, fail, break the property. What it shares with the tool is topo.c. */
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

// as topo.c has them
struct cell { struct node *node; struct cell *next, *prev; };
struct list { struct cell *head; };
struct node { struct list *in, *out; int indeg, outdeg, seen; };
struct graph { struct list *nodes; };
bool topo(struct graph *g);

enum { MOST_OBJECTS = 3, LONGEST = 1000, CHOICES = 64 };  // CHOICES: of one member in all objects
static int n;
static struct cell cells[MOST_OBJECTS];
static struct list lists[MOST_OBJECTS];
static struct node nodes[MOST_OBJECTS];
static struct graph graph;
static long n_heaps, n_returns, n_fails, n_breaks;

static sigjmp_buf end_of_run;
static int n_blocks;
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
  if (++n_blocks > LONGEST) siglongjmp(end_of_run, 2);
}
static void on_null(int signal) {
  (void)signal;
  siglongjmp(end_of_run, 1);
}

/* Digits of a number to the base n + 1: an object for each object, n is none. */
static void digits(int number, int *out) {
  for (int i = 0; i < n; i++, number /= n + 1) out[i] = number % (n + 1);
}

// ---------------------------------------------------------------------- one run

static bool keeps_property(void) {
  int before = 0;
  for (struct cell *c = graph.nodes->head; c; c = c->next, before++)
    if (c->node && c->node->indeg > before) return false;
  return true;
}

static void run(const int *node_of) {
  static volatile bool result;
  for (int i = 0; i < n; i++) cells[i].node = node_of[i] < n ? &nodes[node_of[i]] : NULL;
  n_heaps++;
  n_blocks = 0;
  const int how = sigsetjmp(end_of_run, 0);
  if (how == 0) {
    result = topo(&graph);
    n_returns++;
    n_breaks += result && !keeps_property();
  }
  n_fails += how == 1;
}

static void run_with_counters(const int *node_of, int most) {
  const struct cell *first = graph.nodes->head;
  const int of = first ? node_of[first - cells] : n;
  for (int counter = 0; counter <= (of < n ? most : 0); counter++) {
    for (int i = 0; i < n; i++) nodes[i].seen = i == of ? counter : 0;
    run(node_of);
  }
}

// ------------------------------------------------------------------ lists of nodes

/* What a walk meets, by list; n is no list. */
static int members[MOST_OBJECTS + 1];
static bool meets_twice[MOST_OBJECTS + 1];

static void walk_lists(const int *head, const int *next, const int *node_of) {
  for (int l = 0; l <= n; l++) {
    members[l] = 0;
    meets_twice[l] = false;
    for (int c = l < n ? head[l] : n, k = 0; c < n && k < n; c = next[c], k++) {
      if (node_of[c] == n) continue;
      meets_twice[l] = meets_twice[l] || members[l] >> node_of[c] & 1;
      members[l] |= 1 << node_of[c];
    }
  }
}

/* The edges that lists of the nodes say, by number of their choice: from * n + to. -1: a node of the graph has an edge twice. */
static void edges_of_choices(int of_graph, int *by_in, int *by_out, int n_choices) {
  for (int k = 0; k < n_choices; k++) {
    int list[MOST_OBJECTS];
    digits(k, list);
    by_in[k] = by_out[k] = 0;
    for (int a = 0; a < n; a++)
      for (int b = 0; b < n; b++) {
        by_in[k] |= (members[list[b]] >> a & 1) << (a * n + b);
        by_out[k] |= (members[list[a]] >> b & 1) << (a * n + b);
      }
    for (int a = 0; a < n; a++)
      if (of_graph >> a & 1 && meets_twice[list[a]]) by_out[k] = -1;
  }
}

static void link_nodes(int in, int out) {
  int in_of[MOST_OBJECTS], out_of[MOST_OBJECTS];
  digits(in, in_of);
  digits(out, out_of);
  for (int i = 0; i < n; i++) {
    nodes[i].in = in_of[i] < n ? &lists[in_of[i]] : NULL;
    nodes[i].out = out_of[i] < n ? &lists[out_of[i]] : NULL;
    nodes[i].indeg = __builtin_popcount((unsigned)members[in_of[i]]);
    nodes[i].outdeg = __builtin_popcount((unsigned)members[out_of[i]]);
  }
}

static void run_all_edges(const int *node_of, int n_choices, int most) {
  int by_in[CHOICES], by_out[CHOICES];
  edges_of_choices(members[graph.nodes - lists], by_in, by_out, n_choices);
  for (int in = 0; in < n_choices; in++)
    for (int out = 0; out < n_choices; out++)
      if (by_in[in] == by_out[out]) {
        link_nodes(in, out);
        run_with_counters(node_of, most);
      }
}

// ------------------------------------------------------------------------ states

/* `prev` is the inverse of `next`, so that leads to no cell twice. */
static bool link_cells(const int *next) {
  for (int i = 0; i < n; i++) cells[i].prev = NULL;
  for (int i = 0; i < n; i++) {
    cells[i].next = next[i] < n ? &cells[next[i]] : NULL;
    if (next[i] < n && cells[next[i]].prev) return false;
    if (next[i] < n) cells[next[i]].prev = &cells[i];
  }
  return true;
}

int main(int argc, char **argv) {
  int n_choices = 1, head[MOST_OBJECTS], next[MOST_OBJECTS], node_of[MOST_OBJECTS];
  n = argc == 3 ? atoi(argv[1]) : 0;
  if (n < 1 || n > MOST_OBJECTS) return fprintf(stderr, "usage: topo_states N MOST\n"), 64;
  for (int i = 0; i < n; i++) n_choices *= n + 1;
  sigaction(SIGSEGV, &(struct sigaction){.sa_handler = on_null, .sa_flags = SA_NODEFER}, NULL);
  for (int of = 0; of < n; of++)
    for (int a = 0; a < n_choices; a++) {
      graph.nodes = &lists[of];
      digits(a, next);
      if (!link_cells(next)) continue;
      for (int b = 0; b < n_choices; b++) {
        digits(b, head);
        for (int i = 0; i < n; i++) lists[i].head = head[i] < n ? &cells[head[i]] : NULL;
        for (int c = 0; c < n_choices; c++) {
          digits(c, node_of);
          walk_lists(head, next, node_of);
          run_all_edges(node_of, n_choices, atoi(argv[2]));
        }
      }
    }
  printf("heaps within the bounds: %ld; the function returns from %ld, fails from %ld, breaks a clause from %ld\n", n_heaps, n_returns, n_fails, n_breaks);
  return 0;
}
