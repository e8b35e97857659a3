// The page: reads the text while one types, and moves what it declares.
const [menu, text, layer, verdictOfText, messages, caption, pause, again, clock, speed, sliders, starts, plots, equations, listing] =
  ["menu", "text", "layer", "verdict-of-text", "messages", "caption", "pause", "again", "clock", "speed", "sliders", "starts", "plots", "equations", "listing"]
    .map(id => document.getElementById(id));
// The longest step [s], and the most time that a frame may take [ms].
const STEP = 1 / 960, BUDGET = 24;
// The first seconds, which the view encloses, and the most time to look ahead [ms].
const AHEAD = 4, LOOK = 30;
const NOTHING = "There is nothing to draw. Name a point, pub let p = [x, y]; or declare a body or a spring.";

const playground = {
  // The text of the model that moves, and the model; null before the first.
  good: null, model: null,
  // By name: what the reader has set, or a link.
  set: new Map(), start: new Map(),
  // The present values by name.
  values: new Map(), state: null,
  running: false, stopped: "", took: 0, parts: null,
};
let canvas = document.getElementById("canvas"), stage = null, live = null, waiting = 0, lastTick = 0, frames = 0, pace = 0, recovering = false;

const textOf = id => document.getElementById(`system-${id}`).content.textContent.trimStart();

