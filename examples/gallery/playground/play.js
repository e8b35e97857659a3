// The playground: systems as WebAssembly, stepped while one changes their parameters and pulls at their bodies.
const [about, tabs, caption, pause, again, clock, speed, controls, plots, equations, declaration] =
  ["about", "tabs", "caption", "pause", "again", "clock", "speed", "sliders", "plots", "equations", "declaration"].map(id => document.getElementById(id));
const SECTIONS = { parameters: 16, coordinates: 8, velocities: 8, settings: 4, pull: 8, report: 10, points: 18 };
// What the module answers.
const FAILURES = [
  "", "The mass matrix is singular here.", "The constraints are not independent here: a dead point.",
  "The constraints cannot be met this way.", "The numbers have run away.", "It leaves the bowl.",
];
// As strong as gravity, about.
const PUSH = 10;

const playground = { time: 0, running: false, held: null, keys: new Set(), body: 0 };
let number = 0, system = SYSTEMS[0], canvas = document.getElementById("canvas"), view = null, live = null, trail = null;
let wasm = null, cells = null, lastTick = 0, frames = 0;

async function load() {
  const bytes = Uint8Array.from(atob(document.getElementById("module").textContent.trim()), c => c.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(bytes);
  wasm = instance.exports;
  cells = Object.fromEntries(Object.entries(SECTIONS).map(([name, length], i) =>
    [name, new Float64Array(wasm.memory.buffer, wasm.section(i), length)]));
  document.getElementById("size").textContent = `${Math.round(bytes.length / 1000)} kB of WebAssembly run all four.`;
  for (const box of document.querySelectorAll(".wide")) showOverflow(box);
  for (const { id, title } of SYSTEMS) element(tabs, null, "a", { href: `#${id}`, id: `tab-${id}` }, title);
  choose();
  listen();
  setRunning(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  requestAnimationFrame(tick);
}

// A text of the module: names of parameters (0) and coordinates (1) one by one, equations (2).
function textOf(kind, index = 0) {
  const place = BigInt.asUintN(64, wasm.text(number, kind, index));
  const bytes = new Uint8Array(wasm.memory.buffer, Number(place & 0xffffffffn), Number(place >> 32n));
  return place === 0n ? null : new TextDecoder().decode(bytes);
}

function parameterIndex(name) {
  for (let i = 0, known; (known = textOf(0, i)) !== null; i++) if (known === name) return i;
  throw new Error(`no parameter ${name}`);
}

// The system that the address names.
function choose() {
  number = Math.max(0, SYSTEMS.findIndex(({ id }) => `#${id}` === location.hash));
  system = SYSTEMS[number];
  for (const tab of tabs.children) {
    if (tab.id === `tab-${system.id}`) tab.setAttribute("aria-current", "page"); else tab.removeAttribute("aria-current");
  }
  about.textContent = system.about;
  equations.innerHTML = textOf(2);
  declaration.replaceChildren(document.getElementById(`declaration-${system.id}`).content.cloneNode(true));
  cells.parameters.fill(0);
  cells.settings.fill(0);
  playground.body = 0;
  view = null;
  playground.keys.clear();
  release();
  showControls();
  start();
}

function start() {
  report(wasm.start(number));
  Object.assign(playground, { time: 0, turned: 0 });
  trail = { times: [], frames: [] };
  // Another canvas for another camera.
  const other = canvas.cloneNode();
  canvas.replaceWith(other);
  canvas = other;
  canvas.className = "";
  canvas.setAttribute("aria-label", system.title);
  canvas.tabIndex = 0;
  canvas.dataset.arrows = "push";
  listenToHand();
  live = createHistory(plots, system);
  // An instant before, for there to be a line.
  live.push(-1 / 60, cells.report);
  live.push(0, cells.report);
  fit();
  live.draw();
}

// Another view, for other lengths.
function fit() {
  const { parameters } = state();
  playground.scene = { dimension: system.dimension, about: system.title, shapes: [], bounds: system.bounds?.(parameters), ball: system.ball?.(parameters), look: system.look };
  view = createScene(canvas, playground.scene, trail.times, draw);
  view.resize();
  draw();
}

function state() {
  return { parameters: Object.fromEntries(system.sliders.map(({ name, index }) => [name, cells.parameters[index]])), points: [...cells.points] };
}

function draw() {
  const { parameters, points } = state(), scene = playground.scene, bounds = scene.bounds;
  if (bounds && system.follow) system.follow(bounds, points);
  scene.shapes = system.draw(parameters, points, {
    bounds, turned: playground.turned,
    trail(ink, seconds, now) {
      // Two instants at least.
      while (trail.frames.length < 2 || trail.times.at(-1) < playground.time) {
        trail.times.push(trail.frames.length === 0 ? playground.time - 1e-3 : playground.time);
        trail.frames.push(now);
      }
      while (trail.times.length > 2 && trail.times[0] < playground.time - seconds) { trail.times.shift(); trail.frames.shift(); }
      return { kind: "trail", name: "", ink, size: seconds, frames: trail.frames };
    },
  });
  addHand(scene.shapes, points);
  view.draw(playground.time);
  clock.textContent = `${playground.time.toFixed(1)} s`;
}

// The pull as an arrow with its strength.
function addHand(shapes, points) {
  const force = Math.hypot(...cells.report.slice(7));
  const handles = system.handles(points), chosen = handles[playground.body];
  if (playground.held) {
    const to = playground.held.to.slice(0, system.dimension);
    shapes.push(shape("arrow", "green", 0, handles[playground.held.number], to), shape("mark", "green", 0, handles[playground.held.number]));
    const [x, y] = view.onCanvas(to), over = view.inScene([x, y - 12], to);
    shapes.push({ ...shape("label", "green", 0, over), name: `${force.toPrecision(2)} N` });
  } else if (playground.keys.size > 0) {
    shapes.push(shape("mark", "green", 0, chosen));
  }
}

// Says what went wrong, and stops there.
function report(code, undo) {
  caption.textContent = FAILURES[code];
  if (code === 0) return true;
  if (undo) undo(); else { setRunning(false); caption.textContent += " Start over."; }
  return false;
}

// Goes on by some seconds.
function advance(time) {
  if (!report(wasm.advance(number, time))) return;
  playground.time += time;
  playground.turned += time * (state().parameters.spin ?? 0);
  if (frames % 2 === 0) live.push(playground.time, cells.report);
  frames += 1;
}

function tick(stamp) {
  // A tab that was in the background goes on where it stopped.
  const elapsed = Math.min(0.1, Math.max(0, (stamp - lastTick) / 1000));
  lastTick = stamp;
  if (playground.running && elapsed > 0) {
    push();
    advance(Number(speed.value) * elapsed);
    draw();
    if (frames % 6 === 0) live.draw();
  }
  requestAnimationFrame(tick);
}

function setRunning(on) {
  playground.running = on;
  pause.textContent = on ? "Pause" : "Go on";
}

// Sliders of the parameters and of the motor, and what is done about drift.
function showControls() {
  controls.replaceChildren();
  for (const parameter of system.sliders) {
    parameter.index = parameterIndex(parameter.name);
    cells.parameters[parameter.index] = parameter.value;
    addSlider(parameter, value => change(parameter, value));
  }
  for (const setting of system.settings) {
    cells.settings[setting.at] = setting.value;
    if ("low" in setting) addSlider(setting, value => { cells.settings[setting.at] = value; });
    else addSwitch(setting);
  }
  if (system.constrained) addDrift();
}

// Where the system cannot follow, the slider goes back.
function change(parameter, value) {
  const before = cells.parameters[parameter.index];
  cells.parameters[parameter.index] = value;
  const done = report(wasm.adapt(number), () => { cells.parameters[parameter.index] = before; });
  // Lengths that the view depends on.
  if (done && parameter.unit === "m") fit();
  if (!playground.running) draw();
  return cells.parameters[parameter.index];
}

function addSlider({ name, label, unit, low, high, step, value }, set) {
  const row = element(controls, null, "label", { class: "slider" });
  const words = element(row, null, "span", {});
  words.append(`${label} `);
  if (name) element(words, null, "code", {}, name);
  const shown = element(row, null, "output", {});
  const input = element(row, null, "input", { type: "range", min: low, max: high, step, value, "data-name": name ?? label });
  const digits = Math.max(0, Math.ceil(-Math.log10(step)));
  const show = value => { shown.textContent = `${minus(value.toFixed(digits))} ${unit}`; };
  show(value);
  input.addEventListener("input", () => {
    const taken = set(Number(input.value)) ?? Number(input.value);
    input.value = taken;
    show(taken);
  });
}

function addSwitch({ label, at, value }) {
  const row = element(controls, null, "label", { class: "switch" });
  const input = element(row, null, "input", { type: "checkbox" });
  input.checked = value !== 0;
  row.append(` ${label}`);
  input.addEventListener("change", () => { cells.settings[at] = Number(input.checked); });
}

function addDrift() {
  const row = element(controls, null, "label", { class: "switch" });
  row.append("constraints ");
  const select = element(row, null, "select", { id: "drift" });
  ["projected after each step", "stabilised after Baumgarte", "left to drift"].forEach((words, i) => element(select, null, "option", { value: i }, words));
  select.addEventListener("change", () => { cells.settings[3] = Number(select.value); });
}

// The hand: a spring from a point of a body to the pointer.
function listenToHand() {
  canvas.addEventListener("pointerdown", event => {
    const number = grab(event, event.pointerType === "mouse" ? 60 : 90);
    if (number === null) return;
    canvas.setPointerCapture(event.pointerId);
    canvas.classList.add("held");
    playground.body = number;
    playground.held = { number, to: [0, 0, 0] };
    lead(event);
    if (!playground.running && caption.textContent === "") setRunning(true);
  });
  canvas.addEventListener("pointermove", event => { if (playground.held) lead(event); });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, release);
  // A finger on a body does not scroll the page.
  canvas.addEventListener("touchstart", event => { if (grab(event.touches[0], 90) !== null) event.preventDefault(); }, { passive: false });
}

function pixel(event) {
  const { left, top } = canvas.getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}

// The number of the point that is nearest, if it is near; of the ball the point that is touched.
function grab(event, near) {
  const at = pixel(event), { parameters, points } = state();
  if (system.dimension === 3) return touchBall(at, parameters, points);
  const distances = system.handles(points).map(point => Math.hypot(...view.onCanvas(point).map((part, k) => part - at[k])));
  const least = Math.min(...distances);
  return least < near ? distances.indexOf(least) : null;
}

function touchBall(at, { r }, points) {
  const middle = points.slice(0, 3), { towards } = view.camera.axes();
  const flat = add(view.inScene(at, middle), middle, -1), beside = Math.hypot(...flat);
  if (beside > 1.3 * r) return null;
  const arm = beside < r ? add(flat, towards, Math.sqrt(r * r - beside * beside)) : flat.map(part => part * r / beside);
  hold([3, 6, 9].map(k => dot(points.slice(k, k + 3), arm)));
  return 0;
}

// Where the ball is held, in its own axes.
function hold(grip) {
  const first = parameterIndex("grip[0]");
  grip.forEach((part, k) => { cells.parameters[first + k] = part; });
}

function lead(event) {
  const through = system.handles(state().points)[playground.held.number];
  const to = view.inScene(pixel(event), playground.held.through ??= through);
  playground.held.to = [...(system.within?.(state().parameters, to) ?? to), 0].slice(0, 3);
}

function release() {
  playground.held = null;
  canvas.classList.remove("held");
  push();
}

// What hand and keys do, for the module.
function push() {
  const { held, keys, body } = playground;
  const way = (more, less) => Number(keys.has(more)) - Number(keys.has(less));
  const right = PUSH * way("ArrowRight", "ArrowLeft"), up = PUSH * way("ArrowUp", "ArrowDown");
  let force = [right, up, 0];
  if (view?.camera) {
    const axes = view.camera.axes(), away = unit([-axes.towards[0], -axes.towards[1], 0]);
    // From rest it gets up the wall, and not over the rim.
    force = add(axes.right.map(part => part * right / 2), away, up / 2);
  }
  cells.pull.set([held?.number ?? body, held ? 1 : 0, ...(held?.to ?? [0, 0, 0]), ...force]);
}

// Once the module is there: before, there is nothing to draw or to push.
function listen() {
  addEventListener("hashchange", choose);
  pause.addEventListener("click", () => setRunning(!playground.running));
  again.addEventListener("click", () => { start(); setRunning(true); });
  addEventListener("resize", () => { view.resize(); draw(); live.draw(); });
  addEventListener("blur", () => playground.keys.clear());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw());
  addEventListener("keyup", event => playground.keys.delete(event.key));
  addEventListener("keydown", event => {
    // Sliders, lists and buttons have these keys for themselves.
    if (["INPUT", "SELECT", "BUTTON", "SUMMARY", "A"].includes(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.startsWith("Arrow")) {
      if (system.dimension === 3 && playground.keys.size === 0 && !playground.held) hold([0, 0, 0]);
      playground.keys.add(event.key);
    } else if (event.key === " ") setRunning(!playground.running);
    else if (event.key === "r") again.click();
    else if (Number(event.key) >= 1 && Number(event.key) <= system.bodies.length) playground.body = Number(event.key) - 1;
    else return;
    event.preventDefault();
  });
}

load();
