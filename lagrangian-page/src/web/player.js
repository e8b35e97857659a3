// Puts the page together and plays it.
const data = JSON.parse(document.getElementById("data").textContent);
const { times, events } = data;
const [start, end] = [times[0], times.at(-1)];
const [play, scrubber, clock, speed, again, caption] =
  ["play", "scrubber", "clock", "speed", "again", "caption"].map(id => document.getElementById(id));

const [plots, mechanism, model] = ["plots", "mechanism", "model"].map(id => document.getElementById(id));
const parameters = [...plots.querySelectorAll("figure")];
const views = data.plots.map(plot => createPlot(plots, plot, times, events, scrub));
const canvas = document.getElementById("canvas");
if (data.scene) views.push(createScene(canvas, data.scene, times, () => draw()));
canvas.hidden = !data.scene;
const figures = [...plots.querySelectorAll("figure")].filter(figure => !parameters.includes(figure));
if (data.scene?.dimension === 3) showHint(document.getElementById("turning"));

caption.hidden = events.length === 0;
let now = start, playing = false, lastTick = 0, nextTick = 0;

function draw() {
  for (const view of views) view.draw(now);
  scrubber.value = now;
  // Slowed down, hundredths would stand still.
  const shown = now.toFixed(Number(speed.value) < 0.5 ? 3 : 2);
  clock.textContent = `${shown} s`;
  scrubber.setAttribute("aria-valuetext", `${shown} seconds`);
  caption.textContent = events.findLast(event => event.time <= now)?.label ?? "";
}

function seek(time) {
  now = Math.min(end, Math.max(start, time));
  draw();
}

// What the reader does by hand: playing stops.
function scrub(time) {
  setPlaying(false);
  seek(time);
}

function setPlaying(on) {
  playing = on;
  play.textContent = on ? "Pause" : "Play";
  cancelAnimationFrame(nextTick);
  if (!on) return;
  if (now >= end) now = start;
  lastTick = performance.now();
  nextTick = requestAnimationFrame(tick);
}

function tick(stamp) {
  // A tab that was in the background goes on where it stopped.
  const elapsed = Math.min(0.1, Math.max(0, (stamp - lastTick) / 1000));
  lastTick = stamp;
  seek(now + Number(speed.value) * elapsed);
  if (now >= end && again.checked) seek(start);
  if (now >= end) setPlaying(false);
  else nextTick = requestAnimationFrame(tick);
}

function resize() {
  for (const view of views) view.resize();
  arrange();
  draw();
}

// On wide screens there are two columns: each plot goes below the shorter one, and the parameters too, unless that would
// leave the other one even farther behind.
function arrange() {
  const columns = [mechanism.parentElement, plots], gap = parseFloat(getComputedStyle(plots).rowGap);
  plots.append(...figures, ...parameters);
  if (!matchMedia("(min-width: 62rem)").matches) return;
  const height = figure => figure.offsetHeight + gap;
  const ends = [height(mechanism), 0], taken = new Map([...figures, ...parameters].map(figure => [figure, height(figure)]));
  for (const [figure, more] of taken) {
    const shorter = ends[0] < ends[1] ? 0 : 1, missing = Math.abs(ends[0] - ends[1]);
    const below = parameters.includes(figure) && more > 2 * missing;
    (below ? model : columns[shorter])[below ? "prepend" : "append"](figure);
    if (!below) ends[shorter] += more;
  }
}

scrubber.min = start;
scrubber.max = end;
// Arrow keys and dragging alike move by a hundredth of a second or by one five-hundredth of the whole.
scrubber.step = Math.max(0.01, (end - start) / 500);
play.addEventListener("click", () => setPlaying(!playing));
scrubber.addEventListener("input", () => scrub(Number(scrubber.value)));
window.addEventListener("resize", resize);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
document.addEventListener("keydown", event => {
  // A button or a list has these keys for itself, the scrubber its arrows.
  if (["BUTTON", "SELECT", "SUMMARY", "A"].includes(event.target.tagName) || event.target === again) return;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (event.key === " ") setPlaying(!playing);
  else if (step && event.target === document.body) scrub(now + step * Number(scrubber.step));
  else return;
  event.preventDefault();
});

// A speed that is not among those on offer is so from now on.
if (![...speed.options].some(option => Number(option.value) === data.speed)) {
  const above = [...speed.options].find(option => Number(option.value) > data.speed) ?? null;
  speed.insertBefore(new Option(`${data.speed}×`, data.speed), above);
}
speed.value = String(data.speed);
resize();
for (const box of document.querySelectorAll(".wide")) showOverflow(box);
setPlaying(!matchMedia("(prefers-reduced-motion: reduce)").matches);
