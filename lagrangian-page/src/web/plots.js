// Line plots as SVG, so that they follow the color scheme by themselves. `scrub` is called with a time picked in a plot.
const SVG = "http://www.w3.org/2000/svg";
const MARGIN = { left: 52, right: 8, top: 16, bottom: 22 };

function element(parent, namespace, name, attributes, text) {
  const node = namespace ? document.createElementNS(namespace, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
}

// A plot over an axis of its own has neither events nor a cursor.
function createPlot(parent, plot, timeline, occasions, scrub) {
  const times = plot.axis?.places ?? timeline, events = plot.axis ? [] : occasions, unit = plot.axis?.unit ?? "s";
  const figure = element(parent, null, "figure", {});
  const keys = createLegend(figure, plot);
  const svg = element(figure, SVG, "svg", { role: "img", "aria-label": describePlot(plot, times, unit) });
  const smallest = smallestReading(plot);
  let axes = null, cursor = null;

  function resize() {
    const width = svg.clientWidth, height = Math.round(Math.min(210, Math.max(150, 0.4 * width)));
    svg.setAttribute("height", height);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.replaceChildren();
    axes = createAxes(width, height, times, plotRange(plot), plot.log);
    drawGrid(svg, axes, events, unit);
    for (const line of plot.lines) {
      element(svg, SVG, "path", { class: "curve", stroke: `var(--${line.ink})`, d: curve(axes, times, line.values) });
    }
    for (const line of plot.lines) drawEnding(svg, axes, times, line);
    if (plot.axis) return;
    const at = { x1: 0, x2: 0, y1: axes.top, y2: axes.bottom };
    cursor = {
      line: element(svg, SVG, "line", { class: "cursor", ...at }),
      dots: plot.lines.map(line => element(svg, SVG, "circle", { r: 3.5, fill: `var(--${line.ink})` })),
    };
  }

  function draw(time) {
    if (plot.axis) return;
    const x = axes.x(time);
    cursor.line.setAttribute("x1", x);
    cursor.line.setAttribute("x2", x);
    plot.lines.forEach((line, i) => {
      const value = valueAt(line.values, framePosition(times, time));
      const shown = value !== null && (!plot.log || value > 0);
      keys[i].textContent = value === null ? "–" : formatValue(value, smallest);
      cursor.dots[i].setAttribute("visibility", shown ? "visible" : "hidden");
      if (!shown) return;
      cursor.dots[i].setAttribute("cx", x);
      cursor.dots[i].setAttribute("cy", axes.y(value));
    });
  }

  function pick(event) {
    if (event.type === "pointermove" && event.buttons === 0) return;
    scrub(axes.timeAt(event.clientX - svg.getBoundingClientRect().left));
  }
  if (!plot.axis) {
    svg.addEventListener("pointerdown", pick);
    svg.addEventListener("pointermove", pick);
  }
  return { resize, draw };
}

// The title and one entry per line; returns the elements that show the values at the cursor.
function createLegend(figure, plot) {
  const caption = element(figure, null, "figcaption", {});
  const title = element(caption, null, "strong", {}, `${plot.title} `);
  if (plot.unit) element(title, null, "span", { class: "unit" }, `[${plot.unit}]`);
  const keys = element(caption, null, "span", { class: "keys" });
  return plot.lines.map(line => {
    const key = element(keys, null, "span", { class: "key" });
    element(key, null, "i", { style: `background: var(--${line.ink})` });
    key.append(line.name);
    return element(key, null, "b", {});
  });
}

function describePlot(plot, times, unit) {
  const smallest = smallestReading(plot), format = value => formatValue(value, smallest);
  const lines = plot.lines.map(({ name, values }) => {
    const finite = values.filter(value => value !== null);
    return `${name} from ${format(Math.min(...finite))} to ${format(Math.max(...finite))}`;
  });
  return `${plot.title} ${plot.unit} over ${formatValue(times.at(-1) - times[0])} ${unit}: ${lines.join(", ")}`;
}

// On a logarithmic plot the range is that of the exponents.
function plotRange({ lines, log }) {
  const values = lines.flatMap(line => line.values).filter(value => value !== null && (!log || value > 0));
  if (values.length === 0) return [0, 1];
  let low = values.reduce((a, b) => Math.min(a, b)), high = values.reduce((a, b) => Math.max(a, b));
  if (log) return [Math.floor(Math.log10(low)), Math.max(Math.floor(Math.log10(low)) + 1, Math.ceil(Math.log10(high)))];
  if (low === high) { low -= 1; high += 1; }
  const space = 0.05 * (high - low);
  return [low - space, high + space];
}

function createAxes(width, height, times, [low, high], log) {
  const left = MARGIN.left, right = width - MARGIN.right, top = MARGIN.top, bottom = height - MARGIN.bottom;
  const start = times[0], end = times.at(-1);
  return {
    left, right, top, bottom, start, end, low, high, log,
    x: time => left + (right - left) * (time - start) / (end - start),
    y: value => bottom - (bottom - top) * ((log ? Math.log10(value) : value) - low) / (high - low),
    timeAt: x => Math.min(end, Math.max(start, start + (end - start) * (x - left) / (right - left))),
  };
}

function drawGrid(svg, axes, events, unit) {
  const { left, right, top, bottom } = axes;
  const count = Math.max(3, Math.round((bottom - top) / 28));
  const exponentStep = Math.max(1, Math.ceil((axes.high - axes.low) / count));
  const step = axes.log ? exponentStep : niceStep((axes.high - axes.low) / count);
  for (const tick of ticks(axes.low, axes.high, step)) {
    const y = axes.y(axes.log ? 10 ** tick : tick);
    element(svg, SVG, "line", { class: "grid", x1: left, x2: right, y1: y, y2: y });
    const label = element(svg, SVG, "text", { x: left - 6, y: y + 4, "text-anchor": "end" });
    label.textContent = axes.log ? "10" : formatTick(tick, step);
    if (axes.log) element(label, SVG, "tspan", { dy: -4, "font-size": 9 }, formatTick(tick, 1));
  }
  const seconds = niceStep((axes.end - axes.start) / Math.max(2, Math.floor((right - left) / 50)));
  for (const tick of ticks(axes.start, axes.end, seconds)) {
    const anchor = axes.x(tick) > right - 12 ? "end" : "middle";
    const last = tick + seconds > axes.end + 1e-9 * seconds;
    element(svg, SVG, "text", { x: axes.x(tick), y: bottom + 16, "text-anchor": anchor }, formatTick(tick, seconds) + (last ? ` ${unit}` : ""));
  }
  let free = left;
  for (const { time, label } of events) {
    if (time <= axes.start) continue;
    const x = axes.x(time);
    element(svg, SVG, "line", { class: "event", x1: x, x2: x, y1: top - 5, y2: bottom });
    // Names that would run into the one before, or out of the plot, are left to the caption of the animation.
    if (x < free) continue;
    const name = element(svg, SVG, "text", { x: x + 3, y: top - 4 }, label);
    const end = x + 3 + name.getComputedTextLength();
    if (end > right) name.remove(); else free = end + 6;
  }
}

// A line that ends before the others says why.
function drawEnding(svg, axes, times, { ink, values, ending }) {
  const last = values.findLastIndex(value => value !== null && (!axes.log || value > 0));
  if (!ending || last < 0 || last === values.length - 1) return;
  const [x, y] = [axes.x(times[last]), axes.y(values[last])];
  const cross = `M${x - 4} ${y - 4}l8 8m0 -8l-8 8`;
  element(svg, SVG, "path", { class: "ending", stroke: `var(--${ink})`, d: cross });
  const text = element(svg, SVG, "text", { class: "ending", x: x + 8, y: y + 4 }, ending);
  if (x + 8 + text.getComputedTextLength() < axes.right) return;
  text.setAttribute("x", x - 8);
  text.setAttribute("text-anchor", "end");
}

function curve(axes, times, values) {
  let path = "", drawing = false;
  values.forEach((value, i) => {
    if (value === null || (axes.log && !(value > 0))) { drawing = false; return; }
    path += `${drawing ? "L" : "M"}${axes.x(times[i]).toFixed(1)} ${axes.y(value).toFixed(1)}`;
    drawing = true;
  });
  return path;
}

function valueAt(values, { index, part }) {
  const from = values[index], to = values[index + 1];
  return from === null || to === null ? from ?? to : from + part * (to - from);
}

function ticks(low, high, step) {
  const list = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) list.push(i * step);
  return list;
}

