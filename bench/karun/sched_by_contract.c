/* SCHED over containers by contract: maps and sets of lib/spec, which have no code, as the source has them (Taghdiri 2008, sec. 7.2). The same
 * functions and properties as in sched.c, where the containers are linked cells; a full name is one interned object.
 *
 * BUG_CLONE    cloning a job puts its listeners into a set first, which forgets their order
 * BUG_CALENDAR a trigger goes on to its next day without asking the new calendar */
#include "tp_list.h"
#include "tp_map.h"

#include <stddef.h>
#include <stdlib.h>

struct name { int id; };
struct key { struct name *name, *group; };
struct day { struct day *later; };                     /* NULL: the last one */
struct calendar { struct tp_set *days; };
struct job { struct key *key; struct tp_list *listeners; };  /* any objects, in their order */
struct trigger { struct key *id; struct name *calendar; struct job *job; struct day *start, *next; };

enum { WAITING, PAUSED };
struct job_record { struct job *detail; };
struct trigger_record { struct trigger *trigger; int state; };

struct store {
  struct tp_map *jobs, *job_groups;                    /* key to record; name of a group to such a map */
  struct tp_map *triggers, *trigger_groups;
  struct tp_map *calendars;                            /* name to calendar */
};

/*@ fun jobs_of[s : struct store] : struct key -> lone struct job_record { s.jobs.entries }
    fun job_groups_of[s : struct store] : struct name -> lone struct tp_map { s.job_groups.entries }
    fun triggers_of[s : struct store] : struct key -> lone struct trigger_record { s.triggers.entries }
    fun trigger_groups_of[s : struct store] : struct name -> lone struct tp_map { s.trigger_groups.entries }
    fun days_of[c : set struct calendar] : set struct day { c.days.contains }

    pred is_record_map[m : set struct tp_map, groups : set struct tp_map] {
      one m - null and one groups - null and m != groups
      groups.entries in (struct name - null) -> (struct tp_map - null)
      m + groups !in univ.(groups.entries)
      all g, h : groups.entries.univ | groups.entries[g] = groups.entries[h] => g = h
      null !in m.entries.univ.name and m.entries.univ.group in groups.entries.univ
      all g : groups.entries.univ | groups.entries[g].entries = struct key::group.g <: m.entries
    }
    pred are_jobs[s : struct store] {
      s.jobs.entries in (struct key - null) -> (struct job_record - null)
      is_record_map[s.jobs, s.job_groups]
      all k : s.jobs.entries.univ | some s.jobs.entries[k].detail - null and s.jobs.entries[k].detail.key = k
    }
    pred are_triggers[s : struct store] {
      s.triggers.entries in (struct key - null) -> (struct trigger_record - null)
      is_record_map[s.triggers, s.trigger_groups]
      all k : s.triggers.entries.univ | some s.triggers.entries[k].trigger - null and s.triggers.entries[k].trigger.id = k
    }
    pred are_apart[s : struct store] {
      no (s.jobs + s.job_groups + univ.(s.job_groups.entries)) & (s.triggers + s.trigger_groups + univ.(s.trigger_groups.entries) + s.calendars)
      s.calendars !in s.triggers + s.trigger_groups + univ.(s.trigger_groups.entries)
    }
    pred are_calendars[s : struct store] {
      one s.calendars - null and s.calendars.entries in (struct name - null) -> (struct calendar - null)
      all c : univ.(s.calendars.entries) | is_calendar[c]
    }
    pred is_calendar[c : set struct calendar] { one c - null and one c.days - null and c.days.contains in struct day - null }
    pred are_days[] { no d : struct day & \alloc | d in d.^later } */

/* One member of the set, which is in it no more; NULL: it is empty. */
static void *take(struct tp_set *s) {
  void *x = tp_set_any(s);
  if (x) tp_set_remove(s, x);
  return x;
}

/* ------------------------------------------------------------------------- jobs */

//@ requires s != null and are_jobs[s]
//@ ensures \result != null => \result.contains' = univ.(job_groups_of[s][group].entries).detail.key.name
struct tp_set *job_names(const struct store *s, const struct name *group) {
  struct tp_set *names = tp_set_new();
  const struct tp_map *g = tp_map_get(s->job_groups, group);
  if (!names || !g) return names;
  struct tp_set *left = tp_map_values(g);
  if (!left) return NULL;
  for (struct job_record *r = take(left); r; r = take(left)) tp_set_add(names, r->detail->key->name);
  return names;
}

