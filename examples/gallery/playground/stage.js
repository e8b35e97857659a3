// The scene of a model: its shapes at the present state, with the paths of its outputs, in a view that encloses them.
const TRAIL = 2;
// The most paths.
const MOST_TRAILS = 6;
// The view is larger than its content by this factor.
const AROUND = 1.12;

// Longitudes and latitudes of a ball as faces.
function ballFaces(points, radius, ink) {
  const [center, ...ends] = points, axes = ends.map(end => unit(add(end, center, -1)));
  const [rings, sectors] = [12, 24], faces = [];
  const at = (ring, sector) => {
    const [polar, angle] = [Math.PI * ring / rings, 2 * Math.PI * sector / sectors];
    const local = [Math.sin(polar) * Math.cos(angle), Math.sin(polar) * Math.sin(angle), Math.cos(polar)];
    return [0, 1, 2].map(k => axes.reduce((sum, axis, i) => sum + axis[k] * local[i], 0));
  };
  for (let ring = 0; ring < rings; ring++) {
    for (let sector = 0; sector < sectors; sector++) {
      const corners = [[0, 0], [0, 1], [1, 1], [1, 0]].map(([i, j]) => add(center, at(ring + i, sector + j), radius));
      const isPole = ring < 1 || ring > rings - 2, isStripe = Math.floor(sector / 4) % 2 === 1;
      faces.push({ corners, normal: at(ring + 0.5, sector + 0.5), ink: isPole || isStripe ? ink : "paper" });
    }
  }
  return faces;
}

// The least and the greatest coordinates of points in one list.
function boxOf(points, dimension) {
  const low = Array(dimension).fill(Infinity), high = Array(dimension).fill(-Infinity);
  points.forEach((value, i) => {
    low[i % dimension] = Math.min(low[i % dimension], value);
    high[i % dimension] = Math.max(high[i % dimension], value);
  });
  return { low, high };
}

function union(a, b) {
  return { low: a.low.map((value, k) => Math.min(value, b.low[k])), high: a.high.map((value, k) => Math.max(value, b.high[k])) };
}

const lengthOf = ({ low, high }) => Math.max(...low.map((value, k) => high[k] - value));

// `seen` is the box of all points of the first seconds.
function createStage(canvas, figure, seen, redraw) {
  const { dimension } = figure; let { shapes } = figure;
  const thick = Math.max(0, ...shapes.map(({ size }) => size));
  const times = [], trails = new Map();
  shapes.forEach(({ traced }, at) => { if (traced && trails.size < MOST_TRAILS) trails.set(at, []); });
  let box = { low: seen.low.map(value => value - thick), high: seen.high.map(value => value + thick) };
  const first = lengthOf(box) || 1;
  const scene = { dimension, about: "The system", shapes: [], bounds: {}, ball: ballOf() };
  const view = createScene(canvas, fitted(), times, redraw);
  view.resize();

  function ballOf() {
    if (dimension === 2) return undefined;
    const center = box.low.map((value, k) => (value + box.high[k]) / 2);
    return { center, radius: AROUND * (Math.hypot(...add(box.high, center, -1)) || 1) };
  }

  function fitted() {
    if (dimension === 3) return scene;
    const [wide, high] = [0, 1].map(k => box.high[k] - box.low[k]), least = 0.4 * Math.max(wide, high) || 1;
    const half = [Math.max(wide, least), Math.max(high, least)].map(length => AROUND * length / 2);
    const middle = [0, 1].map(k => (box.low[k] + box.high[k]) / 2);
    Object.assign(scene.bounds, { left: middle[0] - half[0], right: middle[0] + half[0], bottom: middle[1] - half[1], top: middle[1] + half[1] });
    return scene;
  }

  // Points outside make the view larger, and far away ones move it.
  function enclose(points) {
    if (points.length === 0 || !points.every(Number.isFinite)) return;
    const now = boxOf(points, dimension);
    now.low = now.low.map(value => value - thick);
    now.high = now.high.map(value => value + thick);
    const all = union(box, now);
    if (lengthOf(all) <= lengthOf(box) + 1e-9 * first && all.low.every((value, k) => value >= box.low[k]) && all.high.every((value, k) => value <= box.high[k])) return;
    if (lengthOf(all) <= 3 * first) {
      box = all;
    } else {
      const shift = now.low.map((value, k) => (value < box.low[k] ? value - box.low[k] : now.high[k] > box.high[k] ? now.high[k] - box.high[k] : 0));
      box = { low: add(box.low, shift), high: add(box.high, shift) };
    }
    if (dimension === 3) view.camera.enclose(ballOf()); else fitted();
  }

  function draw(time, points) {
    enclose(points);
    if (times.length < 2 || times.at(-1) < time) {
      // Two instants at least.
      const instants = times.length === 0 ? [time - 1e-3, time] : [time];
      for (const instant of instants) {
        times.push(instant);
        for (const [at, frames] of trails) frames.push(pointsOfShape(points, at));
      }
    }
    while (times.length > 2 && times[0] < time - TRAIL) {
      times.shift();
      for (const frames of trails.values()) frames.shift();
    }
    scene.shapes = [...floor(), ...[...trails].map(([at, frames]) => ({ kind: "trail", name: "", ink: shapes[at].ink, size: TRAIL, frames }))];
    shapes.forEach((shape, at) => {
      const own = pointsOfShape(points, at);
      const drawn = { kind: shape.kind, name: shape.name, ink: shape.ink, size: shape.kind === "arrow" ? 0 : shape.size, frames: [own] };
      if (shape.kind === "ball") Object.assign(drawn, { kind: "mesh", frames: [own.slice(0, 3)], faces: ballFaces(pointsOf(own), shape.size, shape.ink) });
      scene.shapes.push(drawn);
    });
    view.draw(time);
  }

  // Shapes of other sizes; `false` if they are not of the same kinds.
  function adapt(next) {
    const isSame = next.shapes.length === shapes.length && next.shapes.every(({ kind, points }, at) => kind === shapes[at].kind && points === shapes[at].points);
    if (isSame) shapes = next.shapes;
    return isSame;
  }

  const starts = shapes.reduce((list, { points }) => [...list, list.at(-1) + points * dimension], [0]);
  function pointsOfShape(points, at) {
    return points.slice(starts[at], starts[at + 1]);
  }

  // A grid below what stands on the plane z = 0.
  function floor() {
    if (dimension === 2 || box.low[2] < -0.05 * first) return [];
    const cell = niceStep(first / 8), lines = [];
    const [x, y] = [0, 1].map(k => cell * Math.round((box.low[k] + box.high[k]) / 2 / cell)), reach = cell * Math.ceil(0.75 * first / cell);
    for (let at = -reach; at <= reach + cell / 2; at += cell) {
      lines.push(x - reach, y + at, 0, x + reach, y + at, 0, null, null, null, x + at, y - reach, 0, x + at, y + reach, 0, null, null, null);
    }
    return [{ kind: "line", name: "floor", ink: "rule", size: 0, frames: [lines] }];
  }

  return { draw, adapt, resize: view.resize, scene };
}
