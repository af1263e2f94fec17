/* The failing run on the page: every event with what changed, so that the page can show the values
 * of all variables at each of them, and how often each edge was followed.
 *
 * A step is [serial, file, line, column, function, depth, location, flags, changes]; function as a
 * position in `functions`. A change is [kind, name, value, flags, cell, pointee]; a cell and a
 * pointee are [object, offset] or null. Objects have their name, and where they began and ended. */
#include "report/error_path_priv.h"
#include "report/page_priv.h"
#include "report/report_limits.h"

enum { ENTERS = 1, FAILS = 2 };        // flags of steps
enum { IS_INPUT = 1, IS_GLOBAL = 2 };  // flags of changes

typedef struct {
  const tp_recording *r;
  const tp_map *index_of;
  json_t *functions, *objects;
  tp_map function_at, object_seen;
} teller;

static size_t function_at(teller *t, tp_func f) {
  uint64_t at;
  if (tp_map_get(&t->function_at, f.id, &at)) return at;
  const size_t n = json_array_size(t->functions);
  json_array_append_new(t->functions, tp_page_text(tp_func_of(t->r->program, f)->name));
  tp_map_set(&t->function_at, f.id, n);
  return n;
}

/* As values name it: "malloc#5", "a". */
static void print_object_name(const teller *t, uint32_t object, tp_str *out) {
  const tp_program *p = t->r->program;
  tp_str text = {0};
  tp_value_print(&t->r->names, TP_TYPE_NONE, tp_sort_ptr(p->terms), (tp_value){.object = object},
                 &text);
  tp_str_add(out, tp_str_text(&text) + (tp_str_text(&text)[0] == '&'));
  tp_str_clear(&text);
}

/* Once: [object, name, where it began, where it ended]. */
static void add_object(teller *t, uint32_t object) {
  const tp_program *p = t->r->program;
  if (tp_map_has(&t->object_seen, object)) return;
  tp_map_set(&t->object_seen, object, 1);
  tp_str name = {0};
  print_object_name(t, object, &name);
  tp_pos made = object < p->statics.n ? p->statics.at[object].pos : TP_POS_NONE,
         ended = TP_POS_NONE;
  if (object < t->r->lifetimes.of.n && object >= p->statics.n) {
    const tp_lifetime *life = &t->r->lifetimes.of.at[object];
    made = life->made, ended = life->ended;
  }
  json_t *o = json_array();
  json_array_append_new(o, tp_page_number(object));
  json_array_append_new(o, tp_page_text(tp_str_text(&name)));
  json_array_append_new(o, tp_page_place(t->index_of, made));
  json_array_append_new(o, tp_page_place(t->index_of, ended));
  json_array_append_new(t->objects, o);
  tp_str_clear(&name);
}

static json_t *cell_of(teller *t, tp_value address) {
  if (!address.object) return json_null();
  add_object(t, address.object);
  return json_pack("[iI]", (int)address.object, (json_int_t)address.bits);
}

static bool is_pointer(const tp_program *p, const tp_change *c) {
  tp_term shape = TP_TERM_NONE;
  if (c->kind == TP_CHANGE_STORE) shape = tp_edge_of(p, c->edge)->b;
  if (c->kind == TP_CHANGE_RETURN) shape = tp_edge_of(p, c->edge)->a;
  if (c->var.id) shape = tp_var_of(p, c->var)->term;
  return tp_term_is(shape) && tp_sort_kind_of(p->terms, tp_sort_of(p->terms, shape)) == TP_SORT_PTR;
}

static json_t *change_of(teller *t, const tp_change *c) {
  const tp_program *p = t->r->program;
  tp_str name = {0}, value = {0};
  tp_change_print_name(t->r, c, &name);
  tp_change_print_value(t->r, c, &value);
  const bool is_global = c->var.id && tp_var_of(p, c->var)->kind == TP_V_GLOBAL;
  json_t *o = json_array();
  json_array_append_new(o, tp_page_number(c->kind));
  json_array_append_new(o, tp_page_text(tp_str_text(&name)));
  json_array_append_new(o, tp_page_text(tp_str_text(&value)));
  json_array_append_new(
      o, tp_page_number((c->is_input ? IS_INPUT : 0u) | (is_global ? IS_GLOBAL : 0u)));
  json_array_append_new(o, cell_of(t, c->address));
  json_array_append_new(o, is_pointer(p, c) ? cell_of(t, c->value) : json_null());
  tp_str_clear(&name);
  tp_str_clear(&value);
  return o;
}

