# Markdown of the cells that `table` measured, and what they say of the relations of the thesis.
# Input: "T table", "K table column", "P table program", "Q table program thesis's figures ...", "C table program column answer cpu reached queries limit why",
# "S size k answer cpu reached" (growth of ex3). Every program is safe: an answer false is wrong. Where the abstraction excludes the error and no certificate
# says so yet (graphs), the relations take that for an answer.
function seconds(s) { return sprintf(s < 0.995 ? "%.2f" : s < 9.95 ? "%.1f" : "%.0f", s) }
function is_excluded(t, p, c) { return answer[t, p, c] == "none" && why[t, p, c] == "excluded" }
function is_answered(t, p, c) { return answer[t, p, c] == "true" || is_excluded(t, p, c) }
function cell(t, p, c) {
  if (!((t, p, c) in answer) || answer[t, p, c] == "missing") return "-"
  if (answer[t, p, c] == "false") return "**WRONG**"
  if (answer[t, p, c] == "true") return seconds(cpu[t, p, c]) " / " reached[t, p, c]
  if (is_excluded(t, p, c)) return seconds(cpu[t, p, c]) " / " reached[t, p, c] "°"
  return why[t, p, c] == "alarm" ? "FA / " reached[t, p, c] : "* (" limit[t, p, c] " s)"
}
function name(t) {
  if (t == "4.1a") return "Table 4.1(a): C1 on constructed programs"
  if (t == "4.1b") return "Table 4.1(b): C1 on handshakes"
  if (t == "4.2") return "Table 4.2: C2 on lists"
  if (t == "3.2a") return "Table 3.2(a): predicates with shapes"
  if (t == "3.2b") return "Table 3.2(b): predicates with a pointer analysis, merged (a) or kept apart (b)"
  return "Orders of work (C1, k = 1; drivers: A)"
}

# The relations are the thesis's, about seconds of CPU: they hold or do not by those. Reached states, which can be repeated, stand beside them. Seconds of one
# run each that are within a tenth or a twentieth of a second of each other are the same.
# -1, 0, 1: x takes less than y, as much, more. No answer takes longer than the limit it had: more than what has an answer within that, else nobody knows (2).
function against(t, p, x, y,   a, b) {
  if (!is_answered(t, p, x)) return is_answered(t, p, y) ? -against(t, p, y, x) : 2
  a = cpu[t, p, x]
  if (!is_answered(t, p, y)) return why[t, p, y] == "alarm" || limit[t, p, y] > a ? -1 : -2
  b = cpu[t, p, y]
  return a > b * 1.1 && a > b + 0.05 ? 1 : b > a * 1.1 && b > a + 0.05 ? -1 : 0
}
function is_faster(t, p, x, y) { return against(t, p, x, y) == -1 }
# How many times the seconds of x are those of y, or more where y's are a limit.
function times(t, p, x, y) { return sprintf("%.2g", cpu[t, p, x] / cpu[t, p, y]) }
function judged(holds, otherwise) { return holds ? "holds" : "does not hold: " otherwise }
function say(relation, what, verdict, facts) { print "| " relation " | " what " | " verdict " | " facts " |" }
function is_measured(t, p, n_columns,   i) {
  for (i = 1; i <= n_columns; i++) if (!((t, p, columns[t, i]) in answer)) return 0
  return 1
}
function facts(t, p,   i, s) {
  for (i = 1; i <= 4; i++) s = s (i > 1 ? ", " : "") columns[t, i] " " cell(t, p, columns[t, i])
  return s
}

