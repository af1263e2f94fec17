/* SCHED: a store of jobs, triggers and calendars, as a scheduler keeps them: maps by full name and by group, a list of all triggers.
 *
 * Names are interned: equal names have one address. Days follow one another; a calendar is a set of days. There are two kinds of triggers, each with its
 * operations behind pointers. Containers are real code. What the rows check is in properties/.
 *
 * BUG_CLONE    cloning a job puts its listeners into a set first, which forgets their order
 * BUG_CALENDAR triggers of both kinds go on to their next day without asking the new calendar
 * BUG_CRON     triggers of one kind do */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

struct name { const char *text; };

/* ------------------------------------------------------------ days and calendars */

struct day { struct day *later; };                     /* NULL: the last one */
struct day_cell { struct day *day; struct day_cell *next; };
struct calendar { struct day_cell *first; };

/*@ fun days[c : set struct calendar] : set struct day { (c.first.*next - null).day - null }
    pred is_calendar[c : struct calendar] { no d : c.first.*next - null | d in d.^next } */

static bool calendar_includes(const struct calendar *c, const struct day *d) {
  const struct day_cell *at = c->first;
  while (at && at->day != d) at = at->next;
  return at != NULL;
}

/* The first day from here on that the calendar includes; NULL: there is none. */
static struct day *day_within(struct day *d, const struct calendar *c) {
  while (d && c && !calendar_includes(c, d)) d = d->later;
  return d;
}

/* ------------------------------------------------------------------------- jobs */

struct listener { int id; };
struct listener_cell { struct listener *listener; struct listener_cell *next; };
struct job { struct name *name, *group; struct listener_cell *listeners; };

static struct listener_cell *listener_cell_new(struct listener *l, struct listener_cell *next) {
  struct listener_cell *c = malloc(sizeof *c);
  c->listener = l;
  c->next = next;
  return c;
}

#ifdef BUG_CLONE
static bool listener_set_has(const struct listener_cell *set, const struct listener *l) {
  while (set && set->listener != l) set = set->next;
  return set != NULL;
}

static struct listener_cell *listeners_clone(const struct listener_cell *from) {
  struct listener_cell *set = NULL;
  for (; from; from = from->next)
    if (!listener_set_has(set, from->listener)) set = listener_cell_new(from->listener, set);
  return set;
}
#else
static struct listener_cell *listeners_clone(const struct listener_cell *from) {
  struct listener_cell *first = NULL, *last = NULL;
  for (; from; from = from->next) {
    struct listener_cell *c = listener_cell_new(from->listener, NULL);
    if (last) last->next = c;
    else first = c;
    last = c;
  }
  return first;
}
#endif

static struct job *job_clone(const struct job *j) {
  struct job *c = malloc(sizeof *c);
  c->name = j->name;
  c->group = j->group;
  c->listeners = listeners_clone(j->listeners);
  return c;
}

static bool job_is(const struct job *j, const struct name *name, const struct name *group) { return j->name == name && j->group == group; }

/* --------------------------------------------------------------------- triggers */

struct trigger;
struct trigger_ops {
  struct day *(*first)(struct trigger *, const struct calendar *);             /* when it fires first */
  void (*new_calendar)(struct trigger *, const struct calendar *);             /* its calendar has changed */
};
struct trigger { struct name *name, *group, *calendar; struct job *job; struct day *start, *next; const struct trigger_ops *ops; };

static struct day *simple_first(struct trigger *t, const struct calendar *c) {
  t->next = day_within(t->start, c);
  return t->next;
}

static void simple_new_calendar(struct trigger *t, const struct calendar *c) {
#ifdef BUG_CALENDAR
  t->next = t->next ? t->next->later : NULL;
#else
  t->next = day_within(t->next, c);
#endif
}

/* Fires every other day. */
static struct day *cron_day(struct day *d, const struct calendar *c) {
  while (d && c && !calendar_includes(c, d)) d = d->later ? d->later->later : NULL;
  return d;
}

static struct day *cron_first(struct trigger *t, const struct calendar *c) {
  t->next = cron_day(t->start, c);
  return t->next;
}

