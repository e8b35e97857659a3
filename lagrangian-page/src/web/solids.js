// Bodies in space with their shades, from far to near, and their shadows on the ground. A lamp stands behind the reader,
// above to the left, and turns along. Round bodies are drawn by their outlines, the others face by face.
const LAMP = (([x, y, z]) => [x, y, z].map(part => part / Math.hypot(x, y, z)))([-0.45, 0.6, 0.66]);
const ROUND = 28;
// Faces and pieces of rods are no longer than this many times their thickness, so that their middles tell what is nearer.
const PIECE = 5;

const add = (a, b, factor = 1) => a.map((part, k) => part + factor * b[k]);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = a => { const length = Math.hypot(...a); return length > 0 ? a.map(part => part / length) : [0, 0, 0]; };

// The points of a frame one by one; null where the pen is lifted.
function pointsOf(flat) {
  const points = [];
  for (let i = 0; i < flat.length; i += 3) {
    points.push([flat[i], flat[i + 1], flat[i + 2]].includes(null) ? null : flat.slice(i, i + 3));
  }
  return points;
}

// Two directions across `axis` and each other.
function across(axis) {
  const first = unit(cross(axis, Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]));
  return [first, cross(axis, first)];
}

// A color between black and white by how much light falls on it: 1 where the lamp is.
function shader(color) {
  const known = new Map();
  const parts = ink => {
    if (!known.has(ink)) known.set(ink, color(ink).trim().match(/[\da-f]{2}/gi).map(part => parseInt(part, 16)));
    return known.get(ink);
  };
  return (ink, light) => {
    const dark = 0.5 + 0.55 * Math.max(0, light), shine = 0.35 * Math.max(0, light - 0.8) / 0.2;
    const shade = parts(ink).map(part => Math.round(Math.min(255, part * Math.min(1, dark) + shine * (255 - part))));
    return `rgb(${shade.join(" ")})`;
  };
}

// What is painted: `lit` are the colors by ink and light, `axes` those of the camera.
function paintSpace(context, view, camera, items, helpers) {
  const axes = camera.axes(), lit = shader(helpers.color);
  const place = point => { const [x, y] = camera.project(point); return [view.x(x), view.y(y)]; };
  const depth = point => camera.depth(point);
  // In the camera's axes, as the lamp is.
  const light = normal => dot([dot(normal, axes.right), dot(normal, axes.up), dot(normal, axes.towards)], LAMP);
  const space = { context, view, axes, lit, place, depth, light, helpers, project: camera.project };
  const behind = items.filter(({ shape }) => shape.ink === "rule");
  for (const item of behind) paintPlain(space, item);
  const bodies = items.filter(({ shape }) => shape.ink !== "rule");
  if (bodies.some(({ shape }) => shape.name === "floor") || behind.some(({ shape }) => shape.name === "floor")) {
    context.fillStyle = helpers.color("shadow");
    for (const item of bodies) paintShadow(space, item);
  }
  const pieces = bodies.flatMap(item => (solids[item.shape.kind] ?? plain)(space, item));
  pieces.sort((a, b) => a.depth - b.depth);
  for (const piece of pieces) piece.paint();
}

function paintPlain({ context, view, project, helpers }, { shape, points }) {
  context.strokeStyle = context.fillStyle = helpers.color(shape.ink);
  context.lineWidth = LINE_WIDTHS[shape.ink] ?? 2;
  painters[shape.kind](context, view, shape, project(points), helpers);
}

// What has no body is one piece in the middle of its points.
function plain(space, item) {
  const points = pointsOf(item.points).filter(point => point !== null);
  if (points.length === 0) return [];
  // Names lie before all.
  const depth = item.shape.kind === "label" ? Infinity : points.reduce((sum, point) => sum + space.depth(point), 0) / points.length;
  return [{ depth, paint: () => paintPlain(space, item) }];
}

function fillPath(context, points) {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.closePath();
  context.fill();
}

// A flat face, if its front is seen; `corners` go around it.
function facePiece(space, corners, normal, ink, soft = false) {
  const { context, axes, place } = space;
  if (dot(normal, axes.towards) <= 0) return [];
  const depth = corners.reduce((sum, corner) => sum + space.depth(corner), 0) / corners.length;
  const paint = () => {
    // The outline closes the seams to the neighbours.
    const light = space.light(normal);
    context.fillStyle = context.strokeStyle = space.lit(ink, soft ? 0.65 + 0.3 * light : light);
    context.lineWidth = 0.7;
    fillPath(context, corners.map(place));
    context.stroke();
  };
  return [{ depth, paint }];
}