function relation_ex1() {
  if (!is_measured("4.1a", "ex1", 4)) return
  say("R4.1", "ex1: mixed beats symbolic, explicit has no answer", judged(is_faster("4.1a", "ex1", "k1", "k0") && is_faster("4.1a", "ex1", "k5", "k0") && !is_answered("4.1a", "ex1", "kinf"), \
      is_answered("4.1a", "ex1", "kinf") ? "explicit answers" : "k = 1 and k = 5 take " times("4.1a", "ex1", "k1", "k0") " and " times("4.1a", "ex1", "k5", "k0") " of the seconds of k = 0"), facts("4.1a", "ex1"))
}
function relation_ex2(   n) {
  if (!is_measured("4.1a", "ex2", 4)) return
  n = is_faster("4.1a", "ex2", "k0", "kinf") + is_faster("4.1a", "ex2", "k1", "kinf") + is_faster("4.1a", "ex2", "k5", "kinf")
  say("R4.2", "ex2: explicit answers, and loses to all others", judged(is_answered("4.1a", "ex2", "kinf") && n == 3, "explicit loses to " n " of 3"), facts("4.1a", "ex2"))
}
# The exponent of the growth between the two largest sizes that have an answer.
function exponent(k, figure,   i, a, b) {
  for (i = 1; i <= n_sizes[k]; i++) if (grown[k, i, "answer"] == "true") { a = b; b = i }
  if (!a) return 0
  return log((figure == "reached" ? grown[k, b, figure] / grown[k, a, figure] : grown[k, b, figure] / grown[k, a, figure])) / log(grown[k, b, "size"] / grown[k, a, "size"])
}
# Doubling the size doubles what grows linearly, and squares what grows exponentially: the last factor is larger than the square of the one before.
function relation_ex3(   e, s, q, i, n, last, before) {
  if (!n_sizes["inf"] || !n_sizes["0"]) return
  e = exponent("inf", "reached"); s = exponent("0", "cpu"); q = exponent("inf", "cpu")
  for (i = 2; i <= n_sizes["0"]; i++) if (grown["0", i, "answer"] == "true") { before = last; last = grown["0", i, "cpu"] / grown["0", i - 1, "cpu"]; n = i }
  say("R4.3", "ex3_n: explicit grows about linearly, symbolic exponentially", judged(q < 1.5 && last > before * before, q < 1.5 ? "explicit does, symbolic grows as a polynomial" : "explicit grows by more"), \
      sprintf("time: explicit ~ n^%.1f, symbolic ~ n^%.1f, %.1f times as long for twice the size, %.1f times before; states: explicit ~ n^%.1f", q, s, last, before, e))
}
function relation_loops(   p, i, n_fast, names, out) {
  split("loop1 loop2", names, " ")
  for (i = 1; i <= 2; i++) {
    p = names[i]
    if (!is_measured("4.1a", p, 4)) return
    n_fast += is_faster("4.1a", p, "kinf", "k0") && is_faster("4.1a", p, "kinf", "k1") && is_faster("4.1a", p, "kinf", "k5")
    out = out (i > 1 ? "; " : "") p ": " facts("4.1a", p)
  }
  say("R4.4", "loop1, loop2: only explicit is fast (the others have predicates from a user)", judged(n_fast == 2, "on " n_fast + 0 " of 2"), out)
}
function relation_square() {
  if (!is_measured("4.1a", "square", 4)) return
  say("R4.5", "square: only explicit proves it", judged(is_answered("4.1a", "square", "kinf") && !is_answered("4.1a", "square", "k0") && !is_answered("4.1a", "square", "k1") && !is_answered("4.1a", "square", "k5"), "others prove it, or it does not"), facts("4.1a", "square"))
}
function count(t, p, x, y) { n_against[x, y, against(t, p, x, y)]++ }
function counts(x, y) { return sprintf("%s against %s: %d less, %d the same, %d more", x, y, n_against[x, y, -1], n_against[x, y, 0], n_against[x, y, 1]) }
function relation_handshakes(   i, p, n_all, n_inf, n_answered) {
  for (i = 1; i <= n_programs["4.1b"]; i++) {
    p = programs["4.1b", i]
    if (!is_measured("4.1b", p, 4)) continue
    n_all++
    count("4.1b", p, "k1", "k0"); count("4.1b", p, "k2", "k0"); count("4.1b", p, "k1", "k2")
    n_inf += is_answered("4.1b", p, "kinf")
    n_answered += is_answered("4.1b", p, "k0") + is_answered("4.1b", p, "k1") + is_answered("4.1b", p, "k2")
  }
  if (!n_all) return
  say("R4.6", "handshakes: k = 1 and k = 2 beat k = 0, k = 1 beats k = 2, explicit proves none", \
      judged(n_against["k1", "k0", -1] + n_against["k2", "k0", -1] + n_against["k1", "k2", -1] == 3 * n_all && !n_inf, "k = 1 beats k = 0 on " n_against["k1", "k0", -1] + 0 ", k = 2 beats k = 0 on " n_against["k2", "k0", -1] + 0 ", k = 1 beats k = 2 on " n_against["k1", "k2", -1] + 0 " of " n_all), \
      sprintf("%s; %s; %s; explicit proves %d; answered %d of %d cells of finite k", counts("k1", "k0"), counts("k2", "k0"), counts("k1", "k2"), n_inf, n_answered, 3 * n_all))
}
function relation_pointers(   i, p, n_all, n_small, n_open, out) {
  for (i = 1; i <= n_programs["3.2b"]; i++) {
    p = programs["3.2b", i]
    if (!is_measured("3.2b", p, 2)) continue
    n_all++
    n_small += is_faster("3.2b", p, "a", "b"); n_open += against("3.2b", p, "a", "b") == -2
    if (p ~ /^driver/) out = out (out == "" ? "" : "; ") p ": " cell("3.2b", p, "a") " against " cell("3.2b", p, "b")
  }
  if (n_all) say("R3.6", "with a pointer analysis joining wins, by far on drivers", judged(n_small == n_all, "A is faster on " n_small + 0 " of " n_all (n_open ? "; on " n_open " B had less time than A takes" : "")), sprintf("A faster on %d of %d; %s", n_small, n_all, out))
}