async function load() {
  const size = await loadModule();
  document.getElementById("size").textContent = `${(size / 1e6).toFixed(1)} MB of WebAssembly read the text, derive the equations and move the system.`;
  for (const box of document.querySelectorAll(".wide")) showOverflow(box);
  for (const { id, title } of SYSTEMS) element(menu, null, "option", { value: id }, title);
  element(menu, null, "option", { value: "", hidden: "" }, "a text of your own");
  listen();
  choose();
  setRunning(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  requestAnimationFrame(tick);
}

// What the address names: a text with its values, or an entry of the menu.
function choose() {
  const hash = new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B"));
  const pairs = name => (hash.get(name) ?? "").split(";").map(pair => pair.split("=")).filter(pair => pair.length === 2 && Number.isFinite(Number(pair[1])));
  const numbers = name => new Map(pairs(name).map(([key, value]) => [key, Number(value)]));
  if (hash.has("text")) {
    menu.value = "";
    [playground.set, playground.start] = [numbers("set"), numbers("start")];
    show(hash.get("text"));
    return;
  }
  const system = SYSTEMS.find(({ id }) => hash.has(id)) ?? SYSTEMS[0];
  menu.value = system.id;
  [playground.set, playground.start] = [new Map(), new Map(Object.entries(system.start))];
  show(textOf(system.id));
}

// The address of this text with the values that differ from its own.
function linkOf() {
  const list = values => [...values].map(([name, value]) => `${name}=${value}`).join(";");
  const parts = [["text", text.value], ["set", list(playground.set)], ["start", list(playground.start)]];
  const hash = parts.filter(([, value]) => value !== "").map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return `${location.href.split("#")[0]}#${hash}`;
}

function show(declaration) {
  text.value = declaration;
  readText();
}

// Reads the text. With mistakes, the model before goes on.
function readText() {
  clearTimeout(waiting);
  waiting = 0;
  const declaration = text.value, before = performance.now();
  const reply = guarded(() => readDeclaration(declaration));
  if (reply === null) {
    paintText(layer, declaration, []);
    listMessages(messages, [], () => {});
    verdictOfText.textContent = "This text cannot be read: it is too long, or the reader has a mistake of its own. The text before goes on.";
    return;
  }
  playground.took = performance.now() - before;
  paintText(layer, declaration, reply.messages);
  listMessages(messages, reply.messages, goTo);
  const count = reply.messages.length, kind = reply.model ? "warning" : "mistake";
  const found = count === 0 ? "No mistakes" : `${count} ${kind}${count > 1 ? "s" : ""}`;
  verdictOfText.textContent = `${found}, read in ${Math.ceil(playground.took)} ms${reply.model || !playground.good ? "." : ". The text before goes on."}`;
  if (reply.model) adopt(declaration, reply.model);
}

function goTo(message) {
  const { from, to } = rangeOf(text.value.split("\n"), message);
  text.focus();
  text.setSelectionRange(from, to);
}

function adopt(declaration, model) {
  Object.assign(playground, { good: declaration, model });
  showControls();
  start();
  // Long ones are derived when the messages are shown.
  setTimeout(() => {
    if (playground.good !== declaration || recovering) return;
    const written = guarded(() => answerOf(wasm.words(0)));
    if (written !== null) equations.innerHTML = written;
  });
}

// Calls the module. If it traps, it begins anew with the last good text, and the value is null.
function guarded(work) {
  if (recovering || wasm === null) return null;
  try {
    return work();
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
    recover();
    return null;
  }
}

async function recover() {
  recovering = true;
  await begin();
  recovering = false;
  const { good } = playground;
  if (good === null) return;
  try {
    readDeclaration(good);
    restart();
  } catch {
    // The module begins anew once more; nothing moves until another text is read.
    Object.assign(playground, { good: null, model: null });
    stage = null;
    await begin();
  }
}

const driving = () => [...playground.model.parameters, ...playground.model.inputs].map(({ name }) => playground.values.get(name));

// From the values at the start.
function start() {
  playground.stopped = "";
  const { coordinates, velocities, states } = playground.model;
  const values = [...coordinates, ...velocities, ...states].map(({ name, value }) => playground.start.get(name) ?? value);
  const figure = guarded(() => startModel([...driving(), ...values]));
  stage = live = null;
  if (figure === null) return;
  if (figure.error) {
    stop(`At the start: ${figure.error}.`);
    clock.textContent = "0.0 s";
    plots.replaceChildren();
    return;
  }
  // The view encloses the first seconds.
  const first = partsOf(reportModel(), playground.model);
  let seen = boxOf(first.points, figure.dimension);
  const until = performance.now() + LOOK;
  const looked = guarded(() => {
    for (let time = 0; time < AHEAD && performance.now() < until; time += 1 / 30) {
      if (answerOf(wasm.advance(1 / 30, 1 / 240)) !== "") break;
      const { points } = partsOf(reportModel(), playground.model), box = boxOf(points, figure.dimension);
      if (lengthOf(union(seen, box)) > 4 * (lengthOf(seen) || 1)) break;
      seen = union(seen, box);
    }
    return startModel([...driving(), ...values]);
  });
  if (looked === null) return;
  // Another canvas for another camera.
  const other = canvas.cloneNode();
  canvas.replaceWith(other);
  canvas = other;
  canvas.className = "";
  const turning = document.getElementById("turning");
  turning.hidden = true;
  canvas.hidden = figure.shapes.length === 0;
  if (!canvas.hidden) {
    stage = createStage(canvas, figure, seen, draw);
    stage.scene.about = playground.model.name;
    canvas.setAttribute("aria-label", playground.model.name);
    if (figure.dimension === 3) showHint(turning);
  }
  caption.textContent = canvas.hidden ? NOTHING : "";
  playground.parts = first;
  live = createHistory(plots, playground.model, first);
  [pace, frames] = [0, 0];
  draw();
  live.draw();
}

// After a trap: where it was.
function restart() {
  const { q, v, z } = playground.parts ?? {};
  if (!q) return start();
  const figure = startModel([...driving(), ...q, ...v, ...z]);
  if (figure.error) start();
}

function draw() {
  if (playground.parts === null) return;
  stage?.draw(playground.parts.t, playground.parts.points);
  clock.textContent = `${playground.parts.t.toFixed(1)} s`;
}

// Says what went wrong, and stops there.
function stop(reason) {
  playground.stopped = reason;
  caption.textContent = reason;
}

// Goes on by some seconds.
function advance(time) {
  if (playground.model === null || live === null || playground.stopped !== "") return false;
  const before = performance.now();
  const reason = guarded(() => answerOf(wasm.advance(time, STEP)));
  if (reason === null) return false;
  if (reason !== "") {
    stop(`The motion ends ${reason}.`);
    return false;
  }
  pace = (performance.now() - before) / time;
  playground.parts = partsOf(reportModel(), playground.model);
  if (frames % 2 === 0) live.push(playground.parts);
  frames += 1;
  return true;
}

function tick(stamp) {
  // A tab that was in the background goes on where it stopped, and a large system goes slower than time.
  const elapsed = Math.min(0.1, Math.max(0, (stamp - lastTick) / 1000)), most = pace > 0 ? BUDGET / pace : Infinity;
  lastTick = stamp;
  if (playground.running && elapsed > 0 && advance(Math.min(Number(speed.value) * elapsed, most))) {
    draw();
    if (frames % 6 === 0) live.draw();
  }
  requestAnimationFrame(tick);
}

function setRunning(on) {
  playground.running = on;
  pause.textContent = on ? "Pause" : "Go on";
}

// Sliders of parameters and inputs, and fields for the start. What the reader has set stays as long as its name does.
function showControls() {
  const { parameters, inputs, coordinates, velocities, states } = playground.model;
  sliders.replaceChildren();
  starts.replaceChildren();
  playground.values.clear();
  for (const parameter of parameters) addSlider(parameter, rangeOfValue(parameter.value));
  for (const input of inputs) addSlider(input, [-10, 10]);
  if (parameters.length + inputs.length === 0) sliders.append("There are none.");
  for (const each of [...coordinates, ...velocities, ...states]) addStart(each);
}

// Around a value.
function rangeOfValue(value) {
  if (value === 0) return [-3, 3];
  const far = niceStep(2.5 * Math.abs(value));
  return value > 0 ? [0, far] : [-far, 0];
}

function addRow(parent, { name, unit: of, doc }, type) {
  const row = element(parent, null, "label", { class: "slider", title: doc === "" ? name : `${name}: ${doc}` });
  element(row, null, "code", {}, name);
  const field = element(row, null, "input", { type: "number", step: "any", "data-name": name });
  element(row, null, "span", { class: "unit" }, of === "1" ? "" : of);
  const range = type === "range" ? element(row, null, "input", { type, "data-name": name, "aria-label": name }) : null;
  return { field, range };
}

const shown = value => Number(value.toPrecision(6));

function addSlider(variable, [low, high]) {
  const { name, value } = variable, { field, range } = addRow(sliders, variable, "range");
  const now = playground.set.get(name) ?? value;
  Object.assign(range, { min: Math.min(low, now), max: Math.max(high, now), step: (high - low) / 200 });
  const display = number => { field.value = shown(number); range.value = number; };
  playground.values.set(name, now);
  display(now);
  const take = (number, other) => {
    if (!Number.isFinite(number)) return;
    const taken = change(name, number);
    if (taken === number) other.value = shown(taken); else display(taken);
  };
  range.addEventListener("input", () => take(Number(range.value), field));
  field.addEventListener("input", () => { if (field.value !== "") take(Number(field.value), range); });
}

// Where the system cannot follow, the value stays as it was.
function change(name, value) {
  const before = playground.values.get(name);
  playground.values.set(name, value);
  playground.set.set(name, value);
  if (playground.stopped !== "" || live === null) {
    start();
    return value;
  }
  const figure = guarded(() => adaptModel(driving()));
  if (figure === null) return value;
  if (figure.error) {
    playground.values.set(name, before);
    playground.set.set(name, before);
    caption.textContent = `${name} stays: ${figure.error}.`;
    return before;
  }
  caption.textContent = canvas.hidden ? NOTHING : "";
  if (stage && !stage.adapt(figure)) {
    start();
    return value;
  }
  playground.parts = partsOf(reportModel(), playground.model);
  draw();
  return value;
}

function addStart(variable) {
  const { name, value } = variable, { field } = addRow(starts, variable);
  field.value = shown(playground.start.get(name) ?? value);
  field.addEventListener("input", () => {
    const number = Number(field.value);
    if (field.value === "" || !Number.isFinite(number)) return;
    playground.start.set(name, number);
    start();
  });
}

// Shows a text, and copies it where the browser allows that.
async function copy(title, content) {
  if (content === null) return;
  listing.hidden = false;
  const heading = document.getElementById("listing-title");
  heading.textContent = title;
  document.getElementById("copied").textContent = content;
  try {
    await navigator.clipboard.writeText(content);
    heading.textContent = `${title}: copied`;
  } catch {
    heading.textContent = `${title}: copy it from here`;
  }
}

// Once the module is there: before, there is nothing to read or to move.
function listen() {
  addEventListener("hashchange", choose);
  menu.addEventListener("change", () => {
    history.replaceState(null, "", `#${menu.value}`);
    choose();
  });
  text.addEventListener("input", () => {
    menu.value = "";
    // The letters are those of the layer.
    paintText(layer, text.value, []);
    clearTimeout(waiting);
    // A text that takes long is read when the typing pauses.
    waiting = setTimeout(readText, Math.min(400, Math.max(20, 1.5 * playground.took)));
  });
  pause.addEventListener("click", () => setRunning(!playground.running));
  again.addEventListener("click", () => {
    if (playground.model === null) return;
    start();
    setRunning(true);
  });
  document.getElementById("link").addEventListener("click", () => {
    const link = linkOf();
    history.replaceState(null, "", link);
    copy("Link", link);
  });
  ["rust", "c", "python"].forEach((id, at) => document.getElementById(id).addEventListener("click", () => {
    if (playground.model !== null) copy({ rust: "Rust", c: "C", python: "Python" }[id], guarded(() => answerOf(wasm.words(at + 1))));
  }));
  addEventListener("resize", () => { stage?.resize(); draw(); live?.draw(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}

load();