function circleAround(center, [a, b], radius, count = ROUND) {
  return Array.from({ length: count }, (_, i) => {
    const angle = 2 * Math.PI * i / count;
    return add(add(center, a, radius * Math.cos(angle)), b, radius * Math.sin(angle));
  });
}

// A round rod seen from far is a thick line with a shade across.
function rodPiece(space, from, to, radius, ink) {
  const { context, view, axes, place } = space;
  const axis = unit(add(to, from, -1));
  const depth = (space.depth(from) + space.depth(to)) / 2;
  const side = unit(cross(axis, axes.towards)), front = cross(side, axis);
  const wide = Math.max(1, view.scale * radius);
  const paint = () => {
    const start = place(from), end = place(to);
    const middle = [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2];
    const aside = place(add(from, side)), out = unit([aside[0] - start[0], aside[1] - start[1], 0]);
    if (Math.hypot(...out) === 0) return paintBall(space, to, radius, ink);
    const gradient = context.createLinearGradient(
      middle[0] - wide * out[0], middle[1] - wide * out[1], middle[0] + wide * out[0], middle[1] + wide * out[1]);
    for (let i = 0; i <= 8; i++) {
      const s = -1 + i / 4, normal = add(side.map(part => part * s), front, Math.sqrt(1 - s * s));
      gradient.addColorStop(i / 8, space.lit(ink, space.light(normal)));
    }
    context.strokeStyle = gradient;
    context.lineWidth = 2 * wide;
    context.lineCap = "round";
    context.beginPath();
    context.moveTo(...start);
    context.lineTo(...end);
    context.stroke();
  };
  return { depth, paint };
}

function paintBall({ context, view, place, lit }, center, radius, ink) {
  const [x, y] = place(center), size = Math.max(2, view.scale * radius);
  const gradient = context.createRadialGradient(x + LAMP[0] * size, y - LAMP[1] * size, 0, x + 0.4 * LAMP[0] * size, y - 0.4 * LAMP[1] * size, 1.4 * size);
  for (const [at, light] of [[0, 1], [0.25, 0.9], [0.6, 0.55], [1, 0]]) gradient.addColorStop(at, lit(ink, light));
  context.fillStyle = gradient;
  context.beginPath();
  context.arc(x, y, size, 0, 2 * Math.PI);
  context.fill();
}

// Between neighbouring points, cut to pieces of about that length.
function pieces(points, length, make) {
  const made = [];
  for (let i = 1; i < points.length; i++) {
    const [from, to] = [points[i - 1], points[i]];
    if (from === null || to === null) continue;
    const count = Math.min(24, Math.max(1, Math.ceil(Math.hypot(...add(to, from, -1)) / length)));
    for (let k = 0; k < count; k++) {
      const at = part => add(from, add(to, from, -1), part / count);
      made.push(make(at(k), at(k + 1), i));
    }
  }
  return made;
}