// The nearest of 1, 2, 5 times a power of ten, not below `value`.
function niceStep(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  const digit = [1, 2, 5].find(digit => digit * power >= 0.999 * value) ?? 10;
  return Number((digit * power).toPrecision(1));
}

// Marks a box that scrolls sideways by where there is more of what it holds.
function showOverflow(box) {
  const mark = () => {
    box.classList.toggle("more", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
    box.classList.toggle("less", box.scrollLeft > 1);
  };
  box.addEventListener("scroll", mark);
  new ResizeObserver(mark).observe(box);
  // Another text needs not be of another height.
  new MutationObserver(mark).observe(box, { childList: true, subtree: true });
  mark();
}

const minus = text => text.replace("-", "\u2212");

function formatTick(value, step) {
  const text = Math.abs(value) >= 1e5 ? value.toExponential(0) : value.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  return minus(Number(text) === 0 ? "0" : text);
}

// Beside the largest value of a plot, a millionth of it is nothing: often it is rounding. Exponents show all.
function smallestReading({ lines, log }) {
  const values = lines.flatMap(line => line.values).filter(value => value !== null);
  return log ? 0 : 1e-6 * values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
}

function formatValue(value, smallest = 0) {
  const size = Math.abs(value);
  return minus(size <= smallest ? "0" : size < 1e-3 || size >= 1e5 ? value.toExponential(1) : value.toFixed(3));
}
