# Twoproof: build, test, demo.
#
#   make            build/twoproof (release)
#   make check      what CI runs: build with warnings as errors, all tests, of tables and volumes a part (test/part.common)
#   make demo       install what is missing, build, verify examples/, print a table
#   make gate       fixed tasks against bench/gate/baseline.tsv: no verdict lost, no class 10 % slower
#   make soak       all rows of tables, fuzzers and volumes, resumable; hours
#   make tables     all tables of the four sources beside ours (bench/TABLES.md): quick ones measured, the others as they were last measured; RUN=all
#                   or RUN="NAME ..." (bench/tables --list) measures them, too, resumable
#   make system     what needs more than a compiler and solvers: start-up; packages in fresh roots of Debian
#   make install    into DESTDIR and prefix (/usr/local); make install-strip without symbols, make uninstall
#   make deb        a Debian package of the last commit, in build/deb
#   make site       the manual as a static site, in build/manual/site
#   VARIANT=release|check|soak|asan   CC=gcc|clang-19   choose another build
VARIANT ?= release
CC := $(if $(filter default,$(origin CC)),gcc,$(CC))
LLVM_CONFIG ?= llvm-config-19
O := build/$(VARIANT)-$(notdir $(CC))

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wswitch-enum -Wstrict-prototypes \
        -Wmissing-prototypes -Wconversion
CFLAGS_release := -O2 -DNDEBUG
CFLAGS_check := -O1 -g1 -DTP_CHECKED
CFLAGS_soak := -O2 -g -DTP_CHECKED
CFLAGS_asan := -O1 -g1 -DTP_CHECKED -fsanitize=address,undefined -fno-omit-frame-pointer \
               -fno-sanitize-recover=all
# Hundreds of test programs are linked: gold, part of binutils, takes a quarter of the time for each.
comma := ,
GOLD := $(if $(shell command -v ld.gold),-fuse-ld=gold)
LDFLAGS_check := $(GOLD)
# A sixth of LLVM's static parts is reached by nothing, or is there twice.
LDFLAGS_release := -Wl,--gc-sections $(if $(GOLD),$(GOLD) -Wl$(comma)--icf=safe)
LDFLAGS_asan := -fsanitize=address,undefined $(GOLD)
CFLAGS := -std=c11 -D_GNU_SOURCE -Isrc $(WARN) $(if $(WERROR),-Werror) $(CFLAGS_$(VARIANT)) -MMD -MP \
          $(if $(filter clang%,$(notdir $(CC))),-Wno-gnu-zero-variadic-macro-arguments) $(EXTRA_CFLAGS)
LDFLAGS := $(LDFLAGS_$(VARIANT)) $(EXTRA_LDFLAGS)

