/* Problems of relational logic, solved by Kodkod: the same files and the same columns as bench/rel/solve.
 *
 *   java -cp KODKOD:SAT4J:. Kodkod [TURNS] [SOLVER] FILE.rel...
 *
 * SOLVER: sat4j, in the same process, or the name of a program that reads DIMACS. Times are CPU time of the thread that solves; of TURNS
 * turns the quickest counts, as there, so that the virtual machine is warm. */
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import kodkod.ast.Decls;
import kodkod.ast.Expression;
import kodkod.ast.Formula;
import kodkod.ast.IntConstant;
import kodkod.ast.IntExpression;
import kodkod.ast.Relation;
import kodkod.ast.Variable;
import kodkod.engine.Evaluator;
import kodkod.engine.Solution;
import kodkod.engine.Solver;
import kodkod.engine.config.Options;
import kodkod.engine.satlab.SATFactory;
import kodkod.instance.Bounds;
import kodkod.instance.Instance;
import kodkod.instance.TupleFactory;
import kodkod.instance.TupleSet;
import kodkod.instance.Universe;

public class Kodkod {
  // ----------------------------------------------------------------------- trees

  static class Node {
    String word;                 // null: a list
    final List<Node> kids = new ArrayList<>();
    String head() { return word == null && !kids.isEmpty() && kids.get(0).word != null ? kids.get(0).word : ""; }
    Node at(int i) { return kids.get(i); }
  }

  static List<Node> parse(String text) {
    final Node top = new Node();
    final List<Node> open = new ArrayList<>(List.of(top));
    for (String token : text.replaceAll("#[^\n]*", " ").replace("(", " ( ").replace(")", " ) ").trim().split("\\s+")) {
      final Node n = new Node();
      if (token.equals(")")) {
        open.remove(open.size() - 1);
        continue;
      }
      open.get(open.size() - 1).kids.add(n);
      if (token.equals("(")) open.add(n);
      else n.word = token;
    }
    return top.kids;
  }

  // ----------------------------------------------------------------------- logic

  final Options options = new Options();
  final List<String> atoms = new ArrayList<>();
  final Map<String, int[]> sets = new LinkedHashMap<>();
  final Map<String, Relation> relations = new LinkedHashMap<>();
  final Map<String, Variable> scope = new HashMap<>();
  int integersFrom = -1, width = 4;
  Universe universe;
  Bounds bounds;
  Formula facts = Formula.TRUE;

  TupleFactory tuples() { return universe.factory(); }

  Expression name(String word) {
    if (scope.containsKey(word)) return scope.get(word);
    if (relations.containsKey(word)) return relations.get(word);
    if (atoms.contains(word)) {
      final Relation r = Relation.unary(word);
      bounds.boundExactly(r, tuples().setOf(word));
      relations.put(word, r);
      return r;
    }
    switch (word) {
      case "univ": return Expression.UNIV;
      case "iden": return Expression.IDEN;
      case "ints": return Expression.INTS;
      case "none": return Expression.NONE;
      default: throw new IllegalArgumentException(word);
    }
  }

  Decls decls(Node list) {
    Decls all = null;
    for (Node d : list.kids) {
      final Expression in = expr(d.at(1));
      final Variable v = Variable.unary(d.at(0).word);
      all = all == null ? v.oneOf(in) : all.and(v.oneOf(in));
      scope.put(d.at(0).word, v);
    }
    return all;
  }

  Expression expr(Node n) {
    if (n.word != null) return name(n.word);
    final Map<String, Variable> outside = new HashMap<>(scope);
    Expression e;
    switch (n.head()) {
      case "~": return expr(n.at(1)).transpose();
      case "^": return expr(n.at(1)).closure();
      case "*": return expr(n.at(1)).reflexiveClosure();
      case "if": return formula(n.at(1)).thenElse(expr(n.at(2)), expr(n.at(3)));
      case "atom": return integer(n.at(1)).toExpression();
      case "<:": e = expr(n.at(2)); return wide(expr(n.at(1)), e.arity()).intersection(e);
      case ":>": e = expr(n.at(1)); return wideBefore(expr(n.at(2)), e.arity()).intersection(e);
      case "set": {
        final Decls d = decls(n.at(1));
        e = formula(n.at(2)).comprehension(d);
        scope.clear();
        scope.putAll(outside);
        return e;
      }
      default: break;
    }
    e = expr(n.at(1));
    for (int i = 2; i < n.kids.size(); i++) {
      final Expression b = expr(n.at(i));
      switch (n.head()) {
        case "+": e = e.union(b); break;
        case "&": e = e.intersection(b); break;
        case "-": e = e.difference(b); break;
        case ".": e = e.join(b); break;
        case "->": e = e.product(b); break;
        case "++": e = e.override(b); break;
        default: throw new IllegalArgumentException(n.head());
      }
    }
    return e;
  }