static void cron_new_calendar(struct trigger *t, const struct calendar *c) {
#if defined BUG_CALENDAR || defined BUG_CRON
  t->next = t->start ? t->start->later : NULL;
#else
  t->next = cron_day(t->start, c);
#endif
}

struct trigger_ops simple_ops = {simple_first, simple_new_calendar};
struct trigger_ops cron_ops = {cron_first, cron_new_calendar};

void trigger_make_simple(struct trigger *t) { t->ops = &simple_ops; }
void trigger_make_cron(struct trigger *t) { t->ops = &cron_ops; }

/* ------------------------------------------------------------------------ store */

enum state { WAITING, PAUSED };

struct job_record { struct job *job; };
struct job_entry { struct name *name, *group; struct job_record *record; struct job_entry *next; };
struct job_map { struct job_entry *first; };
struct job_group { struct name *name; struct job_map *jobs; struct job_group *next; };

struct trigger_record { struct trigger *trigger; int state; };
struct trigger_entry { struct name *name, *group; struct trigger_record *record; struct trigger_entry *next; };
struct trigger_map { struct trigger_entry *first; };
struct trigger_group { struct name *name; struct trigger_map *triggers; struct trigger_group *next; };
struct trigger_cell { struct trigger_record *record; struct trigger_cell *next; };

struct calendar_entry { struct name *key; struct calendar *calendar; struct calendar_entry *next; };

struct store {
  struct job_map *jobs;                                /* by name and group */
  struct job_group *job_groups;
  struct trigger_map *triggers;                        /* by name and group */
  struct trigger_group *trigger_groups;
  struct calendar_entry *calendars;
  struct trigger_cell *all;                            /* all triggers, in the order in which they came */
};

/*@ fun entries[m : set struct job_map] : set struct job_entry { m.first.*next - null }
    fun entries_of[m : set struct trigger_map] : set struct trigger_entry { m.first.*next - null }
    fun job_groups_of[s : struct store] : set struct job_group { s.job_groups.*next - null }
    fun trigger_groups_of[s : struct store] : set struct trigger_group { s.trigger_groups.*next - null }
    fun trigger_cells[s : struct store] : set struct trigger_cell { s.all.*next - null }
    fun calendar_entries[s : struct store] : set struct calendar_entry { s.calendars.*next - null }
    fun triggers_of[s : struct store] : set struct trigger { trigger_cells[s].record.trigger }
    fun calendar_of[s : struct store, n : struct name] : set struct calendar { (calendar_entries[s] & key.n).calendar }

    pred is_job_map[m : struct job_map] {
      one m - null
      no e : entries[m] | e in e.^next
      null !in entries[m].record and null !in entries[m].record.job
      all d, e : entries[m] | (d.name = e.name and d.group = e.group) => d = e
      all e : entries[m] | e.record.job.name = e.name and e.record.job.group = e.group
    }
    pred are_jobs[s : struct store] {
      is_job_map[s.jobs]
      no g : job_groups_of[s] | g in g.^next
      all g, h : job_groups_of[s] | g = h or (g.name != h.name and g.jobs != h.jobs and no (entries[g.jobs] & entries[h.jobs]))
      all g : job_groups_of[s] | is_job_map[g.jobs] and g.jobs != s.jobs and no (entries[g.jobs] & entries[s.jobs])
      all g : job_groups_of[s], e : entries[g.jobs] | e.group = g.name
      entries[s.jobs].record = entries[job_groups_of[s].jobs].record
    }
    pred is_trigger_map[m : struct trigger_map] {
      one m - null
      no e : entries_of[m] | e in e.^next
      null !in entries_of[m].record and null !in entries_of[m].record.trigger
      all d, e : entries_of[m] | (d.name = e.name and d.group = e.group) => d = e
      all e : entries_of[m] | e.record.trigger.name = e.name and e.record.trigger.group = e.group
    }
    pred is_trigger[t : struct trigger] { t.ops = simple_ops or t.ops = cron_ops }
    pred are_trigger_cells[s : struct store] {
      no c : trigger_cells[s] | c in c.^next
      null !in trigger_cells[s].record and null !in trigger_cells[s].record.trigger
      all c, d : trigger_cells[s] | c.record.trigger = d.record.trigger => c = d
      all t : triggers_of[s] | is_trigger[t]
    }
    pred are_triggers[s : struct store] {
      are_trigger_cells[s] and is_trigger_map[s.triggers]
      no g : trigger_groups_of[s] | g in g.^next
      all g, h : trigger_groups_of[s] | g = h or (g.name != h.name and g.triggers != h.triggers and no (entries_of[g.triggers] & entries_of[h.triggers]))
      all g : trigger_groups_of[s] | is_trigger_map[g.triggers] and g.triggers != s.triggers and no (entries_of[g.triggers] & entries_of[s.triggers])
      all g : trigger_groups_of[s], e : entries_of[g.triggers] | e.group = g.name
      entries_of[s.triggers].record = entries_of[trigger_groups_of[s].triggers].record
      entries_of[s.triggers].record = trigger_cells[s].record
    }
    pred are_calendars[s : struct store] {
      no e : calendar_entries[s] | e in e.^next
      all d, e : calendar_entries[s] | d.key = e.key => d = e
      all e : calendar_entries[s] | e.calendar != null and is_calendar[e.calendar]
    }
    pred are_days[] { no d : struct day & \alloc | d in d.^later }
    // The operations of the two kinds are what they are initialised with.
    pred are_kinds[] {
      simple_ops.first = simple_first and simple_ops.new_calendar = simple_new_calendar
      cron_ops.first = cron_first and cron_ops.new_calendar = cron_new_calendar
    } */