SRC := $(sort $(filter-out %_test.c,$(wildcard src/*/*.c src/*/*/*.c)))
OBJ := $(SRC:%.c=$O/%.o)
LIBOBJ := $(filter-out $O/src/app/main.o,$(OBJ))
TESTS := $(sort $(wildcard src/*/*_test.c src/*/*/*_test.c test/*/*_test.c))
TESTBIN := $(TESTS:%.c=$O/%)

# The program we ship has its part of LLVM inside: it starts sooner. A hundred test programs of 60 MB would take minutes to link.
LLVM_LINK = $(if $(filter release,$(VARIANT)),--link-static,--link-shared)
LLVM_LIBS := $(shell $(LLVM_CONFIG) $(LLVM_LINK) --libs core bitreader linker target orcjit native passes) \
             $(shell $(LLVM_CONFIG) $(LLVM_LINK) --system-libs)
LLVM_FLAGS = $(shell $(LLVM_CONFIG) --includedir)
LIBS = -L$(shell $(LLVM_CONFIG) --libdir) $(LLVM_LIBS) -lz3 -lcadical -lseccomp -ljansson -lyaml -lsqlite3 -lm -lstdc++

.PHONY: headers install install-files install-strip uninstall manual site deb gate always all lib models shapes contracts helpers tests check demo soak tables system clean install-deps unit bench-solvers bench-native bench-shape bench-rel
all: build/twoproof models shapes contracts headers helpers manual
# Of the variant that was asked for last, whichever was built last: their dates say nothing.
build/twoproof: $O/twoproof always
	@mkdir -p build && { cmp -s $< $@ || cp --remove-destination $< $@; }
$O/twoproof: $O/src/app/main.o $O/libtwoproof.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)
lib: $O/libtwoproof.a models shapes contracts headers helpers
$O/libtwoproof.a: $(LIBOBJ)
	@rm -f $@; ar rcs $@ $^
$O/src/front/%.o $O/src/exec/native/%.o: CFLAGS += -isystem $(LLVM_FLAGS)
# The commit that --version names, or what a package says instead; "" outside of a repository.
$O/gen/app/commit.inc: always
	@mkdir -p $(@D); printf '"%s"\n' "$(if $(VERSION_NOTE),$(VERSION_NOTE),$$(git -c safe.directory='*' describe --always --dirty=+ --exclude='*' 2>/dev/null | sed 's/^/commit /'))" >$@.new; \
	  cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$O/src/app/version.o: $O/gen/app/commit.inc
$O/src/app/version.o: CFLAGS += -I$O/gen
# The files of config/ as C strings.
$O/gen/proof/configurations.inc: $(sort $(wildcard config/*.conf)) Makefile
	@mkdir -p $(@D)
	@for f in $(filter %.conf,$^); do echo "TP_CONFIGURATION(\"$$(basename $$f .conf)\","; \
	  sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $$f; echo ")"; done > $@
$O/src/proof/configurations.o: $O/gen/proof/configurations.inc
$O/src/proof/configurations.o: CFLAGS += -I$O/gen
# Parts of the programs that break contracts, line by line.
$O/gen/contracts/rel/%.inc: lib/replay/%.c
	@mkdir -p $(@D)
	@sed 's/[\\"]/\\&/g; s/.*/"&\\n",/' $< > $@
$O/src/contracts/rel/rel_emit.o: $O/gen/contracts/rel/relations.inc
$O/src/contracts/modular/heap_program.o: $O/gen/contracts/rel/heap.inc $O/gen/contracts/rel/foretold.inc
$O/src/contracts/modular/heap_program_contract.o: $O/gen/contracts/rel/contract.inc
$O/src/contracts/rel/rel_emit.o $O/src/contracts/modular/heap_program.o $O/src/contracts/modular/heap_program_contract.o: CFLAGS += -I$O/gen
# The page of an answer: template, style and script, line by line (lib/report/build.sh makes the script, here nothing is needed for it).
$O/gen/report/page_%.inc: lib/report/report.%
	@mkdir -p $(@D)
	@sed 's/[\\"?]/\\&/g; s/.*/"&\\n",/' $< > $@
$O/src/report/page.o: $(patsubst %,$O/gen/report/page_%.inc,html css js)
$O/src/report/page.o: CFLAGS += -I$O/gen
# The fixed text of the harness, line by line.
$O/gen/certify/runs/%.inc: lib/harness/%.c
	@mkdir -p $(@D)
	@sed 's/[\\"]/\\&/g; s/.*/"&\\n",/' $< > $@
$O/src/certify/runs/harness.o: $(patsubst %,$O/gen/certify/runs/%.inc,base replay random indeterminate allocation red_zones argv models by_clock)
# What unit tests for cmocka call, line by line.
$O/gen/app/%.inc: lib/testing/%.c
	@mkdir -p $(@D)
	@sed 's/[\\"]/\\&/g; s/.*/"&\\n",/' $< > $@
$O/src/app/c_tests.o: $O/gen/app/cmocka.inc
$O/src/app/c_tests.o: CFLAGS += -I$O/gen
# Names of library models, and what the harness defines for them, as a version script: its bytes, since C compilers need not take strings of this length.
$O/gen/certify/runs/model_map.inc: build/lib/libc/index Makefile
	@mkdir -p $(@D)
	@{ echo '{ local: memcpy; memmove; memset;'; cut -d' ' -f1 $< | sort -u | sed 's/.*/ &;/'; echo '};'; } | od -An -v -tu1 | sed 's/[0-9][0-9]*/&,/g; $$s/$$/ 0/' > $@
$O/src/certify/runs/native_models.o: $O/gen/certify/runs/model_map.inc
$O/src/certify/runs/harness_checks.o: $(patsubst %,$O/gen/certify/runs/%.inc,arguments jumps heap frees copies)
$O/src/certify/runs/native_monitors.o: $(patsubst %,$O/gen/certify/runs/%.inc,monitor_frames monitor_events)
$O/src/certify/runs/harness.o $O/src/certify/runs/harness_checks.o $O/src/certify/runs/native_monitors.o $O/src/certify/runs/native_models.o: CFLAGS += -I$O/gen
$O/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c -o $@ $<
tests: $(TESTBIN) models shapes contracts headers helpers
$O/%_test: $O/%_test.o $O/libtwoproof.a
	$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) -lcmocka $(LIBS)
# Random terms, for tests of the rooms that read terms.
$O/%_test.o $O/test/term/random_terms.o: CFLAGS += -Itest
$O/src/circuit/circuit_test $O/src/certify/circuits/term_clauses_test $O/src/cpa/octagon/octagon_test $O/src/smt/backend_bits_test $O/src/smt/planted_test $O/src/term/random_test $O/src/term/rewrite_test $O/src/term/text_test: $O/test/term/random_terms.o
# The generator of random C programs, for fuzzers; `gen SEED COUNT` prints a file of them.
GEN := $(patsubst %,$O/test/fuzz/%.o,gen gen_expr gen_pieces gen_stmt)
$O/test/fuzz/fuzz_diff_test: $(GEN)
# Random program models and C programs with their exact verdicts.
$O/test/fuzz/fuzz_verdict_test: $(patsubst %,$O/test/fuzz/%.o,tape models models_rich exhaust judge)
$O/test/fuzz/native_test $O/test/fuzz/runner_test: $(patsubst %,$O/test/fuzz/%.o,tape models models_rich exhaust) $(GEN)
$O/test/fuzz/blocks_test $O/test/fuzz/reachability_test $O/test/fuzz/summaries_test $O/test/fuzz/embedding_test $O/test/fuzz/descend_test: $(patsubst %,$O/test/fuzz/%.o,tape models models_rich exhaust)
$O/test/fuzz/fuzz_engines_test: $(patsubst %,$O/test/%.o,fuzz/tape fuzz/models fuzz/models_rich fuzz/exhaust fuzz/contest fuzz/compositions certify/sightings)
$O/test/exec/threaded_code_test $O/test/fuzz/concolic_test $O/test/fuzz/fuzz_invariants_test: $(patsubst %,$O/test/fuzz/%.o,tape models models_rich exhaust)
$O/test/fuzz/fuzz_verdict_c_test: $(patsubst %,$O/test/fuzz/%.o,tape sources exhaust judge)
$O/test/laws/laws_test $O/test/laws/planted_laws_test: $(patsubst %,$O/test/%.o,fuzz/tape fuzz/models fuzz/models_rich laws/samples laws/laws)
$O/test/certify/invariant_mutations_test: $(patsubst %,$O/test/%.o,fuzz/tape fuzz/models fuzz/models_rich fuzz/exhaust fuzz/judge certify/mutant certify/sightings)
$O/test/certify/partitions_test: $(patsubst %,$O/test/%.o,fuzz/tape fuzz/models fuzz/models_rich fuzz/exhaust certify/sightings)
$O/test/certify/drat_test: $O/test/certify/refute.o
$O/test/certify/universal_forgeries_test $O/test/certify/fold_forgeries_test: $O/test/certify/by_hand.o
$O/test/certify/proofs_test: $(patsubst %,$O/test/%.o,fuzz/exhaust certify/sightings)
$O/test/laws/kildall_test: $(patsubst %,$O/test/laws/%.o,flow kildall)
$O/test/laws/powerset_test: $(patsubst %,$O/test/laws/%.o,flow powerset samples)
# Campaigns of faults.
$O/test/faults/session_faults_test: $O/test/faults/campaign.o | $O/test/faults/compiler
$O/test/faults/run_faults_test: $O/test/faults/campaign.o | $O/twoproof $O/test/faults/preload.so
$O/test/faults/preload.so: test/faults/preload.c src/base/fault.c src/base/fault.h
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -DTP_CHECKED -O1 -Isrc $(WARN) $(if $(WERROR),-Werror) -fPIC -shared -fvisibility=hidden -o $@ test/faults/preload.c src/base/fault.c
$O/test/faults/compiler: test/faults/compiler.c
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -O2 $(WARN) $(if $(WERROR),-Werror) -o $@ $<
# Functions in C against their relations.
$O/test/spec/bodies_test $O/test/spec/judge_test $O/test/spec/random_test $O/test/spec/calls_test $O/test/spec/exhaustive_test: $O/test/spec/bodies.o
$O/test/spec/random_test $O/test/spec/exhaustive_test $O/test/spec/refinement_test: $O/test/spec/functions.o
$O/test/laws/examples_test $O/test/laws/shapes_test: $O/test/laws/samples.o
$O/test/program/dump_test $O/test/program/lowering_test: $O/test/program/six_operations.o
$O/test/laws/stores_on_c_test: $O/test/laws/samples.o $(GEN)
$O/test/fuzz/gen: $O/test/fuzz/gen_main.o $(GEN) $O/libtwoproof.a
	$(CC) $(LDFLAGS) -o $@ $^

# Solver back ends against each other: `make bench-solvers TURNS=5`
$O/bench/%: $O/bench/%.o $O/libtwoproof.a
	$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS)
bench-solvers: $O/bench/solvers
	@$< $(TURNS)
# Tiers of the concrete machine against compiled programs. Fails where machine code is slower than it was measured to be, with room for noise.
bench-native: $O/bench/native/tiers models
	@TRACE_BOUND=3.5 RESUME_BOUND=3.5 WORST=6 bench/native/run $(TURNS)

# How the shape engine's work grows with pointers and with facts about data.
bench-shape: $O/bench/shape/growth
	@GROWTH=$< bench/shape/scaling

# Problems of relational logic; with KODKOD=DIR of its classes beside Kodkod (bench/rel/README.md).
$O/bench/rel/solve $O/test/rel/problem_test: $O/bench/rel/problem.o
bench-rel: $O/bench/rel/solve
	@bench/rel/table $(TURNS)

# Models of library functions: bitcode for both data models, and an index "symbol file" of what each file defines.
MODELS := $(basename $(notdir $(wildcard lib/libc/*.c)))
MODELCC := clang-19 -std=gnu17 -g -fno-discard-value-names -O1 -Xclang -disable-llvm-passes -Xclang -disable-lifetime-markers \
           -fno-strict-aliasing -ffp-contract=off -ffreestanding -fno-builtin -fno-math-errno -ffile-compilation-dir=. -Ilib/libc -Wall -emit-llvm
models: build/lib/libc/index $(patsubst lib/libc/%,build/lib/libc/src/%,$(wildcard lib/libc/*.[ch]))
# Native builds compile the sources.
build/lib/libc/src/%: lib/libc/%
	@mkdir -p $(@D)
	@cp $< $@
build/lib/libc/index: $(foreach m,$(MODELS),build/lib/libc/$m-m64.bc build/lib/libc/$m-m32.bc build/lib/libc/$m.symbols)
	@cat build/lib/libc/*.symbols > $@
build/lib/libc/%-m64.bc: lib/libc/%.c $(wildcard lib/libc/*.h) Makefile
	@mkdir -p $(@D)
	$(MODELCC) -m64 -c -o $@ $<
build/lib/libc/%-m32.bc: lib/libc/%.c $(wildcard lib/libc/*.h) Makefile
	@mkdir -p $(@D)
	$(MODELCC) -m32 -c -o $@ $<
build/lib/libc/%.symbols: lib/libc/%.c $(wildcard lib/libc/*.h)
	@mkdir -p $(@D)
	@$(MODELCC) -m64 -g0 -S -o - $< | sed -n -e '/^define internal/d' -e 's/^define [^@]*@\([A-Za-z_0-9]*\)(.*/\1 $*/p' \
	  -e '/^@.* = \(internal\|private\|external\)/d' -e 's/^@\([A-Za-z_0-9]*\) = .*/\1 $*/p' > $@.new && mv $@.new $@

# Descriptions of data structures, beside the models.
shapes: $(patsubst lib/shape/%,build/lib/shape/%,$(wildcard lib/shape/*.scg))
build/lib/shape/%: lib/shape/%
	@mkdir -p $(@D)
	@cp $< $@

# Headers for users' programs.
headers: $(patsubst lib/include/%,build/lib/include/%,$(wildcard lib/include/*.h))
build/lib/include/%: lib/include/%
	@mkdir -p $(@D)
	@cp $< $@

# Contracts of the C library and of containers.
contracts: $(patsubst lib/spec/%,build/lib/spec/%,$(wildcard lib/spec/*))
build/lib/spec/%: lib/spec/%
	@mkdir -p $(@D)
	@cp $< $@

# Programs that Twoproof starts: they link libraries under other licences, so each is a program of its own.
helpers: build/lib/twoproof-polyhedra
build/lib/twoproof-polyhedra: helpers/polyhedra/polyhedra.c
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -O2 $(WARN) $(if $(WERROR),-Werror) $(EXTRA_CFLAGS) $(EXTRA_LDFLAGS) -o $@ $< -lppl_c -lppl -lgmpxx -lgmp -lstdc++ -lm

# Manual pages and completions of shells are what the program says of itself.
manual: build/twoproof
	@mkdir -p build/share/man/man1 build/share/completions
	@build/twoproof --document-manual >build/share/man/man1/twoproof.1
	@for c in $$(build/twoproof --document-commands); do build/twoproof --document-manual=$$c >build/share/man/man1/twoproof-$$c.1 || exit 1; done
	@for s in bash zsh fish; do build/twoproof --document-completion=$$s >build/share/completions/$$s || exit 1; done

# An installation: the program finds ../lib/twoproof from where it lies (src/base/beside.h), so bin and lib stay beside each other.
prefix ?= /usr/local
bindir = $(prefix)/bin
datadir = $(prefix)/share
docdir = $(datadir)/doc/twoproof
mandir = $(datadir)/man
bashdir = $(datadir)/bash-completion/completions
zshdir = $(datadir)/zsh/site-functions
fishdir = $(datadir)/fish/vendor_completions.d
own = $(prefix)/lib/twoproof
INSTALL ?= install
STRIP ?= strip
to = $(DESTDIR)
install: all
	@$(MAKE) --no-print-directory install-files
# What lies in build/, whichever variant.
install-files:
	$(INSTALL) -d $(to)$(bindir) $(to)$(own)/libc/src $(to)$(own)/shape $(to)$(own)/spec $(to)$(own)/include $(to)$(docdir) $(to)$(mandir)/man1 $(to)$(bashdir) $(to)$(zshdir) $(to)$(fishdir)
	$(INSTALL) -m 755 build/twoproof $(to)$(bindir)/twoproof
	$(INSTALL) -m 755 build/lib/twoproof-polyhedra $(to)$(own)/twoproof-polyhedra
	$(INSTALL) -m 644 build/lib/libc/index $(foreach m,$(MODELS),build/lib/libc/$m-m64.bc build/lib/libc/$m-m32.bc) $(to)$(own)/libc
	$(INSTALL) -m 644 $(wildcard lib/libc/*.[ch]) $(to)$(own)/libc/src
	$(INSTALL) -m 644 $(wildcard lib/shape/*) $(to)$(own)/shape
	$(INSTALL) -m 644 $(wildcard lib/spec/*) $(to)$(own)/spec
	$(INSTALL) -m 644 $(wildcard lib/include/*) $(to)$(own)/include
	$(INSTALL) -m 644 README.md $(filter-out doc/MAP.md doc/FILES.md,$(wildcard doc/*.md doc/*.json)) $(to)$(docdir)
	$(INSTALL) -m 644 $(wildcard build/share/man/man1/*.1) $(to)$(mandir)/man1
	$(INSTALL) -m 644 build/share/completions/bash $(to)$(bashdir)/twoproof
	$(INSTALL) -m 644 build/share/completions/zsh $(to)$(zshdir)/_twoproof
	$(INSTALL) -m 644 build/share/completions/fish $(to)$(fishdir)/twoproof.fish
	cp -r --no-preserve=ownership examples $(to)$(docdir)
	$(INSTALL) -d $(to)$(docdir)/contrib/nvim $(to)$(docdir)/contrib/vscode
	$(INSTALL) -m 644 contrib/nvim/twoproof.lua $(to)$(docdir)/contrib/nvim
	$(INSTALL) -m 644 $(wildcard contrib/vscode/*.js contrib/vscode/*.json contrib/vscode/*.md) $(to)$(docdir)/contrib/vscode
install-strip: install
	$(STRIP) --strip-unneeded $(to)$(bindir)/twoproof $(to)$(own)/twoproof-polyhedra
uninstall:
	rm -f $(to)$(bindir)/twoproof $(to)$(bashdir)/twoproof $(to)$(zshdir)/_twoproof $(to)$(fishdir)/twoproof.fish
	rm -f $(to)$(mandir)/man1/twoproof.1 $(patsubst %,$(to)$(mandir)/man1/twoproof-%.1,$(shell build/twoproof --document-commands 2>/dev/null))
	rm -rf $(to)$(own) $(to)$(docdir)

# The manual as a static site, in build/manual/site; needs mkdocs-material.
site:
	@tools/site

# A Debian package for the release of Debian that runs here.
deb:
	@tools/deb

# `make unit T=term` runs the unit tests whose path contains "term"
unit: $(foreach t,$(TESTBIN),$(if $(findstring $(T),$t),$t))
	@for t in $^; do $$t || exit 1; done

install-deps:
	@tools/install-deps

JOBS ?= $(shell nproc)
SCRIPTS := $(filter-out test/system/%,$(sort $(wildcard test/*/*.sh)))

# Tests that compute for ten seconds or more under sanitizers, most of it in solvers and in programs that are not sanitized: `make soak` runs them there.
LONG := $(addprefix src/,adequacy/adequacy adequacy/random_programs certify/inductive/inductive certify/runs/native_replay certify/shapes/lemma_book \
  certify/shapes/batch_random certify/shapes/shape_check certify/symbolic/leak_witness contracts/summarise/relational_bound cpa/octagon/octagon \
  cpa/predicate/predicate formula/eliminate formula/interpolants numeric/number search/generalize search/lee_yannakakis search/split search/split_cegar \
  search/synergy smt/algebra smt/backend_bits smt/horn smt/integers smt/planted smt/smt term/rewrite) \
  $(addprefix test/,certify/bare_certificates certify/confirmation certify/fold_forgeries certify/heap_forgeries certify/invariant_mutations \
  certify/lying_solver certify/mutations certify/partitions certify/proofs exec/oracle faults/run_faults faults/session_faults fuzz/blocks \
  fuzz/bmc_against_exec fuzz/concolic fuzz/elements_random fuzz/embedding fuzz/fuzz_diff fuzz/fuzz_engines fuzz/fuzz_invariants fuzz/fuzz_verdict \
  fuzz/native fuzz/runner laws/examples laws/laws laws/planted_laws precision/lists program/pointsto_run program/promotion_run spec/bodies \
  spec/exhaustive spec/refinement)
QUICK := $(filter-out $(LONG:%=%_test.c),$(TESTS))
# Sanitized tests have all assertions of the check variant and find all that it finds, but for what a test leaves out under sanitizers.
BOTH := $(if $(filter check,$(MAKECMDGOALS)),$(shell grep -l __SANITIZE_ADDRESS__ $(QUICK)))
CHECKED := $(LONG:%=build/check-gcc/%_test) $(BOTH:%.c=build/check-gcc/%)
SANITIZED := $(QUICK:%.c=build/asan-gcc/%)

# What CI runs: quick tests under sanitizers, long ones in the check variant (assertions on); `make soak` runs all in the check variant and long ones under
# sanitizers. What takes long starts first (tools/test-costs).
check: install-deps
	@$(MAKE) --no-print-directory -s -j$(JOBS) WERROR=1 VARIANT=release all
	@printf 'tools/check-%s\n' format headers docs includes names | xargs -P $(JOBS) -n 1 sh -c
	@$(MAKE) --no-print-directory -s -j$(JOBS) WERROR=1 VARIANT=check lib $(CHECKED)
	@tools/check-circles
	@$(MAKE) --no-print-directory -s -j$(JOBS) WERROR=1 VARIANT=check CC=clang-19 CFLAGS_check='-O0 -DTP_CHECKED' lib
	@$(MAKE) --no-print-directory -s -j$(JOBS) WERROR=1 VARIANT=asan lib $(SANITIZED)
	@$(MAKE) --no-print-directory -s VARIANT=release all
	@tools/run-tests $(JOBS) $(CHECKED) $(SCRIPTS) $(SANITIZED)
	@tools/rows

gate: all
	tools/gate
demo: install-deps
	@$(MAKE) --no-print-directory -s -j$(JOBS) all
	@build/twoproof bench --timelimit 20 examples

soak: install-deps
	@$(MAKE) --no-print-directory -s -j$(JOBS) WERROR=1 VARIANT=check all tests
	@$(MAKE) --no-print-directory -s -j$(JOBS) WERROR=1 VARIANT=asan tests
	@TP_SOAK=1 TEST_TIMEOUT=86400 tools/run-tests $(JOBS) $(TESTS:%.c=build/check-gcc/%)
	@TEST_TIMEOUT=86400 tools/run-tests $(JOBS) $(LONG:%=build/asan-gcc/%_test)
	@$(MAKE) --no-print-directory -s VARIANT=release all
	@TP_SOAK=1 TEST_TIMEOUT=86400 tools/run-tests $(JOBS) $(SCRIPTS)
	@$(MAKE) --no-print-directory -s -j$(JOBS) bench-native TURNS=3

tables: install-deps
	@$(MAKE) --no-print-directory -s -j$(JOBS) all
	@bench/tables --run "$(or $(RUN),quick)"

system: install-deps
	@tools/install-deps --system
	@$(MAKE) --no-print-directory -s -j$(JOBS) all
	@bench/startup
	@for t in test/system/*.sh; do $$t || exit 1; done
	@test/system/report.py
	@test/system/vscode.py

clean:
	rm -rf build
-include $(OBJ:.o=.d) $(TESTBIN:=.d) $(wildcard $O/test/*/*.d)
.SECONDARY:
