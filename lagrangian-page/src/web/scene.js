// The mechanism on the canvas; `time` may lie between two frames. In the plane y is up; what is in space goes through a
// camera, which calls `redraw` when the reader turns it.
function createScene(canvas, scene, times, redraw) {
  const context = canvas.getContext("2d");
  const camera = scene.dimension === 3 ? createCamera(canvas, scene, redraw) : null;
  const bounds = camera ? camera.bounds : scene.bounds ?? sceneBounds(scene.shapes);
  const project = camera ? camera.project : points => points;
  canvas.setAttribute("aria-label", scene.about);
  let view = null, foot = FOOT;

  function resize() {
    const width = canvas.clientWidth;
    const aspect = (bounds.top - bounds.bottom) / (bounds.right - bounds.left);
    // Never so tall that the controls leave the window.
    const height = Math.round(Math.min(width * Math.min(1, Math.max(0.45, aspect)), Math.max(240, 0.65 * innerHeight)));
    const ratio = window.devicePixelRatio || 1;
    canvas.style.height = `${height}px`;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    foot = FOOT;
    view = { width, height, ratio, ...placed(width, height) };
    // As many rows as the scales take.
    foot = FOOT * scalesOf(context, view, scene.shapes).rows;
    Object.assign(view, placed(width, height));
  }

  // From meters to pixels.
  function placed(width, height) {
    // The scales have the lower margin for themselves.
    const margin = 12;
    const scale = Math.min(
      (width - 2 * margin) / (bounds.right - bounds.left),
      (height - margin - foot) / (bounds.top - bounds.bottom));
    const [left, down] = [(bounds.left + bounds.right) / 2, (bounds.bottom + bounds.top) / 2];
    return {
      scale,
      x: x => width / 2 + scale * (x - left),
      y: y => (height + margin - foot) / 2 - scale * (y - down),
      back: ([x, y]) => [left + (x - width / 2) / scale, down - (y - (height + margin - foot) / 2) / scale],
    };
  }

  function draw(time) {
    const style = getComputedStyle(document.documentElement);
    const color = name => style.getPropertyValue(`--${name}`);
    const at = framePosition(times, time);
    // The reader may have come nearer.
    Object.assign(view, placed(view.width, view.height));
    context.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    context.lineCap = context.lineJoin = "round";
    const now = scene.shapes.map(shape => ({ shape, points: interpolate(shape.frames, at) }));
    const helpers = { at, times, color, project };
    if (camera) paintSpace(context, view, camera, now, helpers);
    else for (const { shape, points } of now) {
      context.strokeStyle = context.fillStyle = color(shape.ink);
      context.lineWidth = LINE_WIDTHS[shape.ink] ?? 3;
      painters[shape.kind](context, view, shape, points, helpers);
    }
    drawScales(context, view, scene.shapes, color);
  }

  // Where a point is on the canvas [px], and back: in space to the point that is as deep as another one.
  function onCanvas(point) {
    const [x, y] = project(point);
    return [view.x(x), view.y(y)];
  }
  function inScene(pixel, through) {
    const flat = view.back(pixel);
    return camera ? camera.lift(flat, through) : flat;
  }

  return { resize, draw, onCanvas, inScene, camera };
}

const LINE_WIDTHS = { rule: 1, ground: 1.5 };

// Where `time` falls: between frame `index` and the next one, at `part` of the way.
function framePosition(times, time) {
  let low = 0, high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle; else high = middle;
  }
  const part = (time - times[low]) / (times[high] - times[low]);
  return { index: low, part: Math.min(1, Math.max(0, part)) };
}

function interpolate(frames, { index, part }) {
  if (frames.length === 1) return frames[0];
  const from = frames[index], to = frames[index + 1];
  if (from.length !== to.length) return from;
  return from.map((value, i) => value === null || to[i] === null ? null : value + part * (to[i] - value));
}

// How far a shape reaches beyond its points.
function thickness({ kind, size }) {
  return ["circle", "rod", "cylinder"].includes(kind) ? size : 0;
}

function sceneBounds(shapes) {
  const box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  for (const shape of shapes) {
    const reach = thickness(shape);
    for (const points of shape.frames) {
      for (let i = 0; i < points.length; i += 2) {
        if (points[i] === null || points[i + 1] === null) continue;
        box.left = Math.min(box.left, points[i] - reach);
        box.right = Math.max(box.right, points[i] + reach);
        box.bottom = Math.min(box.bottom, points[i + 1] - reach);
        box.top = Math.max(box.top, points[i + 1] + reach);
      }
    }
  }
  // Nothing drawn, or all in one place: some extent, so that the scale stays finite.
  if (!(box.left <= box.right)) return { left: -1, right: 1, bottom: -1, top: 1 };
  const least = 0.01 * Math.max(box.right - box.left, box.top - box.bottom) || 1;
  if (box.right - box.left < least) { box.left -= least; box.right += least; }
  if (box.top - box.bottom < least) { box.bottom -= least; box.top += least; }
  return box;
}