# Programs of a pattern in table 4.2: on how many the first column is faster than the second, and (n_fewer) reaches no more elements; n_found: of how many.
function faster(pattern, x, y,   i, p, n) {
  n_found = 0; n_fewer = 0
  for (i = 1; i <= n_programs["4.2"]; i++) {
    p = programs["4.2", i]
    if (p !~ pattern || !is_measured("4.2", p, 4)) continue
    n_found++
    n += is_faster("4.2", p, x, y)
    n_fewer += is_answered("4.2", p, x) && (!is_answered("4.2", p, y) || reached["4.2", p, x] <= reached["4.2", p, y])
  }
  return n + 0
}
function none_answered(pattern, x,   i, p, n) {
  for (i = 1; i <= n_programs["4.2"]; i++) { p = programs["4.2", i]; if (p ~ pattern && is_answered("4.2", p, x)) n++ }
  return !n
}
function beside(what, n) { return what " faster on " n ", no more elements on " n_fewer " of " n_found }
function relation_lists(   n) {
  if (!is_measured("4.2", "list_1", 4)) return
  n = faster("^list_[0-9]$", "k3", "k5")
  say("R4.7", "list_i: explicit diverges; larger k costs more", judged(none_answered("^list_[0-9]$", "kinf") && n == n_found, "k = 3 is faster than k = 5 on " n " of " n_found), \
      sprintf("%s; k = 0: %d to %d states, k = 5: %d to %d", beside("k = 3 against k = 5:", n), reached["4.2", "list_1", "k0"], reached["4.2", "list_4", "k0"], reached["4.2", "list_1", "k5"], reached["4.2", "list_4", "k5"]))
}
# Both columns are faster than the others; how often, as two counts with their elements.
function two_win(relation, what, pattern, x, x_than, y, y_than, tail,   n, m, all, out) {
  n = faster(pattern, x, x_than); out = beside(x " against " x_than ":", n)
  m = faster(pattern, y, y_than); out = out "; " beside(y " against " y_than ":", m)
  say(relation, what, judged(n == n_found && m == n_found && tail, x " is faster than " x_than " on " n ", " y " than " y_than " on " m " of " n_found), out)
}
function relation_bounded_lists() {
  if (is_measured("4.2", "list_bnd4_1", 4)) two_win("R4.8", "list_bnd4_i: explicit and k = 5 win", "^list_bnd4_[0-9]$", "k5", "k3", "kinf", "k0", 1)
}
function relation_flags() {
  if (is_measured("4.2", "list_flags_1", 4)) two_win("R4.9", "list_flags_i: k = 3 is the fastest, explicit diverges", "^list_flags", "k3", "k0", "k3", "k5", none_answered("^list_flags", "kinf"))
}
function relation_bounded_flags() {
  if (is_measured("4.2", "list_bnd4_f1", 4)) two_win("R4.10", "bounded lists with flags: k = 5 about as explicit, both far below shapes", "^list_bnd[0-9]_f", "k5", "k0", "kinf", "k0", 1)
}
# Table 3.2(a): which columns answer.
function answered_by(p,   c, s) {
  for (c = 1; c <= n_columns["3.2a"]; c++) if (is_answered("3.2a", p, columns["3.2a", c])) s = s columns["3.2a", c]
  return s == "" ? "none" : s
}
# The largest factor from one program to the next, of some columns.
function growth(p, q, list,   i, f, most, n, c) {
  n = split(list, c, " ")
  for (i = 1; i <= n; i++) { f = is_answered("3.2a", q, c[i]) ? cpu["3.2a", q, c[i]] / cpu["3.2a", p, c[i]] : 1000; if (f > most) most = f }
  return most
}
function relations_merging(   i, p, n, n_same, n_all, out, alarms, slow, quick, f, worst) {
  if (!is_measured("3.2a", "list_flag2", 6)) return
  for (i = 1; i <= n_programs["3.2a"]; i++) {
    p = programs["3.2a", i]
    if (p == "list_flag2") continue
    n += is_faster("3.2a", p, "b", "a"); n_same += against("3.2a", p, "b", "a") == 0; n_all++
    out = out (out == "" ? "" : "; ") p " " cell("3.2a", p, "a") " against " cell("3.2a", p, "b")
  }
  say("R3.1", "B faster than A on the eight programs that both prove", judged(n == n_all, "B is faster on " n + 0 " of " n_all ", as fast on " n_same + 0 ", slower on " n_all - n - n_same), out)
  say("R3.2", "only C proves list_flag2", judged(answered_by("list_flag2") == "c", answered_by("list_flag2") " do"), "answered by " answered_by("list_flag2"))
  alarms = answered_by("alternating") answered_by("list_flag") answered_by("list_flag2")
  say("R3.3", "E and F raise alarms on alternating, list_flag, list_flag2", judged(alarms !~ /[ef]/, "one of them proves one"), "alternating " answered_by("alternating") ", list_flag " answered_by("list_flag") ", list_flag2 " answered_by("list_flag2"))
  slow = growth("list_3", "list_4", "a e f"); quick = growth("list_3", "list_4", "b c d")
  say("R3.4", "A, E, F blow up from list_3 to list_4 (beyond 600 s), B, C, D do not", judged(slow > 4 && quick < 10, "A, E and F take at most " sprintf("%.1f", slow) " times as long, B, C and D " sprintf("%.1f", quick)), \
      sprintf("A %s to %s, B %s to %s", cell("3.2a", "list_3", "a"), cell("3.2a", "list_4", "a"), cell("3.2a", "list_3", "b"), cell("3.2a", "list_4", "b")))
  n = 0; n_all = 0; worst = 1
  for (i = 1; i <= n_programs["3.2a"]; i++) {
    p = programs["3.2a", i]
    if (!is_answered("3.2a", p, "b") && !is_answered("3.2a", p, "d")) continue
    n_all++
    f = cpu["3.2a", p, "d"] / cpu["3.2a", p, "b"]
    n += is_answered("3.2a", p, "b") && is_answered("3.2a", p, "d") && f > 0.7 && f < 1.3
    if ((f > 1 ? f : 1 / f) > (worst > 1 ? worst : 1 / worst)) worst = f
  }
  say("R3.5", "D costs as much as B, within 30 %", judged(n == n_all, "on " n " of " n_all), sprintf("D takes %.2f of the seconds of B where they differ most; list_2: %s against %s; list_3: %s against %s", worst, cell("3.2a", "list_2", "d"), cell("3.2a", "list_2", "b"), cell("3.2a", "list_3", "d"), cell("3.2a", "list_3", "b")))
}

