# Cells of bench/shape/split beside the thesis's seconds, as Markdown, and the relations of its text judged by our seconds (exploration and check together).
# Input: bench/precision/thesis.tsv, then the cells, tab-separated.
function seconds(t, p, c) { return (t, p, c) in explored ? explored[t, p, c] + checked[t, p, c] : -1 }
function show(t, p, c) {
  if ((t, p, c) in explored) return sprintf("%.2f + %.2f", explored[t, p, c], checked[t, p, c])
  return (t, p, c) in other ? other[t, p, c] : ""
}
function print_table(t, columns, n, names,    i, j, line, rule) {
  n = split(columns, names, " ")
  if (!rows[t]) return
  line = "| program |"; rule = "|---|"
  for (i = 1; i <= n; i++) { line = line " " names[i] " | thesis |"; rule = rule "---|---|" }
  print "Table " (t == "3.2a" ? "3.2(a)" : t) ":\n\n" line "\n" rule
  for (j = 1; j <= rows[t]; j++) {
    line = "| " row[t, j] " |"
    for (i = 1; i <= n; i++) line = line " " show(t, row[t, j], names[i]) " | " thesis[t, row[t, j], names[i]] " |"
    print line
  }
  print ""
}
function slower(t, p, c) { return seconds(t, p, c) >= 0 && thesis[t, p, c] ~ /^[0-9.]+$/ && seconds(t, p, c) > thesis[t, p, c] }
# Of the programs that match, on how many is column a faster than column b?
function compare(name, what, t, programs, a, b,    j, p, n, less) {
  for (j = 1; j <= rows[t]; j++) {
    p = row[t, j]
    if (p !~ programs || seconds(t, p, a) < 0 || seconds(t, p, b) < 0) continue
    n++
    less += seconds(t, p, a) < seconds(t, p, b)
  }
  if (n) printf "| %s | %s | %s | %s faster than %s on %d of %d |\n", name, what, (less == n ? "holds" : "does not hold"), a, b, less, n
}
BEGIN { FS = "\t" }
FILENAME ~ /thesis\.tsv$/ {
  m = split($1 == "3.2a" ? "a b c d e f" : $1 == "4.2" ? "k0 k3 k5 kinf" : "", column, " ")
  for (i = 1; i <= m; i++) thesis[$1, $2, column[i]] = $(i + 2)
  if (m) row[$1, ++rows[$1]] = $2
  next
}
/^(3\.2a|4\.2)\t/ {
  if ($6 == "true") { explored[$1, $2, $3] = $4; checked[$1, $2, $3] = $5; ratio[++n_ratio] = $5 / $4 }
  else other[$1, $2, $3] = $6 ~ /the abstraction/ ? "FA" : "*"
}
END {
  print_table("3.2a", "a b c d e f")
  print_table("4.2", "k0 k3 k5 kinf")
  for (key in explored) {
    split(key, k, SUBSEP)
    n_cells[k[1]]++
    n_slower[k[1]] += slower(k[1], k[2], k[3])
    within += checked[key] <= 3 * explored[key] + 0.1
  }
  for (t in n_cells) printf "Table %s: %d cells proved, %d of them slower than the thesis.\n", t, n_cells[t], n_slower[t] | "sort"
  close("sort")
  for (i = 2; i <= n_ratio; i++) for (j = i; j > 1 && ratio[j - 1] > ratio[j]; j--) { x = ratio[j]; ratio[j] = ratio[j - 1]; ratio[j - 1] = x }
  printf "Median of check / exploration: %.1f; %d cells within three times the exploration plus 0.1 s.\n\n", ratio[int((n_ratio + 1) / 2)], within
  print "| relation | what | here, by seconds | figures |\n|---|---|---|---|"
  compare("R3.1", "B faster than A", "3.2a", ".", "b", "a")
  compare("R4.7", "unbounded lists: k = 3 faster than k = 5", "4.2", "^list_[0-9]$", "k3", "k5")
  compare("R4.8", "bounded lists: k = 5 faster than k = 3", "4.2", "^list_bnd4_[0-9]$", "k5", "k3")
  compare("R4.8", "bounded lists: explicit faster than shapes", "4.2", "^list_bnd4_[0-9]$", "kinf", "k0")
  compare("R4.9", "lists with flags: k = 3 faster than k = 0", "4.2", "^list_flags_", "k3", "k0")
  compare("R4.9", "lists with flags: k = 3 faster than k = 5", "4.2", "^list_flags_", "k3", "k5")
  compare("R4.10", "bounded lists with flags: k = 5 faster than shapes", "4.2", "^list_bnd[0-9]_f", "k5", "k0")
  compare("R4.10", "bounded lists with flags: explicit faster than shapes", "4.2", "^list_bnd[0-9]_f", "kinf", "k0")
  if (seconds("3.2a", "list_3", "a") >= 0 && seconds("3.2a", "list_4", "a") >= 0)
    printf "| R3.4 | A, E, F beyond 600 s from list_3 to list_4 | %s | a: %.2f s to %.2f s |\n", (seconds("3.2a", "list_4", "a") > 600 ? "holds" : "does not hold"), seconds("3.2a", "list_3", "a"), seconds("3.2a", "list_4", "a")
  for (j = 1; j <= rows["3.2a"]; j++) {
    p = row["3.2a", j]
    if (seconds("3.2a", p, "d") < 0 || seconds("3.2a", p, "b") < 0) continue
    r = seconds("3.2a", p, "d") / seconds("3.2a", p, "b")
    if (!n_d++ || r > most) most = r
    if (n_d == 1 || r < least) least = r
  }
  if (n_d) printf "| R3.5 | D costs as much as B, within 30 %% | %s | d takes %.2f to %.2f times as long as b, %d programs |\n", (least >= 0.7 && most <= 1.3 ? "holds" : "does not hold"), least, most, n_d
}