/* ------------------------------------------------------------------ sets of names */

struct name_cell { struct name *name; struct name_cell *next; };
struct name_set { struct name_cell *first; };

static struct name_set *name_set_new(void) {
  struct name_set *s = malloc(sizeof *s);
  s->first = NULL;
  return s;
}

static void name_set_add(struct name_set *s, struct name *n) {
  struct name_cell *c = s->first;
  while (c && c->name != n) c = c->next;
  if (c) return;
  c = malloc(sizeof *c);
  c->name = n;
  c->next = s->first;
  s->first = c;
}

/* ------------------------------------------------------------------ jobs by name */

static struct job_entry *job_map_find(const struct job_map *m, const struct name *name, const struct name *group) {
  struct job_entry *e = m->first;
  while (e && !(e->name == name && e->group == group)) e = e->next;
  return e;
}

static void job_map_put(struct job_map *m, struct job *j, struct job_record *r) {
  struct job_entry *e = job_map_find(m, j->name, j->group);
  if (!e) {
    e = malloc(sizeof *e);
    e->name = j->name;
    e->group = j->group;
    e->next = m->first;
    m->first = e;
  }
  e->record = r;
}

static struct job_group *job_group_find(const struct store *s, const struct name *g) {
  struct job_group *at = s->job_groups;
  while (at && at->name != g) at = at->next;
  return at;
}

static struct job_map *job_group_make(struct store *s, struct name *g) {
  struct job_group *at = job_group_find(s, g);
  if (at) return at->jobs;
  at = malloc(sizeof *at);
  at->name = g;
  at->jobs = malloc(sizeof *at->jobs);
  at->jobs->first = NULL;
  at->next = s->job_groups;
  s->job_groups = at;
  return at->jobs;
}

static struct job_record *job_record_find(const struct store *s, const struct name *name, const struct name *group) {
  const struct job_entry *e = job_map_find(s->jobs, name, group);
  return e ? e->record : NULL;
}

//@ requires s != null and are_jobs[s]
struct name_set *job_names(const struct store *s, const struct name *group) {
  struct name_set *names = name_set_new();
  const struct job_group *g = job_group_find(s, group);
  if (g)
    for (const struct job_entry *e = g->jobs->first; e; e = e->next) name_set_add(names, e->record->job->name);
  return names;
}