const solids = {
  line(space, { shape, points }) {
    const { context, place, helpers } = space;
    return pieces(pointsOf(points), Infinity, (from, to) => ({
      depth: (space.depth(from) + space.depth(to)) / 2,
      paint() {
        context.strokeStyle = helpers.color(shape.ink);
        context.lineWidth = LINE_WIDTHS[shape.ink] ?? 2;
        context.beginPath();
        context.moveTo(...place(from));
        context.lineTo(...place(to));
        context.stroke();
      },
    }));
  },
  rod(space, { shape, points }) {
    return pieces(pointsOf(points), PIECE * shape.size, (from, to) => rodPiece(space, from, to, shape.size, shape.ink));
  },
  circle(space, { shape, points }) {
    const [center] = pointsOf(points);
    return center === null ? [] : [{ depth: space.depth(center) + shape.size / 2, paint: () => paintBall(space, center, shape.size, shape.ink) }];
  },
  // From the middle of one end to that of the other.
  cylinder(space, { shape, points }) {
    const [from, to] = pointsOf(points);
    if (from === null || to === null) return [];
    const axis = unit(add(to, from, -1)), around = across(axis);
    const rings = Math.min(8, Math.ceil(Math.hypot(...add(to, from, -1)) / (1.5 * shape.size)));
    const ring = part => circleAround(add(from, add(to, from, -1), part / rings), around, shape.size);
    const faces = [
      ...facePiece(space, ring(0), axis.map(part => -part), shape.ink),
      ...facePiece(space, ring(rings), axis, shape.ink),
    ];
    for (let k = 0; k < rings; k++) {
      const [low, high] = [ring(k), ring(k + 1)];
      for (let i = 0; i < ROUND; i++) {
        const next = (i + 1) % ROUND, angle = 2 * Math.PI * (i + 0.5) / ROUND;
        const normal = add(around[0].map(part => part * Math.cos(angle)), around[1], Math.sin(angle));
        faces.push(...facePiece(space, [low[i], low[next], high[next], high[i]], normal, shape.ink));
      }
    }
    return faces;
  },
  // The middle, and those of three neighbouring faces.
  block(space, { shape, points }) {
    const [center, ...ends] = pointsOf(points);
    const halves = ends.map(end => add(end, center, -1));
    return [0, 1, 2].flatMap(k => [1, -1].flatMap(sign => {
      const [a, b] = [halves[(k + 1) % 3], halves[(k + 2) % 3]];
      const middle = add(center, halves[k], sign);
      const corner = (i, j) => add(add(middle, a, i), b, j);
      const normal = unit(halves[k]).map(part => sign * part);
      return facePiece(space, [corner(1, 1), corner(-1, 1), corner(-1, -1), corner(1, -1)], normal, shape.ink);
    }));
  },
  // Seen from both sides.
  polygon(space, { shape, points }) {
    const corners = pointsOf(points);
    if (corners.length < 3 || corners.includes(null)) return [];
    const normal = unit(cross(add(corners[1], corners[0], -1), add(corners[2], corners[0], -1)));
    const sign = dot(normal, space.axes.towards) < 0 ? -1 : 1;
    return facePiece(space, corners, normal.map(part => sign * part), shape.ink);
  },
  // Faces with their normals and inks, as a script has made them; `behind` all others, and softly lit, those of what is
  // looked into.
  mesh(space, { shape }) {
    const faces = shape.faces.flatMap(({ corners, normal, ink }) => facePiece(space, corners, normal, ink, shape.behind));
    return shape.behind ? faces.map(face => ({ ...face, depth: face.depth - 1e6 })) : faces;
  },
};

// The shadows of bodies at noon, where there is a ground.
function paintShadow({ context, view, place }, { shape, points }) {
  const down = ([x, y]) => place([x, y, 0]);
  const round = ([x, y], radius) => fillPath(context, circleAround([x, y, 0], [[1, 0, 0], [0, 1, 0]], radius).map(down));
  const bodies = pointsOf(points);
  if (shape.kind === "circle" && bodies[0]) round(bodies[0], shape.size);
  if (shape.kind === "block") {
    const [center, ...ends] = bodies, halves = ends.map(end => add(end, center, -1));
    for (let k = 0; k < 3; k++) {
      for (const sign of [1, -1]) {
        const middle = add(center, halves[k], sign), [a, b] = [halves[(k + 1) % 3], halves[(k + 2) % 3]];
        fillPath(context, [[1, 1], [-1, 1], [-1, -1], [1, -1]].map(([i, j]) => down(add(add(middle, a, i), b, j))));
      }
    }
  }
  if (shape.kind === "cylinder" && bodies[0] && bodies[1]) {
    const around = across(unit(add(bodies[1], bodies[0], -1)));
    const rings = bodies.slice(0, 2).map(end => circleAround(end, around, shape.size).map(down));
    for (const ring of rings) fillPath(context, ring);
    for (let i = 0; i < ROUND; i++) {
      const next = (i + 1) % ROUND;
      fillPath(context, [rings[0][i], rings[0][next], rings[1][next], rings[1][i]]);
    }
  }
  if (shape.kind !== "rod") return;
  for (const point of bodies) if (point) round(point, shape.size);
  pieces(bodies, Infinity, (from, to) => {
    const [x, y] = unit([to[0] - from[0], to[1] - from[1], 0]);
    const out = [-y * shape.size, x * shape.size, 0];
    fillPath(context, [add(from, out), add(to, out), add(to, out, -1), add(from, out, -1)].map(down));
  });
}