//@ requires s != null and are_jobs[s]
//@ ensures \result != null => \result.contains' = {g : struct name | some job_groups_of[s][g].entries}
struct tp_set *job_group_names(const struct store *s) {
  struct tp_set *names = tp_set_new(), *left = tp_map_keys(s->job_groups);
  if (!names || !left) return NULL;
  for (struct name *g = take(left); g; g = take(left))
    if (tp_map_size(tp_map_get(s->job_groups, g)) > 0) tp_set_add(names, g);
  return names;
}

//@ requires s != null and are_jobs[s]
//@ ensures some jobs_of[s][k] => \result = jobs_of[s][k].detail
//@ ensures no jobs_of[s][k] => \result = null
struct job *retrieve_job(const struct store *s, const struct key *k) {
  const struct job_record *r = tp_map_get(s->jobs, k);
  return r ? r->detail : NULL;
}

static struct job *job_clone(const struct job *j) {
  struct job *c = malloc(sizeof *c);
  c->key = j->key;
  c->listeners = tp_list_new();
  if (!c->listeners) return NULL;
#ifdef BUG_CLONE
  struct tp_set *set = tp_list_members(j->listeners);
  if (!set) return NULL;
  for (void *l = take(set); l; l = take(set)) tp_list_append(c->listeners, l);
#else
  tp_list_append_all(c->listeners, j->listeners);
#endif
  return c;
}

static struct tp_map *group_of(struct tp_map *groups, struct name *g) {
  struct tp_map *m = tp_map_get(groups, g);
  if (m) return m;
  m = tp_map_new();
  if (m) tp_map_put(groups, g, m);
  return m;
}

/* false: there is one, or there is no memory. */
//@ requires s != null and are_jobs[s] and j != null and j.key != null and j.key.group != null
//@ requires j.listeners != null
//@ ensures \result => jobs_of[s]'[j.key].detail'.key' = j.key and jobs_of[s]'[j.key].detail'.listeners'.items' = j.listeners.items
//@ ensures replace or no jobs_of[s][j.key] or not \result
bool store_job(struct store *s, const struct job *j, bool replace) {
  struct job_record *r = tp_map_get(s->jobs, j->key);
  if (r && !replace) return false;
  struct job *c = job_clone(j);
  if (!c) return false;
  if (r) {
    r->detail = c;
    return true;
  }
  r = malloc(sizeof *r);
  r->detail = c;
  struct tp_map *g = group_of(s->job_groups, j->key->group);
  if (!g) return false;
  tp_map_put(s->jobs, j->key, r);
  tp_map_put(g, j->key, r);
  return true;
}

/* --------------------------------------------------------------------- triggers */

//@ requires s != null and are_triggers[s]
//@ ensures \result != null => \result.contains' = univ.(trigger_groups_of[s][group].entries).trigger.id.name
struct tp_set *trigger_names(const struct store *s, const struct name *group) {
  struct tp_set *names = tp_set_new();
  const struct tp_map *g = tp_map_get(s->trigger_groups, group);
  if (!names || !g) return names;
  struct tp_set *left = tp_map_values(g);
  if (!left) return NULL;
  for (struct trigger_record *r = take(left); r; r = take(left)) tp_set_add(names, r->trigger->id->name);
  return names;
}

//@ requires s != null and are_triggers[s]
//@ ensures \result != null => \result.contains' = {t : univ.(triggers_of[s]).trigger | t.job = j}
struct tp_set *triggers_of_job(const struct store *s, const struct job *j) {
  struct tp_set *found = tp_set_new(), *left = tp_map_values(s->triggers);
  if (!found || !left) return NULL;
  for (struct trigger_record *r = take(left); r; r = take(left))
    if (r->trigger->job == j) tp_set_add(found, r->trigger);
  return found;
}

