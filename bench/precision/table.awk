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

# Is x's cost below y's? No answer costs most; times within a tenth or a twentieth of a second of each other are told apart by reached states.
function below(t, p, x, y,   a, b) {
  if (!is_answered(t, p, x)) return 0
  if (!is_answered(t, p, y)) return 1
  a = cpu[t, p, x]; b = cpu[t, p, y]
  if (a > b * 1.1 && a > b + 0.05) return 0
  if (b > a * 1.1 && b > a + 0.05) return 1
  return reached[t, p, x] < reached[t, p, y]
}
# -1, 0, 1: x costs less than y, about as much (a fifth or a twentieth of a second), more.
function against(t, p, x, y,   a, b) {
  if (!is_answered(t, p, x)) return is_answered(t, p, y)
  if (!is_answered(t, p, y)) return -1
  a = cpu[t, p, x]; b = cpu[t, p, y]
  return a > b * 1.2 && a > b + 0.05 ? 1 : b > a * 1.2 && b > a + 0.05 ? -1 : 0
}
function say(relation, what, verdict, facts) { print "| " relation " | " what " | " verdict " | " facts " |" }
function is_measured(t, p, n_columns,   i) {
  for (i = 1; i <= n_columns; i++) if (!((t, p, columns[t, i]) in answer)) return 0
  return 1
}
function facts(t, p,   i, s) {
  for (i = 1; i <= 4; i++) s = s (i > 1 ? ", " : "") columns[t, i] " " cell(t, p, columns[t, i])
  return s
}

function relation_ex1(   best) {
  if (!is_measured("4.1a", "ex1", 4)) return
  best = against("4.1a", "ex1", "k1", "k0") < against("4.1a", "ex1", "k5", "k0") ? against("4.1a", "ex1", "k1", "k0") : against("4.1a", "ex1", "k5", "k0")
  say("R4.1", "ex1: mixed beats symbolic, explicit has no answer", is_answered("4.1a", "ex1", "kinf") ? "beaten: explicit answers" : \
      best < 0 ? "holds" : best == 0 ? "beaten: symbolic costs as little" : "worse", facts("4.1a", "ex1"))
}
function relation_ex2(   slow) {
  if (!is_measured("4.1a", "ex2", 4)) return
  slow = below("4.1a", "ex2", "k0", "kinf") && below("4.1a", "ex2", "k1", "kinf") && below("4.1a", "ex2", "k5", "kinf")
  say("R4.2", "ex2: explicit answers, and loses to all others", !is_answered("4.1a", "ex2", "kinf") ? "worse" : slow ? "holds" : "beaten: following the loop costs less than asking for predicates", facts("4.1a", "ex2"))
}
# The exponent of the growth between the two largest sizes that have an answer.
function exponent(k, figure,   i, a, b) {
  for (i = 1; i <= n_sizes[k]; i++) if (grown[k, i, "answer"] == "true") { a = b; b = i }
  if (!a) return 0
  return log((figure == "reached" ? grown[k, b, figure] / grown[k, a, figure] : grown[k, b, figure] / grown[k, a, figure])) / log(grown[k, b, "size"] / grown[k, a, "size"])
}
function relation_ex3(   e, s, q) {
  if (!n_sizes["inf"] || !n_sizes["0"]) return
  e = exponent("inf", "reached"); s = exponent("0", "cpu"); q = exponent("inf", "cpu")
  say("R4.3", "ex3_n: explicit grows about linearly, symbolic exponentially", e > 1.3 ? "worse" : s > 4 ? "holds" : s > q ? "holds for explicit; symbolic beaten: polynomial" : "worse",
      sprintf("explicit: states ~ n^%.1f, time ~ n^%.1f; symbolic: time ~ n^%.1f", e, q, s))
}
function relation_loops(   p, i, n_fast, names, out) {
  split("loop1 loop2", names, " ")
  for (i = 1; i <= 2; i++) {
    p = names[i]
    if (!is_measured("4.1a", p, 4)) return
    if (is_answered("4.1a", p, "kinf") && below("4.1a", p, "kinf", "k0") && below("4.1a", p, "kinf", "k1") && below("4.1a", p, "kinf", "k5")) n_fast++
    out = out (i > 1 ? "; " : "") p ": " facts("4.1a", p)
  }
  say("R4.4", "loop1, loop2: only explicit is fast (the others have predicates from a user)", n_fast == 2 ? "holds" : "worse", out)
}
function relation_square() {
  if (!is_measured("4.1a", "square", 4)) return
  say("R4.5", "square: only explicit proves it", !is_answered("4.1a", "square", "kinf") ? "worse" : is_answered("4.1a", "square", "k0") || is_answered("4.1a", "square", "k1") || is_answered("4.1a", "square", "k5") ? "beaten: predicates prove it, too" : "holds", facts("4.1a", "square"))
}
function count(t, p, x, y) { n_against[x, y, against(t, p, x, y)]++ }
function counts(x, y) { return sprintf("%s against %s: %d less, %d the same, %d more", x, y, n_against[x, y, -1], n_against[x, y, 0], n_against[x, y, 1]) }
function relation_handshakes(   i, p, n_all, n_inf, n_answered, n_more) {
  for (i = 1; i <= n_programs["4.1b"]; i++) {
    p = programs["4.1b", i]
    if (!is_measured("4.1b", p, 4)) continue
    n_all++
    count("4.1b", p, "k1", "k0"); count("4.1b", p, "k2", "k0"); count("4.1b", p, "k1", "k2")
    n_inf += is_answered("4.1b", p, "kinf")
    n_answered += is_answered("4.1b", p, "k0") + is_answered("4.1b", p, "k1") + is_answered("4.1b", p, "k2")
  }
  if (!n_all) return
  n_more = n_against["k1", "k0", 1] + n_against["k2", "k0", 1]
  say("R4.6", "handshakes: k = 1 and k = 2 beat k = 0, k = 1 beats k = 2, explicit proves none", n_against["k1", "k0", -1] + n_against["k2", "k0", -1] == 2 * n_all && !n_inf ? "holds" : \
      n_more ? "worse on " n_more : "beaten: k = 0 costs about as little as k = 1",
      sprintf("of %d: %s; %s; %s; explicit proves %d; answered %d of %d cells of finite k", n_all, counts("k1", "k0"), counts("k2", "k0"), counts("k1", "k2"), n_inf, n_answered, 3 * n_all))
}
function relation_pointers(   i, p, n_all, n_small, n_large, out) {
  for (i = 1; i <= n_programs["3.2b"]; i++) {
    p = programs["3.2b", i]
    if (!is_measured("3.2b", p, 2)) continue
    n_all++
    if (below("3.2b", p, "a", "b")) n_small++
    if (p ~ /^driver/) out = out (out == "" ? "" : "; ") p ": " cell("3.2b", p, "a") " against " cell("3.2b", p, "b")
  }
  if (n_all) say("R3.6", "with a pointer analysis joining wins, by far on drivers", n_small == n_all ? "holds" : "see the counts", sprintf("A cheaper on %d of %d; %s", n_small, n_all, out))
}