$1 == "T" { order[++n_tables] = $2; next }
$1 == "K" { columns[$2, ++n_columns[$2]] = $3; next }
$1 == "P" { programs[$2, ++n_programs[$2]] = $3; next }
$1 == "Q" { n_printed[$2] = NF - 3; for (i = 4; i <= NF; i++) printed[$2, $3, i - 3] = $i; next }
$1 == "C" { answer[$2, $3, $4] = $5; cpu[$2, $3, $4] = $6; reached[$2, $3, $4] = $7; limit[$2, $3, $4] = $9; why[$2, $3, $4] = $10; n_wrong += $5 == "false"; next }
$1 == "S" { i = ++n_sizes[$3]; grown[$3, i, "size"] = $2; grown[$3, i, "answer"] = $4; grown[$3, i, "cpu"] = $5 > 0.005 ? $5 : 0.005; grown[$3, i, "reached"] = $6; next }
END {
  for (k = 1; k <= n_tables; k++) {
    t = order[k]
    print "### " name(t); print ""
    header = "| program |"; line = "|---|"
    for (c = 1; c <= n_columns[t]; c++) {
      header = header " " columns[t, c] " |"; line = line "---|"
      if (c <= n_printed[t]) { header = header " thesis |"; line = line "---|" }
    }
    print header; print line
    for (i = 1; i <= n_programs[t]; i++) {
      p = programs[t, i]; row = "| " p " |"
      for (c = 1; c <= n_columns[t]; c++) {
        row = row " " cell(t, p, columns[t, c]) " |"
        if (c <= n_printed[t]) row = row " " ((t, p, c) in printed ? printed[t, p, c] : ".") " |"
      }
      print row
    }
    print ""
  }
  print "CPU seconds / reached states; °: the abstraction excludes the error, a certificate does not say so yet; FA: the abstraction reaches an error; `*`: no answer in the time beside it; `-`: not measured."
  print ""
  print "| relation | what | here | figures |"; print "|---|---|---|---|"
  relation_ex1(); relation_ex2(); relation_ex3(); relation_loops(); relation_square(); relation_handshakes(); relation_pointers()
  relation_lists(); relation_bounded_lists(); relation_flags(); relation_bounded_flags(); relations_merging()
  if (n_wrong) print "\n**Wrong verdicts: " n_wrong + 0 "**"
  exit n_wrong > 0
}