  static Expression wide(Expression s, int arity) {
    for (int i = 1; i < arity; i++) s = s.product(Expression.UNIV);
    return s;
  }
  static Expression wideBefore(Expression s, int arity) {
    for (int i = 1; i < arity; i++) s = Expression.UNIV.product(s);
    return s;
  }

  IntExpression integer(Node n) {
    if (n.word != null) return IntConstant.constant(Integer.parseInt(n.word));
    final Map<String, Variable> outside = new HashMap<>(scope);
    switch (n.head()) {
      case "size": return expr(n.at(1)).count();
      case "total": return expr(n.at(1)).sum();
      case "negative": return integer(n.at(1)).negate();
      case "if": return formula(n.at(1)).thenElse(integer(n.at(2)), integer(n.at(3)));
      case "sum": {
        final Decls d = decls(n.at(1));
        final IntExpression i = integer(n.at(2)).sum(d);
        scope.clear();
        scope.putAll(outside);
        return i;
      }
      default: break;
    }
    IntExpression all = integer(n.at(1));
    for (int i = 2; i < n.kids.size(); i++) {
      final IntExpression b = integer(n.at(i));
      switch (n.head()) {
        case "plus": all = all.plus(b); break;
        case "minus": all = all.minus(b); break;
        case "times": all = all.multiply(b); break;
        case "quotient": all = all.divide(b); break;
        case "remainder": all = all.modulo(b); break;
        default: throw new IllegalArgumentException(n.head());
      }
    }
    return all;
  }

  Formula quantified(Node n) {
    final Map<String, Variable> outside = new HashMap<>(scope);
    final Decls d = decls(n.at(1));
    final Formula body = formula(n.at(2)), all = n.head().equals("all") ? body.forAll(d) : body.forSome(d);
    scope.clear();
    scope.putAll(outside);
    return all;
  }

  Formula functional(Node n) {
    final Expression r = expr(n.at(1)), from = expr(n.at(2)), to = expr(n.at(3));
    if (r instanceof Relation) return n.head().equals("function") ? ((Relation) r).function(from, to) : ((Relation) r).partialFunction(from, to);
    final Variable x = Variable.unary("x");
    final Formula count = n.head().equals("function") ? x.join(r).one() : x.join(r).lone();
    return r.in(from.product(to)).and(count.forAll(x.oneOf(from)));
  }

  /* Kodkod's own predicate of total orders, which it breaks the symmetry of; its first and last elements are relations. */
  Formula order(Relation r, Relation set) {
    final Relation first = Relation.unary("first " + r.name()), last = Relation.unary("last " + r.name());
    bounds.bound(first, bounds.upperBound(set));
    bounds.bound(last, bounds.upperBound(set));
    return r.totalOrder(set, first, last);
  }

  Formula formula(Node n) {
    if (n.word != null) return n.word.equals("true") ? Formula.TRUE : Formula.FALSE;
    switch (n.head()) {
      case "not": return formula(n.at(1)).not();
      case "=>": return formula(n.at(1)).implies(formula(n.at(2)));
      case "<=>": return formula(n.at(1)).iff(formula(n.at(2)));
      case "in": return expr(n.at(1)).in(expr(n.at(2)));
      case "=": return expr(n.at(1)).eq(expr(n.at(2)));
      case "some": return expr(n.at(1)).some();
      case "no": return expr(n.at(1)).no();
      case "one": return expr(n.at(1)).one();
      case "lone": return expr(n.at(1)).lone();
      case "all": case "exists": return quantified(n);
      case "equal": return integer(n.at(1)).eq(integer(n.at(2)));
      case "<": return integer(n.at(1)).lt(integer(n.at(2)));
      case "<=": return integer(n.at(1)).lte(integer(n.at(2)));
      case "function": case "partial": return functional(n);
      case "order": return order((Relation) expr(n.at(1)), (Relation) expr(n.at(2)));
      default: break;
    }
    final List<Formula> all = new ArrayList<>();
    for (int i = 1; i < n.kids.size(); i++) all.add(formula(n.at(i)));
    return n.head().equals("and") ? Formula.and(all) : Formula.or(all);
  }