# Programs of a pattern in table 4.2: how often the first column takes no more elements than the second, of how many. By elements: which columns have a
# certificate, whose check is part of the time, says more of the checker than of the threshold.
function cheaper(pattern, x, y,   i, p, n, total) {
  for (i = 1; i <= n_programs["4.2"]; i++) {
    p = programs["4.2", i]
    if (p !~ pattern || !is_measured("4.2", p, 4)) continue
    total++
    n += is_answered("4.2", p, x) && (!is_answered("4.2", p, y) || reached["4.2", p, x] <= reached["4.2", p, y])
  }
  n_found = total
  return n + 0
}
function none_answered(pattern, x,   i, p, n) {
  for (i = 1; i <= n_programs["4.2"]; i++) { p = programs["4.2", i]; if (p ~ pattern && is_answered("4.2", p, x)) n++ }
  return !n
}
function relation_lists(   n) {
  if (!is_measured("4.2", "list_1", 4)) return
  n = cheaper("^list_[0-9]$", "k3", "k5")
  say("R4.7", "list_i: explicit diverges; larger k costs more", none_answered("^list_[0-9]$", "kinf") ? n == n_found ? "holds" : "holds for " n " of " n_found : "worse: explicit answers",
      sprintf("k = 3 below k = 5 on %d of %d; k = 0: %d to %d states, k = 5: %d to %d", n, n_found, reached["4.2", "list_1", "k0"], reached["4.2", "list_4", "k0"], reached["4.2", "list_1", "k5"], reached["4.2", "list_4", "k5"]))
}
function relation_bounded_lists(   n, m) {
  if (!is_measured("4.2", "list_bnd4_1", 4)) return
  n = cheaper("^list_bnd4_[0-9]$", "k5", "k3"); m = cheaper("^list_bnd4_[0-9]$", "kinf", "k0")
  say("R4.8", "list_bnd4_i: explicit and k = 5 win", n == n_found && m == n_found ? "holds" : "see the counts", sprintf("of %d: k = 5 below k = 3 on %d, explicit below shapes on %d (by elements); list_bnd4_4 k0 %d, k3 %d, k5 %d", n_found, n, m, reached["4.2", "list_bnd4_4", "k0"], reached["4.2", "list_bnd4_4", "k3"], reached["4.2", "list_bnd4_4", "k5"]))
}
function relation_flags(   n, m) {
  if (!is_measured("4.2", "list_flags_1", 4)) return
  n = cheaper("^list_flags", "k3", "k0"); m = cheaper("^list_flags", "k3", "k5")
  say("R4.9", "list_flags_i: k = 3 is the fastest, explicit diverges", n == n_found && m == n_found && none_answered("^list_flags", "kinf") ? "holds" : "see the counts", sprintf("of %d: k = 3 below shapes on %d, below k = 5 on %d (by elements)", n_found, n, m))
}
function relation_bounded_flags(   n, m) {
  if (!is_measured("4.2", "list_bnd4_f1", 4)) return
  n = cheaper("^list_bnd[0-9]_f", "k5", "k0"); m = cheaper("^list_bnd[0-9]_f", "kinf", "k0")
  say("R4.10", "bounded lists with flags: k = 5 about as explicit, both far below shapes", n == n_found && m == n_found ? "holds" : "see the counts", sprintf("of %d: k = 5 below shapes on %d, explicit on %d (by elements); list_bnd4_f3 k0 %d, k3 %d, k5 %d, kinf %d", n_found, n, m, reached["4.2", "list_bnd4_f3", "k0"], reached["4.2", "list_bnd4_f3", "k3"], reached["4.2", "list_bnd4_f3", "k5"], reached["4.2", "list_bnd4_f3", "kinf"]))
}
# Table 3.2(a): which columns answer.
function answered_by(p,   c, s) {
  for (c = 1; c <= n_columns["3.2a"]; c++) if (is_answered("3.2a", p, columns["3.2a", c])) s = s columns["3.2a", c]
  return s == "" ? "none" : s
}
function relations_merging(   i, p, n, out, alarms) {
  if (!is_measured("3.2a", "list_flag2", 6)) return
  for (i = 1; i <= n_programs["3.2a"]; i++) {
    p = programs["3.2a", i]
    if (p == "list_flag2") continue
    n += against("3.2a", p, "b", "a") < 0
    out = out (out == "" ? "" : "; ") p " " cell("3.2a", p, "a") " against " cell("3.2a", p, "b")
  }
  say("R3.1", "B faster than A on the eight programs that both prove", n == 8 ? "holds" : "beaten: on " (8 - n) " A costs as little or less", out)
  say("R3.2", "only C proves list_flag2", answered_by("list_flag2") == "c" ? "holds" : "worse", "answered by " answered_by("list_flag2"))
  alarms = answered_by("alternating") answered_by("list_flag") answered_by("list_flag2")
  say("R3.3", "E and F raise alarms on alternating, list_flag, list_flag2", alarms !~ /[ef]/ ? "holds" : "see the rows", "alternating " answered_by("alternating") ", list_flag " answered_by("list_flag") ", list_flag2 " answered_by("list_flag2"))
  say("R3.4", "A, E, F blow up from list_3 to list_4, B, C, D do not", is_answered("3.2a", "list_4", "a") ? "beaten: A, E and F grow like B" : "holds", sprintf("A %s to %s, B %s to %s", cell("3.2a", "list_3", "a"), cell("3.2a", "list_4", "a"), cell("3.2a", "list_3", "b"), cell("3.2a", "list_4", "b")))
  n = 0
  for (i = 1; i <= n_programs["3.2a"]; i++) n += against("3.2a", programs["3.2a", i], "d", "b") <= 0
  say("R3.5", "D costs about as much as B", n == n_programs["3.2a"] ? "holds" : "worse on " (n_programs["3.2a"] - n), sprintf("list_2: %s against %s; list_3: %s against %s", cell("3.2a", "list_2", "d"), cell("3.2a", "list_2", "b"), cell("3.2a", "list_3", "d"), cell("3.2a", "list_3", "b")))
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
