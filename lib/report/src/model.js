// The object of the page with names for what it has as arrays.
export const HEAD = 1, ERROR = 2, ENTRY = 4, EXIT = 8, UNSUPPORTED = 16;

const [VARIABLE, STORE, PARAMETER, RETURN] = [0, 1, 2, 3];

function stepOf(s, functions) {
  return {
    serial: s[0], file: s[1], line: s[2], column: s[3], func: functions[s[4]], depth: s[5], location: s[6],
    enters: (s[7] & 1) !== 0, fails: (s[7] & 2) !== 0,
    changes: s[8].map((c) => ({
      kind: c[0], name: c[1], value: c[2], isInput: (c[3] & 1) !== 0, isGlobal: (c[3] & 2) !== 0,
      cell: c[4], pointee: c[5], returns: c[0] === RETURN, stores: c[0] === STORE,
    })),
  };
}

export function textOfChange(c) {
  const text = c.returns ? `returns ${c.value}` : `${c.name} = ${c.value}`;
  return c.isInput ? `${text} (input)` : text;
}

export function read(text) {
  const o = JSON.parse(text);
  if (o.run) {
    o.run.steps = o.run.steps.map((s) => stepOf(s, o.run.functions));
    o.run.objects = new Map(o.run.objects.map((x) => [x[0], { name: x[1], made: x[2], ended: x[3] }]));
  }
  return o;
}

// How many events of the run stand between a step and the one before it, beyond those folded into a line.
export const gapBefore = (run, i) => {
  const unseen = run.unseen > 0 && run.steps[i].serial === run.unseen_at;
  if (unseen) return run.unseen;
  return i > 0 && run.steps[i].serial - run.steps[i - 1].serial > 1000 ? run.steps[i].serial - run.steps[i - 1].serial - 1 : 0;
};

// What every variable and cell holds behind step `last`: frames from main inwards, globals, cells that were written.
export function stateAt(run, last) {
  const frames = [], globals = new Map(), cells = new Map();
  let isPartial = false;
  for (let i = 0; i <= last; i++) {
    const s = run.steps[i];
    if (gapBefore(run, i)) isPartial = true;
    frames.length = Math.min(frames.length, s.enters ? s.depth - 1 : s.depth);
    while (frames.length < s.depth) frames.push({ func: "", variables: new Map() });
    const frame = frames[s.depth - 1];
    if (frame.func && frame.func !== s.func) frame.variables = new Map();
    frame.func = s.func;
    frame.at = [s.file, s.line];
    for (const c of s.changes) {
      const entry = { value: c.value, pointee: c.pointee, isInput: c.isInput, isNew: i === last, name: c.name, cell: c.cell };
      if (c.kind === VARIABLE || c.kind === PARAMETER) (c.isGlobal ? globals : frame.variables).set(c.name, entry);
      if (c.kind === STORE) cells.set(c.cell ? c.cell.join(":") : c.name, entry);
    }
  }
  return { frames, globals, cells, isPartial };
}

// By line of a file: how often a run came there, 0: it did not; without entry: nothing is executed there.
export function coverageOf(o) {
  const files = o.files.map(() => new Map());
  if (!o.run) return files;
  for (const a of o.automata) {
    if (!a.place) continue;
    for (const [, , , line, visits] of a.edges)
      if (line) files[a.place[0]].set(line, Math.max(visits, files[a.place[0]].get(line) || 0));
  }
  return files;
}

export const locationIndex = (automata) => {
  const index = new Map();
  automata.forEach((a, f) => a.nodes.forEach((n, i) => index.set(n[0], [f, i])));
  return index;
};
