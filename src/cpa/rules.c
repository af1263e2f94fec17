/* Which combinations are allowed. Refused: unsound ones (stop = join over a join that is not
 * exact), ones without effect (pred-join without a component to compare), and ones that merge all
 * locations. */
#include "cpa/composite.h"

/* A component that is merged by default represents more than a location or context. */
tp_component_traits tp_component_traits_of(const tp_cpa_ops *ops) {
  const bool joins = ops->has_join && ops->default_merge && strcmp(ops->default_merge, "join") == 0;
  return (tp_component_traits){
      .name = ops->name,
      .is_control = (ops->location || ops->context) && !joins,
      .has_location = ops->location != NULL,
      .has_join = ops->has_join,
      .is_powerset = ops->is_powerset,
      .widens = ops->has_join && ops->widen && ops->adjust,
      .can_interrupt = ops->can_interrupt,
      .drops_precision = ops->each_untracked != NULL,
      .accepts_precision = ops->transfer_precision != NULL,
      .merge_join = joins,
  };
}

tp_component_traits tp_composite_traits(const char *name, const tp_component_traits *parts,
                                        size_t n) {
  tp_component_traits t = {.name = name, .is_control = n > 0, .has_join = true};
  for (size_t i = 0; i < n; i++) {
    t.is_control &= parts[i].is_control;
    t.has_location |= parts[i].has_location;
    t.has_join &= parts[i].has_join;
    t.widens |= parts[i].widens;
    t.can_interrupt |= parts[i].can_interrupt;
  }
  return t;  // no powerset: the join of pairs is more than the union of their meanings
}

#define REFUSE(...) (tp_str_printf(why, __VA_ARGS__), false)

static bool parts_allowed(tp_composite_operators operators, const tp_component_traits *parts,
                          size_t n, tp_str *why) {
  for (size_t i = 0; i < n; i++) {
    const char *name = parts[i].name;
    if (parts[i].merge_join && !parts[i].has_join)
      return REFUSE("%s.merge = join: it has no join; use sep", name);
    if (parts[i].stop_join && !parts[i].is_powerset)
      return REFUSE(
          "%s.stop = join: its join means more than the union of what it joins, so states could be "
          "lost; use sep",
          name);
    if (parts[i].widens && operators.adjust == TP_ADJUST_NONE)
      return REFUSE(
          "adjust = none: %s widens there, and loops would not end without it; use componentwise",
          name);
  }
  return true;
}

static bool adjust_allowed(tp_composite_operators operators, const tp_component_traits *parts,
                           size_t n, tp_str *why) {
  bool drops_precision = false, accepts_precision = false;
  for (size_t i = 0; i < n; i++) {
    drops_precision |= parts[i].drops_precision;
    accepts_precision |= parts[i].accepts_precision;
  }
  if (operators.adjust != TP_ADJUST_PRECISION_TRANSFER || (drops_precision && accepts_precision))
    return true;
  return REFUSE("adjust = precision-transfer: %s; use componentwise",
                drops_precision
                    ? "no component takes over what another stops tracking (predicate would)"
                    : "no component stops tracking anything (value would)");
}

static bool merge_allowed(tp_composite_operators operators, const tp_component_traits *parts,
                          size_t n, bool has_location, tp_str *why) {
  static const char *const names[] = {"sep", "join-on-location", "pred-join", "join-shape", "join"};
  const tp_component_traits *last = NULL;
  size_t n_data = 0;
  bool joins = false;
  for (size_t i = 0; i < n; i++) {
    if (parts[i].is_control) continue;
    last = &parts[i];
    n_data++;
    joins |= parts[i].merge_join;
  }
  if (operators.merge == TP_MERGE_SEP) return true;
  const char *name = names[operators.merge];
  if (!has_location)
    return REFUSE(
        "merge = %s: there is no location, so all states of the program would become one; put "
        "location in front",
        name);
  bool needs_pair = operators.merge == TP_MERGE_PRED_JOIN || operators.merge == TP_MERGE_JOIN_SHAPE;
  if (needs_pair && n_data < 2)
    return REFUSE(
        "merge = %s: it needs two data components, one that is kept and one that is merged; use "
        "join-on-location",
        name);
  if (n_data == 0) return REFUSE("merge = %s: there is no data component to merge; use sep", name);
  if (needs_pair ? !last->merge_join : !joins) {
    tp_str_printf(why, "merge = %s: %s is merged by sep, so nothing would ever be merged; ", name,
                  last->name);
    if (last->has_join)
      tp_str_printf(why, "set %s.merge = join, or use merge = sep", last->name);
    else
      tp_str_printf(why, "%s has no join, so use merge = sep", last->name);
    return false;
  }
  return true;
}

static bool stop_allowed(tp_composite_operators operators, const tp_component_traits *parts,
                         size_t n, tp_str *why) {
  const tp_component_traits *last = NULL, *first = NULL;
  bool joined = false;
  size_t n_data = 0;
  for (size_t i = 0; i < n; i++) {
    joined |= parts[i].stop_join;
    if (parts[i].is_control) continue;
    last = &parts[i];
    n_data++;
    if (!first && !parts[i].is_powerset) first = &parts[i];
  }
  if (operators.stop == TP_STOP_PRED_JOIN) {
    if (n_data < 2)
      return REFUSE(
          "stop = pred-join: it needs two data components, one that is compared and one that is "
          "joined; use sep");
    if (!last->is_powerset)
      return REFUSE(
          "stop = pred-join: the join of %s means more than the union of what it joins, so states "
          "could be lost; use sep",
          last->name);
  }
  if (operators.stop == TP_STOP_JOIN && !joined) {
    if (first)
      return REFUSE(
          "stop = join: the join of %s means more than the union of what it joins, so states could "
          "be lost; "
          "use sep, or set NAME.stop = join for a component with an exact join",
          first->name);
    return REFUSE("stop = join: no component is joined; set NAME.stop = join for one, or use sep");
  }
  return true;
}

bool tp_composite_allowed(tp_composite_operators operators, const tp_component_traits *parts,
                          size_t n, bool has_location, tp_str *why) {
  for (size_t i = 0; i < n; i++) has_location |= parts[i].has_location;
  if (n == 0) return REFUSE("a composite needs at least one component");
  return parts_allowed(operators, parts, n, why) && adjust_allowed(operators, parts, n, why) &&
         merge_allowed(operators, parts, n, has_location, why) &&
         stop_allowed(operators, parts, n, why);
}
