// The timeline of a report: lanes of calls on a canvas, one view of time for
// all recordings of the page. Text of the page comes from outside: it is only
// ever set as text.
'use strict';
(() => {
const FIRST = 1, STALL = 2, BEHIND = 4, ESCAPE = 8;
const AXIS = 24, LABEL = 17, BAR = 18, LANE = 44, NARROW = 3, SHORTEST_VIEW = 100;
const GROUPS = {load: 'load', unload: 'free', free: 'free', touch: 'use', set: 'use',
                launch: 'launch', graph: 'launch', context: 'other', limit: 'other'};
const $ = id => document.getElementById(id);

// What a name is called in little space: without return type and parameters.
const shortName = name => {
  let depth = 0, end = name.length, begin = 0;
  for (let i = 0; i < name.length; ++i) {
    const c = name[i];
    if (c === '<') ++depth;
    else if (c === '>') --depth;
    else if (c === '(' && depth === 0 && i > 0 && !name.startsWith('(anonymous', i)) { end = i; break; }
    else if (c === ' ' && depth === 0) begin = i + 1;
  }
  return name.slice(begin < end ? begin : 0, end);
};

const formatTime = ns => {
  const digits = x => x.toFixed(x < 9.995 ? 2 : x < 99.95 ? 1 : 0);
  if (ns < 1000) return Math.round(ns) + ' ns';
  if (ns < 999.5e3) return digits(ns / 1e3) + ' µs';
  if (ns < 999.5e6) return digits(ns / 1e6) + ' ms';
  return digits(ns / 1e9) + ' s';
};
// A moment, as finely as the distance between two marks needs.
const formatMoment = (ns, step) => {
  const [unit, size] = step >= 1e9 ? ['s', 1e9] : step >= 1e6 ? ['ms', 1e6] : step >= 1e3 ? ['µs', 1e3] : ['ns', 1];
  const decimals = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
  return (ns / size).toFixed(decimals) + ' ' + unit;
};

// Begins sorted: the first place whose value is not below.
const lowerBound = (values, value) => {
  let low = 0, high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < value) low = middle + 1; else high = middle;
  }
  return low;
};

class Lane {
  constructor(title, calls, isStream, side) {
    this.title = title;
    this.calls = calls;
    this.isStream = isStream;
    this.begins = Float64Array.from(calls, i => side.begin[i]);
    // The latest end so far: calls that began before the view may reach it.
    this.ends = new Float64Array(calls.length);
    let latest = 0;
    calls.forEach((call, k) => { this.ends[k] = latest = Math.max(latest, side.end(call)); });
    const marked = call => side.flags[call] & (STALL | ESCAPE);
    this.marked = calls.filter(marked);
    this.longest = calls.filter(call => !marked(call)).sort((a, b) => side.ns[b] - side.ns[a]);
    this.busy = []; // Times at which a stream was found busy.
  }
}

class Side {
  constructor(number, data) {
    this.number = number;
    this.label = data.label;
    this.duration = Math.max(data.duration, 1);
    this.names = data.names;
    this.readable = data.names.map((name, i) => data.readable[i] ?? name);
    this.threads = data.threads;
    this.streams = data.streams;
    const calls = data.calls;
    this.count = calls.begin.length;
    this.begin = new Float64Array(this.count);
    let at = 0;
    for (let i = 0; i < this.count; ++i) this.begin[i] = at += calls.begin[i];
    this.ns = Float64Array.from(calls.ns);
    this.thread = Uint32Array.from(calls.thread);
    this.stream = Uint32Array.from(calls.stream);
    this.api = Uint32Array.from(calls.api);
    this.subject = Uint32Array.from(calls.subject);
    this.purpose = Uint32Array.from(calls.purpose);
    this.flags = Uint8Array.from(calls.flags);
    this.extra = data.extra;
    this.primings = data.primings;
    this.seals = data.seals;
    this.stalls = [];
    for (let i = 0; i < this.count; ++i) if (this.flags[i] & STALL) this.stalls.push(i);
    this.matches = null; // Of the search: one flag a call.
    this.makeLanes();
  }

