// Ten thousand double pendulums from almost the same place, and the growth of their distances.
const [caption, pause, again, clock, speed, plots, equations] =
  ["caption", "pause", "again", "clock", "speed", "plots", "equations"].map(id => document.getElementById(id));
// As many as the module has room for, and as many as it steps itself.
const MOST = 10000, FEWER = 1000;
const H = 1 / 480, PARAMETERS = [1, 1, 1, 1, 9.81];
// The angle of the first upper rods, and the difference to that of the last ones [rad].
const START = 2.2, SPREAD = 0.01;
// The plots show so many seconds.
const WINDOW = 20;
const LOST = "The graphics device was lost";

let canvas = document.getElementById("canvas"), wasm = null, cells = null, energies = null;
let swarm = null, starts = 0, time = 0, running = false, busy = false, lastTick = 0, frames = 0, history = null, colors = null;

function textOf(kind) {
  const place = BigInt.asUintN(64, wasm.text(kind));
  return new TextDecoder().decode(new Uint8Array(wasm.memory.buffer, Number(place & 0xffffffffn), Number(place >> 32n)));
}

async function load() {
  const bytes = Uint8Array.from(atob(document.getElementById("module").textContent.trim()), c => c.charCodeAt(0));
  wasm = (await WebAssembly.instantiate(bytes)).instance.exports;
  cells = new Float64Array(wasm.memory.buffer, wasm.states(), 4 * MOST);
  equations.innerHTML = textOf(1);
  readColors();
  for (const box of document.querySelectorAll(".wide")) showOverflow(box);
  await start();
  listen();
  setRunning(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  requestAnimationFrame(tick);
}

// All at rest, with both rods at one angle.
function initial(count) {
  const states = new Float32Array(4 * count);
  for (let i = 0; i < count; i++) states[i] = states[count + i] = START + SPREAD * i / (count - 1);
  return { parameters: PARAMETERS, states, count };
}

// From the beginning, by the shader or, for a reason, without it.
async function start(reason) {
  const mine = starts += 1;
  swarm?.end();
  swarm = history = null;
  time = 0;
  // A canvas keeps the kind of its first context.
  const other = canvas.cloneNode();
  canvas.replaceWith(other);
  canvas = other;
  let made = null;
  if (!reason) {
    const paint = document.getElementById("paint").textContent;
    made = await createShaderSwarm(canvas, textOf(0), paint, initial(MOST)).catch(({ message }) => { reason = message; });
    made?.lost.then(() => { if (mine === starts) start(LOST); });
  }
  made ??= createModuleSwarm(canvas, wasm, cells, MOST, initial(FEWER), reason);
  // Another start overtook this one.
  if (mine !== starts) return made.end();
  swarm = made;
  caption.textContent = swarm.words;
  plots.replaceChildren();
  draw();
  await guarded(look);
}

// Work that fails if the device is lost: then the module begins.
async function guarded(work) {
  const mine = starts;
  try {
    await work();
  } catch (error) {
    if (mine !== starts) return;
    if (!swarm.lost) throw error;
    await start(LOST);
  }
}

// A color of the style sheet as numbers up to 1.
function color(name) {
  const context = document.createElement("canvas").getContext("2d");
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);
  const hex = parseInt(context.fillStyle.slice(1), 16);
  return [hex >> 16, hex >> 8 & 255, hex & 255].map(part => part / 255);
}

function readColors() {
  colors = { card: color("card"), first: color("blue"), last: color("orange") };
}

function draw() {
  const width = canvas.clientWidth, height = Math.round(Math.min(width, Math.max(240, 0.65 * innerHeight)));
  const ratio = window.devicePixelRatio || 1, pixels = [width, height].map(side => Math.round(side * ratio));
  if (canvas.width !== pixels[0] || canvas.height !== pixels[1]) {
    canvas.style.height = `${height}px`;
    [canvas.width, canvas.height] = pixels;
  }
  const scale = Math.min(width, height) / 2 / 2.1;
  swarm.draw({ width, height, ratio, scale, radius: 1.5 / scale, ...colors });
  clock.textContent = `${time.toFixed(1)} s`;
}

// Measures the states: the distance of the lower bobs from their middle, and the largest change of an energy.
async function look() {
  const mine = starts, { count, words } = swarm, { states, stopped } = await swarm.read();
  if (mine !== starts) return;
  if (states) for (let k = 0; k < 4; k++) cells.set(states.subarray(k * count, (k + 1) * count), k * MOST);
  if (stopped > 0) caption.textContent = `${words} ${stopped} stopped.`;
  const now = Float64Array.from({ length: count }, (_, i) => wasm.energy(i));
  if (!history) energies = now;
  let [error, x, y, square] = [0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const [a, b] = [cells[i], cells[MOST + i]];
    const [right, up] = [Math.sin(a) + Math.sin(b), -Math.cos(a) - Math.cos(b)];
    [x, y, square] = [x + right / count, y + up / count, square + (right * right + up * up) / count];
    error = Math.max(error, Math.abs(now[i] - energies[i]));
  }
  record(time, Math.sqrt(Math.max(0, square - x * x - y * y)), error);
}

function record(at, distance, error) {
  if (!history) {
    const line = (name, ink) => ({ name, ink, values: [] });
    history = { times: [], views: [], plots: [
      { title: "Distance from the middle of the lower bobs", unit: "m", log: true, lines: [line("root mean square", "violet")] },
      { title: "Energy error", unit: "J", log: true, lines: [line("largest", "body")] },
    ] };
  }
  const { times, plots: [distances, errors] } = history;
  if (times.at(-1) === at) return;
  times.push(at);
  distances.lines[0].values.push(distance);
  errors.lines[0].values.push(error);
  while (times[0] < at - WINDOW) for (const list of [times, distances.lines[0].values, errors.lines[0].values]) list.shift();
  if (times.length < 2) return;
  if (history.views.length === 0) history.views = history.plots.map(plot => createPlot(plots, plot, times, [], () => {}));
  for (const view of history.views) {
    view.resize();
    view.draw(at);
  }
}

async function advance(steps) {
  await swarm.advance(H, steps);
  time += steps * H;
  draw();
  frames += 1;
  if (frames % 6 === 0) await look();
}

async function tick(stamp) {
  // A tab that was in the background goes on where it stopped, and a slow device takes its time.
  const elapsed = Math.min(0.05, Math.max(0, (stamp - lastTick) / 1000));
  lastTick = stamp;
  requestAnimationFrame(tick);
  if (!running || !swarm || busy || elapsed === 0) return;
  busy = true;
  await guarded(() => advance(Math.max(1, Math.round(Number(speed.value) * elapsed / H))));
  busy = false;
}

function setRunning(on) {
  running = on;
  pause.textContent = on ? "Pause" : "Go on";
}

function listen() {
  pause.addEventListener("click", () => setRunning(!running));
  again.addEventListener("click", async () => {
    await start();
    setRunning(true);
  });
  const redraw = () => { if (swarm) draw(); };
  addEventListener("resize", () => {
    redraw();
    for (const view of history?.views ?? []) {
      view.resize();
      view.draw(time);
    }
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColors(); redraw(); });
  addEventListener("keydown", event => {
    if (["SELECT", "BUTTON", "A"].includes(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " ") setRunning(!running);
    else if (event.key === "r") again.click();
    else return;
    event.preventDefault();
  });
}

load();