function tracePath(context, view, points) {
  let drawing = false;
  context.beginPath();
  for (let i = 0; i < points.length; i += 2) {
    if (points[i] === null || points[i + 1] === null) { drawing = false; continue; }
    const x = view.x(points[i]), y = view.y(points[i + 1]);
    if (drawing) context.lineTo(x, y); else context.moveTo(x, y);
    drawing = true;
  }
}

function fillDisc(context, view, [x, y], radius) {
  if (x === null || y === null) return;
  context.beginPath();
  context.arc(view.x(x), view.y(y), radius, 0, 2 * Math.PI);
  context.fill();
}

const painters = {
  line(context, view, shape, points) {
    tracePath(context, view, points);
    context.stroke();
  },
  rod(context, view, shape, points) {
    tracePath(context, view, points);
    context.lineWidth = Math.max(3, 2 * view.scale * shape.size);
    context.stroke();
  },
  polygon(context, view, shape, points) {
    tracePath(context, view, points);
    context.closePath();
    context.fill();
  },
  circle(context, view, shape, points) {
    fillDisc(context, view, points, Math.max(3, view.scale * shape.size));
  },
  mark(context, view, shape, points, { color }) {
    fillDisc(context, view, points, 5);
    context.fillStyle = color("card");
    fillDisc(context, view, points, 2.5);
  },
  arrow(context, view, shape, [x0, y0, x1, y1]) {
    const tail = [view.x(x0), view.y(y0)], head = [view.x(x1), view.y(y1)];
    const length = Math.hypot(head[0] - tail[0], head[1] - tail[1]);
    const size = Math.min(9, length);
    if (!(size > 2)) return;
    const along = [(head[0] - tail[0]) / length, (head[1] - tail[1]) / length];
    const neck = [head[0] - size * along[0], head[1] - size * along[1]];
    context.beginPath();
    context.moveTo(...tail);
    context.lineTo(...neck);
    context.stroke();
    context.beginPath();
    context.moveTo(...head);
    context.lineTo(neck[0] - 0.5 * size * along[1], neck[1] + 0.5 * size * along[0]);
    context.lineTo(neck[0] + 0.5 * size * along[1], neck[1] - 0.5 * size * along[0]);
    context.fill();
  },
  trail(context, view, shape, now, { at, times, project }) {
    const time = times[at.index] + at.part * (times[at.index + 1] - times[at.index]);
    const points = [now];
    for (let i = at.index; i >= 0 && times[i] >= time - shape.size; i--) points.push(project(shape.frames[i]));
    context.lineWidth = 2;
    context.lineCap = "butt";
    // In strips of equal opacity, oldest first.
    const strip = Math.max(1, Math.ceil(points.length / 40));
    for (let i = points.length - 1; i > 0; i -= strip) {
      context.globalAlpha = 0.6 * (1 - i / points.length);
      tracePath(context, view, points.slice(Math.max(0, i - strip), i + 1).flat());
      context.stroke();
    }
    context.globalAlpha = 1;
    context.lineCap = "round";
  },
  label(context, view, shape, [x, y]) {
    context.font = "14px system-ui, sans-serif";
    context.textAlign = "center";
    // Never over the edge, however narrow the window.
    const half = context.measureText(shape.name).width / 2;
    context.fillText(shape.name, Math.min(view.width - half, Math.max(half, view.x(x))), view.y(y));
  },
};

// Rows of scales are as high.
const FOOT = 28;

// The scale bar, and an arrow of each force that is drawn, with its name and how many newtons it stands for: in rows from
// the lower edge up.
function scalesOf(context, { width, scale }, shapes) {
  const metres = niceStep(width / scale / 6);
  const scales = [{ text: `${metres} m`, length: metres * scale }];
  const forces = shapes.filter(({ kind, size }) => kind === "arrow" && size > 0);
  const names = new Map(forces.map(force => [`${force.name} ${force.ink}`, force]));
  for (const { name, ink, size } of names.values()) {
    const newtons = niceStep(width / scale / 12 / size);
    scales.push({ text: `${name}, ${newtons} N`, length: newtons * size * scale, ink });
  }
  context.font = "11px system-ui, sans-serif";
  let x = 2, row = 0;
  for (const each of scales) {
    const wide = Math.max(each.length, context.measureText(each.text).width);
    if (x > 2 && x + wide > width) { x = 2; row += 1; }
    Object.assign(each, { x, row });
    x += wide + 24;
  }
  return { scales, rows: row + 1 };
}

function drawScales(context, view, shapes, color) {
  for (const { text, length, ink, x, row } of scalesOf(context, view, shapes).scales) {
    const y = view.height - 4 - FOOT * row;
    context.strokeStyle = context.fillStyle = color(ink ?? "muted");
    context.lineWidth = 1.5;
    if (ink) {
      painters.arrow(context, { x: value => value, y: value => value }, null, [x, y, x + length, y]);
    } else {
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + length, y);
      context.stroke();
    }
    context.fillStyle = color("muted");
    context.textAlign = "left";
    context.fillText(text, x, y - 6);
  }
}