  end(call) { return this.begin[call] + this.ns[call]; }

  makeLanes() {
    const byThread = this.threads.map(() => []), byStream = this.streams.map(() => []);
    for (let i = 0; i < this.count; ++i) {
      byThread[this.thread[i]].push(i);
      if (this.stream[i]) byStream[this.stream[i] - 1].push(i);
    }
    const processes = [...new Set([...this.threads, ...this.streams].map(x => x.process))];
    const prefix = x => processes.length > 1 ? x.process + ' · ' : '';
    this.lanes = [];
    this.laneOfThread = [];
    const laneOfStream = [];
    for (const process of processes) {
      this.threads.forEach((thread, i) => {
        if (thread.process !== process) return;
        this.laneOfThread[i] = this.lanes.length;
        this.lanes.push(new Lane(prefix(thread) + 'Thread ' + thread.name, byThread[i], false, this));
      });
      this.streams.forEach((stream, i) => {
        if (stream.process !== process) return;
        const name = stream.name[0].toUpperCase() + stream.name.slice(1);
        laneOfStream[i] = this.lanes.length;
        this.lanes.push(new Lane(prefix(stream) + name + ' · calls made for it', byStream[i], true, this));
      });
    }
    for (const [call, more] of Object.entries(this.extra))
      for (const stream of more.inFlight ?? [])
        this.lanes[laneOfStream[stream - 1]].busy.push(this.begin[call]);
    for (const lane of this.lanes) lane.busy = Float64Array.from(lane.busy).sort();
  }
}

const sides = [...document.querySelectorAll('script[type="application/json"]')]
  .map((element, i) => new Side(i, JSON.parse(element.textContent)));
if (!sides.length) return;

const longest = Math.max(...sides.map(side => side.duration));
const view = {from: 0, to: longest};
let selected = null; // {side, call}
let colours = {};
let framePending = false;

const readColours = () => {
  const style = getComputedStyle(document.documentElement);
  for (const name of ['card', 'text', 'soft', 'line', 'grid', 'load', 'use', 'launch', 'free', 'other',
                      'stall', 'escape', 'prime', 'shade', 'focus', 'bar-text', 'page'])
    colours[name] = style.getPropertyValue('--' + name).trim();
};

// ---- Drawing ----

const fit = (canvas, width, height) => {
  const ratio = window.devicePixelRatio || 1;
  const wide = Math.round(width * ratio), high = Math.round(height * ratio);
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
    canvas.style.height = height + 'px';
  }
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
};

const tickStep = (span, width) => {
  const rough = span / Math.max(2, width / 110);
  const power = 10 ** Math.floor(Math.log10(rough));
  for (const factor of [1, 2, 5, 10]) if (factor * power >= rough) return factor * power;
  return 10 * power;
};

const drawAxis = (context, width, height, x) => {
  const span = view.to - view.from, step = tickStep(span, width);
  context.font = '11px system-ui, sans-serif';
  context.textBaseline = 'middle';
  for (let at = Math.ceil(view.from / step) * step; at <= view.to; at += step) {
    const left = Math.round(x(at)) + .5;
    context.fillStyle = colours.grid;
    context.fillRect(left - .5, AXIS, 1, height);
    context.fillStyle = colours.soft;
    const text = formatMoment(at, step);
    if (left + 4 + context.measureText(text).width < width) context.fillText(text, left + 4, AXIS / 2);
    context.fillRect(left - .5, 4, 1, AXIS - 8);
  }
};

const styleOf = (side, call) => {
  const flags = side.flags[call];
  if (flags & STALL) return colours.stall;
  return colours[GROUPS[side.names[side.purpose[call]]] ?? 'other'];
};

const alphaOf = (side, lane, call) => {
  if (side.matches && !side.matches[call]) return .12;
  if (side.flags[call] & STALL) return 1;
  return lane.isStream ? .7 : side.flags[call] & FIRST ? 1 : .55;
};

const labelOf = (side, call) =>
  side.subject[call] ? shortName(side.readable[side.subject[call]]) : side.names[side.api[call]];

// Calls too narrow to be seen one by one are drawn as one bar, so that what is
// drawn depends on the width of the screen, not on the number of calls.
const drawNarrow = (context, side, lane, top, width) => {
  const scale = width / (view.to - view.from);
  const last = lowerBound(lane.begins, view.to);
  let from = 0, to = -1, colour = '', alpha = 1;
  const flush = () => {
    if (to < from) return;
    context.globalAlpha = alpha;
    context.fillStyle = colour;
    context.fillRect(from, top, Math.max(to - from, 1), BAR);
  };
  for (let k = lowerBound(lane.ends, view.from); k < last; ++k) {
    const call = lane.calls[k], flags = side.flags[call];
    const begin = (side.begin[call] - view.from) * scale, end = begin + side.ns[call] * scale;
    if (flags & (STALL | ESCAPE) || end - begin >= NARROW) continue;
    if (end <= to) continue;
    const itsColour = styleOf(side, call), itsAlpha = alphaOf(side, lane, call);
    if (begin <= to + .5 && (end - to < .5 || (itsColour === colour && itsAlpha === alpha))) {
      to = end;
      continue;
    }
    flush();
    [from, to, colour, alpha] = [begin, end, itsColour, itsAlpha];
  }
  flush();
};

const drawWide = (context, side, lane, call, top, width) => {
  const scale = width / (view.to - view.from), flags = side.flags[call];
  const begin = (side.begin[call] - view.from) * scale;
  const wide = Math.max(side.ns[call] * scale, 3);
  if (begin > width || begin + wide < 0) return;
  // Neighbours are told apart where there is room for it.
  const from = Math.max(begin, -2), to = Math.min(begin + wide - (wide > 4 ? 1 : 0), width + 2);
  context.globalAlpha = alphaOf(side, lane, call);
  context.fillStyle = styleOf(side, call);
  context.fillRect(from, top, to - from, BAR);
  if (flags & ESCAPE) {
    context.strokeStyle = colours.escape;
    context.lineWidth = 2;
    context.strokeRect(from + 1, top + 1, Math.max(to - from - 2, 1), BAR - 2);
  }
  if (flags & STALL) { // Not by colour alone.
    const tip = Math.max(from, 0);
    context.beginPath();
    context.moveTo(tip - 4, top - 6);
    context.lineTo(tip + 4, top - 6);
    context.lineTo(tip, top - 1);
    context.fill();
  }
  if (to - from < 34) return;
  context.save();
  context.beginPath();
  context.rect(Math.max(from, 0), top, Math.min(to, width) - Math.max(from, 0) - 4, BAR);
  context.clip();
  context.fillStyle = colours['bar-text'];
  context.fillText(labelOf(side, call), Math.max(from, 0) + 5, top + BAR / 2 + .5);
  context.restore();
};

const drawCalls = (context, side, lane, top, width) => {
  drawNarrow(context, side, lane, top, width);
  const narrow = NARROW * (view.to - view.from) / width;
  for (const call of lane.longest) { // By length.
    if (side.ns[call] < narrow) break;
    drawWide(context, side, lane, call, top, width);
  }
  // What waited or escaped is drawn last, on top of all that shares its pixels.
  for (const call of lane.marked) drawWide(context, side, lane, call, top, width);
  context.globalAlpha = 1;
};

const drawBusy = (context, lane, top, width, x) => {
  context.fillStyle = colours.text;
  let last = -9;
  for (let k = lowerBound(lane.busy, view.from); k < lane.busy.length && lane.busy[k] <= view.to; ++k) {
    const at = x(lane.busy[k]);
    if (at - last < 3) continue;
    last = at;
    context.beginPath();
    context.arc(at, top + BAR + 4, 2, 0, 7);
    context.fill();
  }
};

const drawSide = side => {
  const {canvas, box} = side;
  const width = box.clientWidth, height = Math.min(side.height, box.clientHeight || side.height);
  if (!width) return;
  const context = fit(canvas, width, height);
  const x = at => (at - view.from) / (view.to - view.from) * width;
  const scrolled = box.scrollTop;
  side.lanes.forEach((lane, i) => {
    const top = AXIS + i * LANE - scrolled;
    if (top + LANE < AXIS || top > height) return;
    context.fillStyle = colours.line;
    if (i) context.fillRect(0, top - 2, width, 1);
  });
  if (side.duration < view.to) { // Nothing was recorded there.
    context.fillStyle = colours.page;
    context.fillRect(Math.max(x(side.duration), 0), 0, width, height);
  }
  drawAxis(context, width, height, x);
  for (const seal of side.seals) {
    if (seal.at < view.from || seal.at > view.to) continue;
    context.fillStyle = colours.escape;
    context.fillRect(x(seal.at), 0, 1.5, height);
    context.fillText(seal.ends ? 'seal ends' : 'seal', x(seal.at) + 5, AXIS - 6);
  }
  context.save();
  context.beginPath();
  context.rect(0, AXIS - 6, width, height);
  context.clip();
  side.lanes.forEach((lane, i) => {
    const top = AXIS + i * LANE - scrolled;
    if (top + LANE < AXIS - 6 || top > height) return;
    drawCalls(context, side, lane, top + LABEL, width);
    if (lane.isStream) drawBusy(context, lane, top + LABEL, width, x);
  });
  for (const priming of side.primings) {
    const top = AXIS + side.laneOfThread[priming.thread] * LANE - scrolled + LABEL;
    const from = x(priming.begin), to = Math.max(x(priming.begin + priming.ns), from + 2);
    context.fillStyle = colours.prime;
    context.fillRect(from, top + BAR - 6, to - from, 9);
  }
  // Names of lanes on top, where a bar cannot cover them.
  context.font = '11px system-ui, sans-serif';
  side.lanes.forEach((lane, i) => {
    const top = AXIS + i * LANE - scrolled;
    if (top + LANE < AXIS || top > height) return;
    const text = lane.title + (lane.calls.length ? '' : ' (none)');
    context.fillStyle = view.from > side.duration ? colours.page : colours.card;
    context.fillRect(0, top, Math.min(context.measureText(text).width + 12, width), LABEL - 5);
    context.fillStyle = colours.soft;
    context.fillText(text, 6, top + LABEL / 2 - 1);
  });
  if (view.from > side.duration) {
    context.textAlign = 'center';
    context.fillText('The recording ended at ' + formatTime(side.duration), width / 2, height / 2);
    context.textAlign = 'start';
  }
  if (selected && selected.side === side) {
    const call = selected.call;
    context.strokeStyle = colours.text;
    context.lineWidth = 2;
    side.lanes.forEach((lane, i) => {
      const isIts = i === side.laneOfThread[side.thread[call]] || (lane.isStream && lane.calls.length &&
        side.stream[call] && lane.calls[lowerBound(lane.begins, side.begin[call])] === call);
      if (!isIts) return;
      const from = x(side.begin[call]), to = Math.max(x(side.end(call)), from + 2);
      context.strokeRect(Math.max(from - 2, -4), AXIS + i * LANE - scrolled + LABEL - 2,
                         Math.min(to, width + 4) - Math.max(from, -4) + 4, BAR + 4);
    });
  }
  context.restore();
};

// All of a recording in one strip, and where the view is.
const drawOverview = side => {
  const canvas = side.overview, width = canvas.clientWidth, height = 30;
  if (!width) return;
  const context = fit(canvas, width, height);
  context.fillStyle = colours.card;
  context.fillRect(0, 0, width, height);
  if (side.densityWidth !== width) {
    side.densityWidth = width;
    side.density = new Uint32Array(width);
    for (let i = 0; i < side.count; ++i)
      ++side.density[Math.min(width - 1, Math.floor(side.begin[i] / longest * width))];
  }
  const most = Math.log1p(side.density.reduce((a, b) => Math.max(a, b), 1));
  context.fillStyle = colours.free;
  context.globalAlpha = .55;
  side.density.forEach((count, i) => {
    const high = Math.log1p(count) / most * (height - 12);
    if (count) context.fillRect(i, height - 4 - high, 1, high);
  });
  context.globalAlpha = 1;
  context.fillStyle = colours.stall;
  for (const call of side.stalls) {
    const from = side.begin[call] / longest * width;
    context.fillRect(from, 3, Math.max(side.ns[call] / longest * width, 2), 5);
  }
  const from = view.from / longest * width, to = view.to / longest * width;
  if (to - from < width - 1) {
    context.fillStyle = colours.shade;
    context.fillRect(from, 0, Math.max(to - from, 2), height);
    context.strokeStyle = colours.focus;
    context.lineWidth = 1;
    context.strokeRect(from + .5, .5, Math.max(to - from, 2) - 1, height - 1);
  }
};

const draw = () => {
  framePending = false;
  for (const side of sides) {
    drawSide(side);
    drawOverview(side);
    side.range.textContent = formatTime(side.duration) + ' recorded' +
      (view.to - view.from < longest ? ', ' + formatTime(view.to - view.from) + ' in view' : '');
  }
};
const redraw = () => {
  if (!framePending) requestAnimationFrame(draw);
  framePending = true;
};

// ---- The view ----

const show = (from, to) => {
  let span = Math.min(Math.max(to - from, SHORTEST_VIEW), longest);
  const middle = (from + to) / 2;
  from = Math.min(Math.max(middle - span / 2, 0), longest - span);
  view.from = from;
  view.to = from + span;
  redraw();
};
// Around a moment; without one around what is selected, if it is in view.
const zoom = (factor, at) => {
  if (at === undefined) {
    const middle = selected && selected.side.begin[selected.call] + selected.side.ns[selected.call] / 2;
    at = selected && middle > view.from && middle < view.to ? middle : (view.from + view.to) / 2;
  }
  show(at - (at - view.from) * factor, at + (view.to - at) * factor);
};
const pan = part => {
  const by = (view.to - view.from) * part;
  const bounded = Math.min(Math.max(by, -view.from), longest - view.to);
  show(view.from + bounded, view.to + bounded);
};

// ---- One call ----

const addRow = (list, name, value, isName) => {
  if (value === '' || value === undefined) return;
  const term = document.createElement('dt'), text = document.createElement('dd');
  term.textContent = name;
  text.textContent = value;
  if (isName) text.className = 'name';
  list.append(term, text);
};

const describe = (side, call) => {
  const panel = $('call'), flags = side.flags[call], more = side.extra[call] ?? {};
  panel.textContent = '';
  const title = document.createElement('strong');
  title.className = 'name';
  title.textContent = side.names[side.api[call]];
  panel.append(title);
  const tag = (text, kind) => {
    const element = document.createElement('span');
    element.className = 'tag ' + kind;
    element.textContent = text;
    panel.append(element);
  };
  if (flags & STALL) tag(flags & BEHIND ? 'stall behind another thread' : 'stall', 'stall');
  if (flags & ESCAPE) tag('escape', 'escape');
  const list = document.createElement('dl');
  const subject = side.subject[call];
  if (sides.length > 1) addRow(list, 'Recording', side.label);
  addRow(list, 'About', subject ? side.readable[subject] : '', true);
  if (subject && side.readable[subject] !== side.names[subject])
    addRow(list, 'Symbol', side.names[subject], true);
  addRow(list, 'Took', formatTime(side.ns[call]) + ' on the host');
  addRow(list, 'Began', formatTime(side.begin[call]) + ' after the first recorded moment');
  addRow(list, 'Thread', side.threads[side.thread[call]].name);
  addRow(list, 'Stream', side.stream[call] ? side.streams[side.stream[call] - 1].name : '');
  addRow(list, 'In flight', (more.inFlight ?? []).map(s => side.streams[s - 1].name).join(', '));
  addRow(list, 'Seen before', flags & FIRST ? 'no: the first like it in this process' : 'yes');
  addRow(list, 'Error', more.error);
  panel.append(list);
};

const select = (side, call, bring) => {
  selected = {side, call};
  describe(side, call);
  if (bring) {
    const span = Math.max(side.ns[call] * 1.6, Math.min(view.to - view.from, longest));
    const middle = side.begin[call] + side.ns[call] / 2;
    if (side.begin[call] < view.from || side.end(call) > view.to || side.ns[call] < (view.to - view.from) / 400) {
      const wanted = Math.min(span, Math.max(side.ns[call] * 8, SHORTEST_VIEW * 10));
      show(middle - wanted / 2, middle + wanted / 2);
    }
    const top = side.laneOfThread[side.thread[call]] * LANE;
    if (top < side.box.scrollTop || top + LANE + AXIS > side.box.scrollTop + side.box.clientHeight)
      side.box.scrollTop = top;
  }
  redraw();
};

// The next of a list of {side, call}, in order, from the selected one.
const step = (entries, forward) => {
  if (!entries.length) return;
  const here = entries.findIndex(e => selected && e.side === selected.side && e.call === selected.call);
  const next = here < 0 ? (forward ? 0 : entries.length - 1) : (here + (forward ? 1 : -1) + entries.length) % entries.length;
  select(entries[next].side, entries[next].call, true);
};
const allStalls = sides.flatMap(side => side.stalls.map(call => ({side, call})));
const stepInLane = forward => {
  if (!selected) return;
  const {side, call} = selected, lane = side.lanes[side.laneOfThread[side.thread[call]]];
  const next = lowerBound(lane.begins, side.begin[call]) + (forward ? 1 : -1);
  if (next >= 0 && next < lane.calls.length) select(side, lane.calls[next], true);
};

const callAt = (side, left, top) => {
  const i = Math.floor((top + side.box.scrollTop - AXIS) / LANE), lane = side.lanes[i];
  if (!lane || top < AXIS) return -1;
  const scale = side.box.clientWidth / (view.to - view.from);
  const at = view.from + left / scale, near = 4 / scale;
  let best = -1, distance = near;
  for (let k = lowerBound(lane.ends, at - near); k < lane.calls.length && lane.begins[k] <= at + near; ++k) {
    const call = lane.calls[k];
    const away = Math.max(side.begin[call] - at, at - side.end(call), 0);
    if (away < distance || (away === distance && side.flags[call] & STALL)) { best = call; distance = away; }
  }
  return best;
};

// ---- Search ----

let found = [];
const search = text => {
  const wanted = text.trim().toLowerCase();
  found = [];
  for (const side of sides) {
    side.matches = null;
    if (!wanted) continue;
    const named = side.names.map((name, i) =>
      name.toLowerCase().includes(wanted) || side.readable[i].toLowerCase().includes(wanted));
    named[0] = false; // The empty name.
    side.matches = new Uint8Array(side.count);
    for (let i = 0; i < side.count; ++i)
      if (named[side.api[i]] || named[side.subject[i]]) {
        side.matches[i] = 1;
        found.push({side, call: i});
      }
  }
  $('found').textContent = !wanted ? '' : found.length + (found.length === 1 ? ' call' : ' calls');
  redraw();
};

// ---- What the reader does ----

const keys = {
  ArrowLeft: () => pan(-.2), ArrowRight: () => pan(.2), '+': () => zoom(1 / 1.6), '=': () => zoom(1 / 1.6),
  '-': () => zoom(1.6), 0: () => show(0, longest), n: () => step(allStalls, true), p: () => step(allStalls, false),
  ',': () => stepInLane(false), '.': () => stepInLane(true),
};