//@ requires s != null and are_jobs[s] and j != null
//@ requires no c : j.listeners.*next - null | c in c.^next
bool store_job(struct store *s, const struct job *j, bool replace) {
  struct job_record *r = job_record_find(s, j->name, j->group);
  if (r && !replace) return false;
  if (r) {
    r->job = job_clone(j);
    return true;
  }
  r = malloc(sizeof *r);
  r->job = job_clone(j);
  job_map_put(s->jobs, r->job, r);
  job_map_put(job_group_make(s, j->group), r->job, r);
  return true;
}

//@ requires s != null and are_jobs[s]
struct job *retrieve_job(const struct store *s, const struct name *name, const struct name *group) {
  const struct job_record *r = job_record_find(s, name, group);
  return r ? r->job : NULL;
}

//@ requires s != null and are_jobs[s]
struct name_set *job_group_names(const struct store *s) {
  struct name_set *names = name_set_new();
  for (const struct job_group *g = s->job_groups; g; g = g->next)
    if (g->jobs->first) name_set_add(names, g->name);
  return names;
}

/* -------------------------------------------------------------- triggers by name */

static struct trigger_entry *trigger_map_find(const struct trigger_map *m, const struct name *name, const struct name *group) {
  struct trigger_entry *e = m->first;
  while (e && !(e->name == name && e->group == group)) e = e->next;
  return e;
}

static void trigger_map_put(struct trigger_map *m, struct trigger_record *r) {
  struct trigger_entry *e = trigger_map_find(m, r->trigger->name, r->trigger->group);
  if (!e) {
    e = malloc(sizeof *e);
    e->name = r->trigger->name;
    e->group = r->trigger->group;
    e->next = m->first;
    m->first = e;
  }
  e->record = r;
}

static struct trigger_group *trigger_group_find(const struct store *s, const struct name *g) {
  struct trigger_group *at = s->trigger_groups;
  while (at && at->name != g) at = at->next;
  return at;
}

static struct trigger_map *trigger_group_make(struct store *s, struct name *g) {
  struct trigger_group *at = trigger_group_find(s, g);
  if (at) return at->triggers;
  at = malloc(sizeof *at);
  at->name = g;
  at->triggers = malloc(sizeof *at->triggers);
  at->triggers->first = NULL;
  at->next = s->trigger_groups;
  s->trigger_groups = at;
  return at->triggers;
}

static struct trigger_record *trigger_record_find(const struct store *s, const struct name *name, const struct name *group) {
  const struct trigger_entry *e = trigger_map_find(s->triggers, name, group);
  return e ? e->record : NULL;
}

//@ requires s != null and are_triggers[s]
struct name_set *trigger_names(const struct store *s, const struct name *group) {
  struct name_set *names = name_set_new();
  const struct trigger_group *g = trigger_group_find(s, group);
  if (g)
    for (const struct trigger_entry *e = g->triggers->first; e; e = e->next) name_set_add(names, e->record->trigger->name);
  return names;
}

struct trigger_list { struct trigger_node *first; };
struct trigger_node { struct trigger *trigger; struct trigger_node *next; };

static void trigger_list_add(struct trigger_list *l, struct trigger *t) {
  struct trigger_node *n = malloc(sizeof *n);
  n->trigger = t;
  n->next = l->first;
  l->first = n;
}

static struct trigger_list *trigger_list_new(void) {
  struct trigger_list *l = malloc(sizeof *l);
  l->first = NULL;
  return l;
}

//@ requires s != null and are_trigger_cells[s]
struct trigger_list *triggers_of_job(const struct store *s, const struct job *j) {
  struct trigger_list *found = trigger_list_new();
  for (const struct trigger_cell *c = s->all; c; c = c->next)
    if (c->record->trigger->job == j) trigger_list_add(found, c->record->trigger);
  return found;
}

static struct trigger_list *triggers_of_job_named(const struct store *s, const struct name *name, const struct name *group) {
  struct trigger_list *found = trigger_list_new();
  for (const struct trigger_cell *c = s->all; c; c = c->next)
    if (c->record->trigger->job && job_is(c->record->trigger->job, name, group)) trigger_list_add(found, c->record->trigger);
  return found;
}