  // ----------------------------------------------------------------------- items

  void closeUniverse() {
    final List<Object> all = new ArrayList<>(atoms);
    options.setBitwidth(width);
    if (integersFrom >= 0)
      for (int i = -(1 << (width - 1)); i < 1 << (width - 1); i++) all.add(i);
    universe = new Universe(all);
    bounds = new Bounds(universe);
    if (integersFrom >= 0)
      for (int i = -(1 << (width - 1)); i < 1 << (width - 1); i++) bounds.boundExactly(i, tuples().setOf((Object) i));
    for (Map.Entry<String, int[]> s : sets.entrySet()) {
      final Relation r = Relation.unary(s.getKey());
      relations.put(s.getKey(), r);
      bounds.boundExactly(r, tuples().range(tuples().tuple(universe.atom(s.getValue()[0])), tuples().tuple(universe.atom(s.getValue()[1]))));
    }
  }

  TupleSet value(Node n) {
    final Expression e = expr(n);
    final Instance fixed = new Instance(universe);
    for (Relation r : bounds.relations())
      if (bounds.lowerBound(r).equals(bounds.upperBound(r))) fixed.add(r, bounds.lowerBound(r));
    if (integersFrom >= 0)
      for (int i = -(1 << (width - 1)); i < 1 << (width - 1); i++) fixed.add(i, tuples().setOf((Object) i));
    return new Evaluator(fixed, options).evaluate(e);
  }

  void item(Node n) {
    switch (n.head()) {
      case "atoms": {
        final int count = Integer.parseInt(n.at(2).word);
        sets.put(n.at(1).word, new int[] {atoms.size(), atoms.size() + count - 1});
        for (int i = 0; i < count; i++) atoms.add(n.at(1).word + i);
        return;
      }
      case "integers":
        width = Integer.parseInt(n.at(1).word);
        if (n.kids.size() == 3) integersFrom = 0;
        return;
      case "expect": return;
      default: break;
    }
    if (universe == null) closeUniverse();
    if (n.head().equals("fact")) {
      facts = facts.and(formula(n.at(1)));
      return;
    }
    final TupleSet upper = value(n.at(n.kids.size() - 1));
    final Relation r = Relation.nary(n.at(1).word, upper.arity());
    if (n.head().equals("exactly")) bounds.boundExactly(r, upper);
    else if (n.kids.size() == 4) bounds.bound(r, value(n.at(2)), upper);
    else bounds.bound(r, upper);
    relations.put(n.at(1).word, r);
  }

  // ------------------------------------------------------------------------- runs

  static SATFactory solver(String name) {
    return name.equals("sat4j") ? SATFactory.DefaultSAT4J : SATFactory.externalFactory(name, "", "-q");
  }

  /* Nanoseconds of this thread: neither compiler nor collector of garbage. */
  static long cpu() { return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime(); }

  static void measure(String path, int turns, String solver) throws IOException {
    final String text = Files.readString(Path.of(path));
    double best = Double.MAX_VALUE;
    String line = "";
    for (int i = 0; i < turns; i++) {
      final long start = cpu();
      final Kodkod k = new Kodkod();
      for (Node n : parse(text)) k.item(n);
      k.options.setSolver(solver(solver));
      final Solution s = new Solver(k.options).solve(k.facts, k.bounds);
      final double all = (cpu() - start) / 1e6;
      if (all >= best) continue;
      best = all;
      line = String.format("%s\t%s\t%d\t%d\t%d\t%.1f\t%.1f", Path.of(path).getFileName(), s.sat() ? "some" : "none", s.stats().primaryVariables(),
          s.stats().variables(), s.stats().clauses(), all, (double) s.stats().translationTime());
    }
    System.out.println(line);
  }

  public static void main(String[] args) throws IOException {
    for (int i = 2; i < args.length; i++) measure(args[i], Integer.parseInt(args[0]), args[1]);
  }
}