const listen = side => {
  const {box, overview} = side;
  const pointers = new Map();
  let moved = 0;
  const place = event => {
    const area = box.getBoundingClientRect();
    return {left: event.clientX - area.left, top: event.clientY - area.top};
  };
  const timeAt = left => view.from + left / box.clientWidth * (view.to - view.from);
  box.addEventListener('pointerdown', event => {
    if (event.button) return;
    pointers.set(event.pointerId, place(event));
    moved = 0;
  });
  box.addEventListener('pointermove', event => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = place(event);
    const perPixel = (view.to - view.from) / box.clientWidth;
    if (pointers.size === 1) {
      moved += Math.abs(now.left - before.left) + Math.abs(now.top - before.top);
      if (moved > 4) {
        if (!box.hasPointerCapture(event.pointerId)) box.setPointerCapture(event.pointerId);
        box.classList.add('moving');
        pan((before.left - now.left) * perPixel / (view.to - view.from));
        if (event.pointerType === 'mouse') box.scrollTop += before.top - now.top;
      }
    } else if (pointers.size === 2) {
      moved = 9;
      const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, p]) => p);
      const was = Math.max(Math.abs(before.left - other.left), 10), is = Math.max(Math.abs(now.left - other.left), 10);
      zoom(was / is, timeAt((now.left + other.left) / 2));
    }
    pointers.set(event.pointerId, now);
  });
  const lift = event => {
    const at = pointers.get(event.pointerId);
    pointers.delete(event.pointerId);
    box.classList.remove('moving');
    if (!at || moved > 4 || event.type !== 'pointerup') return;
    const call = callAt(side, at.left, at.top);
    if (call >= 0) select(side, call, false);
  };
  box.addEventListener('pointerup', lift);
  box.addEventListener('pointercancel', lift);
  box.addEventListener('wheel', event => {
    // A wheel alone scrolls the page, as everywhere.
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * .01), timeAt(place(event).left));
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      pan((event.deltaX || event.deltaY) / box.clientWidth);
    }
  }, {passive: false});
  box.addEventListener('dblclick', event => zoom(1 / 3, timeAt(place(event).left)));
  box.addEventListener('scroll', redraw);
  box.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = keys[event.key];
    if (event.key === '/') $('search').focus();
    else if (event.key === 'Escape') { selected = null; redraw(); }
    else if (action) action();
    else return;
    event.preventDefault();
  });
  const jump = event => {
    const area = overview.getBoundingClientRect(), span = view.to - view.from;
    const at = (event.clientX - area.left) / area.width * longest;
    const from = Math.min(Math.max(at - span / 2, 0), longest - span);
    show(from, from + span);
  };
  overview.addEventListener('pointerdown', event => {
    overview.setPointerCapture(event.pointerId);
    jump(event);
  });
  overview.addEventListener('pointermove', event => { if (event.buttons) jump(event); });
};

for (const side of sides) {
  side.box = $('lanes-' + side.number);
  side.overview = $('overview-' + side.number);
  side.range = $('range-' + side.number);
  side.canvas = document.createElement('canvas');
  side.height = AXIS + side.lanes.length * LANE + 4;
  const space = document.createElement('div');
  space.className = 'space';
  space.style.height = side.height + 'px';
  side.box.append(space, side.canvas);
  // Two recordings are to be seen together.
  side.box.style.height = Math.min(side.height, sides.length > 1 ? 330 : 620) + 'px';
  listen(side);
}
$('zoom-in').addEventListener('click', keys['+']);
$('zoom-out').addEventListener('click', keys['-']);
$('zoom-all').addEventListener('click', keys[0]);
$('previous').addEventListener('click', keys.p);
$('next').addEventListener('click', keys.n);
$('previous').disabled = $('next').disabled = !allStalls.length;
$('search').addEventListener('input', event => search(event.target.value));
$('search').addEventListener('keydown', event => {
  if (event.key === 'Enter') { step(found, !event.shiftKey); event.preventDefault(); }
});

// Each row of a table of stalls leads to its call.
for (const row of document.querySelectorAll('tr[data-begin]')) {
  const side = sides[row.dataset.side], begin = Number(row.dataset.begin), ns = Number(row.dataset.ns);
  let call = lowerBound(side.begin, begin);
  while (call < side.count && side.begin[call] === begin && side.ns[call] !== ns) ++call;
  if (call >= side.count || side.begin[call] !== begin) continue;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'plain';
  button.textContent = 'Show';
  button.setAttribute('aria-label', 'Show ' + side.names[side.api[call]] + ' at ' + formatTime(begin) + ' in the timeline');
  button.addEventListener('click', () => {
    select(side, call, true);
    $('timeline').scrollIntoView();
    side.box.focus({preventScroll: true});
  });
  row.lastElementChild.append(button);
}

readColours();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readColours(); redraw(); });
new ResizeObserver(redraw).observe($('timeline'));
draw();
})();