//@ requires s != null and are_triggers[s]
void resume_trigger(struct store *s, const struct name *name, const struct name *group) {
  struct trigger_record *r = trigger_record_find(s, name, group);
  if (r && r->state == PAUSED) r->state = WAITING;
}

//@ requires s != null and are_triggers[s]
void resume_job(struct store *s, const struct name *name, const struct name *group) {
  const struct trigger_list *l = triggers_of_job_named(s, name, group);
  for (const struct trigger_node *n = l->first; n; n = n->next) resume_trigger(s, n->trigger->name, n->trigger->group);
}

//@ requires s != null and are_jobs[s] and are_triggers[s]
void resume_job_group(struct store *s, const struct name *group) {
  const struct job_group *g = job_group_find(s, group);
  if (g)
    for (const struct job_entry *e = g->jobs->first; e; e = e->next) resume_job(s, e->name, e->group);
}

static void store_trigger(struct store *s, struct trigger *t) {
  struct trigger_record *r = trigger_record_find(s, t->name, t->group);
  if (r) {
    r->trigger = t;
    return;
  }
  r = malloc(sizeof *r);
  r->trigger = t;
  r->state = WAITING;
  trigger_map_put(s->triggers, r);
  trigger_map_put(trigger_group_make(s, t->group), r);
  struct trigger_cell *c = malloc(sizeof *c);
  c->record = r;
  c->next = s->all;
  s->all = c;
}

/* -------------------------------------------------------------- calendars by name */

static struct calendar_entry *calendar_find(const struct store *s, const struct name *key) {
  struct calendar_entry *e = s->calendars;
  while (e && e->key != key) e = e->next;
  return e;
}

static void calendar_put(struct store *s, struct name *key, struct calendar *c) {
  struct calendar_entry *e = calendar_find(s, key);
  if (!e) {
    e = malloc(sizeof *e);
    e->key = key;
    e->next = s->calendars;
    s->calendars = e;
  }
  e->calendar = c;
}

static bool calendar_is_used(const struct store *s, const struct name *key) {
  const struct trigger_cell *c = s->all;
  while (c && c->record->trigger->calendar != key) c = c->next;
  return c != NULL;
}

//@ requires s != null and are_trigger_cells[s] and are_calendars[s]
bool remove_calendar(struct store *s, const struct name *key) {
  if (calendar_is_used(s, key)) return false;
  struct calendar_entry *before = NULL, *e = s->calendars;
  while (e && e->key != key) {
    before = e;
    e = e->next;
  }
  if (!e) return false;
  if (before) before->next = e->next;
  else s->calendars = e->next;
  return true;
}

//@ requires s != null and are_trigger_cells[s] and are_calendars[s] and are_days[] and are_kinds[]
//@ requires c != null and is_calendar[c]
void store_calendar(struct store *s, struct name *key, struct calendar *c, bool update) {
  calendar_put(s, key, c);
  if (!update) return;
  for (struct trigger_cell *at = s->all; at; at = at->next) {
    struct trigger *t = at->record->trigger;
    if (t->calendar == key) t->ops->new_calendar(t, c);
  }
}

/* -------------------------------------------------------------------- scheduling */

struct scheduler { struct store *store; };

/* The day on which it fires first; NULL: it never does, or its calendar is not known, and nothing is stored. */
//@ requires q != null and q.store != null and are_jobs[q.store] and are_triggers[q.store] and are_calendars[q.store]
//@ requires j != null and (no c : j.listeners.*next - null | c in c.^next)
//@ requires t != null and is_trigger[t] and t !in triggers_of[q.store] and are_days[] and are_kinds[]
struct day *schedule_job(struct scheduler *q, const struct job *j, struct trigger *t) {
  const struct calendar *c = NULL;
  if (t->calendar) {
    const struct calendar_entry *e = calendar_find(q->store, t->calendar);
    if (!e) return NULL;
    c = e->calendar;
  }
  struct day *first = t->ops->first(t, c);
  if (!first) return NULL;
  if (!store_job(q->store, j, false)) return NULL;
  t->job = retrieve_job(q->store, j->name, j->group);
  store_trigger(q->store, t);
  return first;
}