static json_t *step_of(teller *t, const tp_path_event *e) {
  json_t *o = json_array(), *changes = json_array();
  uint64_t file = 0;
  const bool is_placed = tp_pos_known(e->pos) && tp_map_get(t->index_of, e->pos.file, &file);
  for (size_t i = e->first_change; i < e->first_change + e->n_changes; i++)
    if (e->enters || !tp_change_is_replaced(t->r, e, i))
      json_array_append_new(changes, change_of(t, &t->r->changes.at[i]));
  const uint64_t numbers[] = {e->serial,
                              is_placed ? file - 1 : 0,
                              is_placed ? e->pos.line : 0,
                              is_placed ? e->pos.column : 0,
                              function_at(t, e->func),
                              e->depth,
                              e->loc.id,
                              (e->enters ? ENTERS : 0u) | (e->error.id ? FAILS : 0u)};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    json_array_append_new(o, tp_page_number(numbers[i]));
  json_array_append_new(o, changes);
  return o;
}

/* Of very many events those at both ends. */
static json_t *steps_of(teller *t) {
  json_t *steps = json_array();
  const size_t n = t->r->events.n, half = TP_REPORT_PAGE_EVENTS / 2;
  const tp_path_event *before = NULL;
  for (size_t i = 0; i < n; i++) {
    const tp_path_event *e = &t->r->events.at[i];
    if (n > TP_REPORT_PAGE_EVENTS && i >= half && i + half < n) continue;
    if (!tp_event_is_more(e, before)) json_array_append_new(steps, step_of(t, e));
    before = e;
  }
  return steps;
}

json_t *tp_page_run(const tp_report *r, const tp_page_extra *more, const tp_map *index_of) {
  TP_REQUIRE(more->has_run && r->program && r->inputs);
  tp_recording recording;
  tp_record_run(r->program, r->inputs, more->limits, more->steps, &recording);
  teller t = {
      .r = &recording, .index_of = index_of, .functions = json_array(), .objects = json_array()};
  json_t *o = json_object();
  json_object_set_new(o, "events", tp_page_number(recording.n_events));
  json_object_set_new(o, "unseen", tp_page_number(recording.unseen_steps));
  json_object_set_new(o, "unseen_at", tp_page_number(recording.unseen_at));
  json_object_set_new(o, "message", tp_page_text(tp_str_text(&recording.message)));
  json_object_set_new(o, "steps", steps_of(&t));
  json_object_set_new(o, "functions", t.functions);
  json_object_set_new(o, "objects", t.objects);
  tp_map_clear(&t.function_at);
  tp_map_clear(&t.object_seen);
  tp_recording_clear(&recording);
  return o;
}

// ----------------------------------------------------------------------- visits

static bool count_edge(void *ctx, const tp_state *before, tp_edge edge) {
  (void)before;
  uint32_t *visits = ctx;
  if (visits[edge.id] < UINT32_MAX) visits[edge.id]++;
  return true;
}

bool tp_page_count_visits(const tp_report *r, const tp_page_extra *more, uint32_t *visits) {
  TP_REQUIRE(more->has_run && r->program && r->inputs && visits);
  tp_run_limits limits = tp_run_limits_with_defaults(more->limits);
  if (limits.steps > TP_REPORT_PAGE_COUNTED_STEPS) limits.steps = TP_REPORT_PAGE_COUNTED_STEPS;
  tp_vector_oracle vector = {.in = r->inputs};
  tp_oracle oracle = tp_oracle_of_vector(&vector);
  const tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = visits, .edge = count_edge};
  return tp_exec_main(r->program, &oracle, limits, &observer).end != TP_END_LIMIT;
}