/* false: there is no memory. */
//@ requires s != null and are_triggers[s]
//@ ensures all r : univ.(triggers_of[s]) | some (r.trigger.job - null) & struct job::key.k or r.state' = r.state
bool resume_job(struct store *s, const struct key *k) {
  struct tp_set *left = tp_map_values(s->triggers);
  if (!left) return false;
  for (struct trigger_record *r = take(left); r; r = take(left))
    if (r->trigger->job && r->trigger->job->key == k) r->state = WAITING;
  return true;
}

/* false: there is no memory. */
//@ requires s != null and are_triggers[s] and are_jobs[s] and are_apart[s]
//@ ensures all r : univ.(triggers_of[s]) | r.trigger.job.key.group = group or r.state' = r.state
bool resume_job_group(struct store *s, const struct name *group) {
  const struct tp_map *g = tp_map_get(s->job_groups, group);
  if (!g) return true;
  struct tp_set *left = tp_map_keys(g);
  if (!left) return false;
  for (struct key *k = take(left); k; k = take(left))
    if (!resume_job(s, k)) return false;
  return true;
}

/* -------------------------------------------------------------------- calendars */

/* The first day from here on that the calendar includes; NULL: there is none. */
static struct day *day_within(struct day *d, const struct calendar *c) {
  while (d && c && !tp_set_has(c->days, d)) d = d->later;
  return d;
}

static struct day *trigger_first(struct trigger *t, const struct calendar *c) {
  t->next = day_within(t->start, c);
  return t->next;
}

static void trigger_new_calendar(struct trigger *t, const struct calendar *c) {
#ifdef BUG_CALENDAR
  (void)c;
  t->next = t->next ? t->next->later : NULL;
#else
  t->next = day_within(t->next, c);
#endif
}

//@ requires s != null and are_triggers[s] and are_calendars[s] and are_apart[s]
//@ ensures \result => (no t : univ.(triggers_of[s]).trigger | t.calendar = name) and name !in s.calendars.entries'.univ
//@ ensures (no t : univ.(triggers_of[s]).trigger | t.calendar = name) and some s.calendars.entries[name] => \result or \alloc' = \alloc
bool remove_calendar(struct store *s, struct name *name) {
  struct tp_set *left = tp_map_values(s->triggers);
  if (!left) return false;
  for (struct trigger_record *r = take(left); r; r = take(left))
    if (r->trigger->calendar == name) return false;
  return tp_map_remove(s->calendars, name) != NULL;
}

//@ requires s != null and are_triggers[s] and are_calendars[s] and are_apart[s] and are_days[]
//@ requires name != null and is_calendar[c]
//@ ensures all t : univ.(triggers_of[s]).trigger | t.next' != t.next => t.next' in days_of[c] + null
void store_calendar(struct store *s, struct name *name, struct calendar *c, bool update) {
  tp_map_put(s->calendars, name, c);
  if (!update) return;
  struct tp_set *left = tp_map_values(s->triggers);
  if (!left) return;
  for (struct trigger_record *r = take(left); r; r = take(left))
    if (r->trigger->calendar == name) trigger_new_calendar(r->trigger, c);
}

/* The day on which it fires first; NULL: it never does, its calendar is not known, or it cannot be stored. */
//@ requires s != null and are_jobs[s] and are_triggers[s] and are_calendars[s] and are_apart[s] and are_days[]
//@ requires j != null and j.key != null and j.key.group != null and j.listeners != null
//@ requires t != null and t.id != null and t.id.group != null and t !in univ.(triggers_of[s]).trigger
//@ ensures \result = null or t.calendar = null or \result in days_of[s.calendars.entries[t.calendar]]
struct day *schedule_job(struct store *s, const struct job *j, struct trigger *t) {
  const struct calendar *c = NULL;
  if (t->calendar && !(c = tp_map_get(s->calendars, t->calendar))) return NULL;
  struct day *first = trigger_first(t, c);
  if (!first || !store_job(s, j, false)) return NULL;
  t->job = retrieve_job(s, j->key);
  struct trigger_record *r = malloc(sizeof *r);
  r->trigger = t;
  r->state = WAITING;
  struct tp_map *g = group_of(s->trigger_groups, t->id->group);
  if (!g) return NULL;
  tp_map_put(s->triggers, t->id, r);
  tp_map_put(g, t->id, r);
  return first;
}
