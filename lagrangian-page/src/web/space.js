// Turns space into the plane of the canvas: a view from far away, so that lengths across it keep their scale. z is up;
// `azimuth` and `elevation` say from where the reader looks.
function createCamera(canvas, { shapes, ball, look }, redraw) {
  const around = ({ center, radius }) => ({ center, reaches: reachesOf([[center, radius]], center) });
  let { center, reaches } = ball ? around(ball) : enclosing(shapes);
  const start = { azimuth: -0.9, elevation: look ?? 0.35 };
  let { azimuth, elevation } = start;
  const bounds = {};
  zoom(1);

  function axes() {
    const [sa, ca, se, ce] = [Math.sin(azimuth), Math.cos(azimuth), Math.sin(elevation), Math.cos(elevation)];
    return { right: [-sa, ca, 0], up: [-se * ca, -se * sa, ce], towards: [ce * ca, ce * sa, se] };
  }

  function turn(right, up) {
    azimuth -= right;
    elevation = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, elevation + up));
    zoom(bounds.factor);
    redraw();
  }

  // Shows `factor` times as much of the space around the center as is needed from this elevation.
  function zoom(factor) {
    const { wide, high, low } = reaches(elevation);
    Object.assign(bounds, { left: -factor * wide, right: factor * wide, bottom: -factor * low, top: factor * high, factor });
  }

  // Another ball, at the next drawing.
  function enclose(other) {
    ({ center, reaches } = around(other));
    zoom(bounds.factor);
  }

  function scale(by) {
    zoom(Math.min(4, Math.max(0.05, by * bounds.factor)));
    redraw();
  }

  function reset() {
    ({ azimuth, elevation } = start);
    zoom(1);
    redraw();
  }

  // Coordinates along an axis, from the center; a point that lifts the pen goes on doing so.
  function along(points, axis, i) {
    if (points[i] === null || points[i + 1] === null || points[i + 2] === null) return null;
    return axis.reduce((sum, part, k) => sum + part * (points[i + k] - center[k]), 0);
  }

  function project(points) {
    const { right, up } = axes();
    const flat = [];
    for (let i = 0; i < points.length; i += 3) flat.push(along(points, right, i), along(points, up, i));
    return flat;
  }

  // How near a point is.
  function depth(point) {
    return dot(axes().towards, add(point, center, -1));
  }

  // The point that is seen there in the plane of the canvas, as deep in space as another one.
  function lift([x, y], through) {
    const { right, up, towards } = axes();
    const deep = dot(towards, add(through, center, -1));
    return add(add(add(center, right, x), up, y), towards, deep);
  }

  listenToTurns(canvas, { turn, scale, reset });
  return { project, depth, lift, axes, bounds, enclose };
}

// Dragging, and the arrow keys while the canvas has the focus, turn the view; two fingers, the wheel with Ctrl, plus and
// minus bring it nearer or farther; a double click or 0 brings it back.
function listenToTurns(canvas, { turn, scale, reset }) {
  // On other pages the arrows are for something else.
  const keys = canvas.dataset.arrows ? {} : { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
  canvas.tabIndex = 0;
  canvas.classList.add("turns");
  const fingers = new Map();
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  };
  canvas.addEventListener("pointerdown", event => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, event => fingers.delete(event.pointerId));
  canvas.addEventListener("pointermove", event => {
    const before = fingers.size === 2 ? spread() : 0;
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size === 2) return scale(before / Math.max(1, spread()));
    if (event.buttons !== 0 && !canvas.classList.contains("held")) turn(0.01 * event.movementX, 0.01 * event.movementY);
  });
  canvas.addEventListener("wheel", event => {
    // Without the key the page scrolls.
    if (!event.ctrlKey) return;
    event.preventDefault();
    scale(Math.exp(0.002 * event.deltaY));
  }, { passive: false });
  canvas.addEventListener("dblclick", reset);
  canvas.addEventListener("keydown", event => {
    if (event.key in keys) turn(...keys[event.key]);
    else if (event.key === "+") scale(0.8);
    else if (event.key === "-") scale(1.25);
    else if (event.key === "0") reset();
    else return;
    event.preventDefault();
  });
}

// The middle of all points of all frames, and how far they reach on the canvas.
function enclosing(shapes) {
  const points = shapes.flatMap(shape => shape.frames.flatMap(frame =>
    pointsOf(frame).filter(point => point !== null).map(point => [point, thickness(shape)])));
  if (points.length === 0) points.push([[0, 0, 0], 1]);
  const range = k => points.reduce(([low, high], [point]) => [Math.min(low, point[k]), Math.max(high, point[k])], [Infinity, -Infinity]);
  const center = [0, 1, 2].map(k => range(k).reduce((low, high) => (low + high) / 2));
  return { center, reaches: reachesOf(points, center) };
}

// From an elevation, how wide, high and low the points reach whatever the azimuth: on circles around the upright axis
// through the center, with a thickness each.
function reachesOf(points, center) {
  const circles = points.map(([point, thick]) => [Math.hypot(point[0] - center[0], point[1] - center[1]), point[2] - center[2], thick]);
  // Those that reach farthest some way; the others are inside of these.
  const outer = Array.from({ length: 64 }, (_, i) => Math.PI * (i / 63 - 0.5)).map(angle => {
    const reach = ([radius, height, thick]) => Math.cos(angle) * radius + Math.sin(angle) * height + thick;
    return circles.reduce((most, circle) => (reach(circle) > reach(most) ? circle : most));
  });
  return elevation => {
    const [s, c] = [Math.abs(Math.sin(elevation)), Math.cos(elevation)];
    const most = f => outer.reduce((sum, circle) => Math.max(sum, f(...circle)), 1e-9);
    return {
      wide: most((radius, height, thick) => radius + thick),
      high: most((radius, height, thick) => s * radius + c * height + thick),
      low: most((radius, height, thick) => s * radius - c * height + thick),
    };
  };
}

// How to turn what is in space, below it.
function showHint(line) {
  const fingers = matchMedia("(pointer: coarse)").matches;
  line.textContent = fingers ? "drag: turn · pinch: zoom · tap twice: reset" : "drag or arrows: turn · Ctrl+wheel or +/−: zoom · 0: reset";
  line.hidden = false;
}
