// Turns space into the plane of the canvas: a view from far away, so that lengths across it keep their scale. z is up;
// `azimuth` and `elevation` say from where the reader looks.
function createCamera(canvas, { shapes, ball, look }, redraw) {
  const { center, radius } = ball ?? enclosingBall(shapes);
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
    redraw();
  }

  // Shows `factor` times as much of the space around the center.
  function zoom(factor) {
    const half = factor * radius;
    Object.assign(bounds, { left: -half, right: half, bottom: -half, top: half, factor });
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
  return { project, depth, lift, axes, bounds };
}

// Dragging, and the arrow keys while the canvas has the focus, turn the view; the wheel with Ctrl, plus and minus
// bring it nearer or farther; a double click or 0 brings it back.
function listenToTurns(canvas, { turn, scale, reset }) {
  // On other pages the arrows are for something else.
  const keys = canvas.dataset.arrows ? {} : { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
  canvas.tabIndex = 0;
  canvas.classList.add("turns");
  canvas.addEventListener("pointerdown", event => canvas.setPointerCapture(event.pointerId));
  canvas.addEventListener("pointermove", event => {
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

// A ball around all points of all frames: what fits in it fits the canvas however the view turns.
function enclosingBall(shapes) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  const visit = see => {
    for (const shape of shapes) {
      for (const points of shape.frames) {
        for (let i = 0; i < points.length; i += 3) {
          const point = points.slice(i, i + 3);
          if (!point.includes(null)) see(point, thickness(shape));
        }
      }
    }
  };
  visit(point => point.forEach((value, k) => {
    low[k] = Math.min(low[k], value);
    high[k] = Math.max(high[k], value);
  }));
  if (!(low[0] <= high[0])) return { center: [0, 0, 0], radius: 1 };
  const center = low.map((value, k) => (value + high[k]) / 2);
  let radius = 0;
  visit((point, reach) => {
    radius = Math.max(radius, reach + Math.hypot(...point.map((value, k) => value - center[k])));
  });
  return { center, radius: radius || 1 };
}

function drawHint(context, view, color, given) {
  context.fillStyle = color;
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "right";
  const hint = given ?? (view.width < 480 ? "drag to turn · twice: reset" : "drag or arrows: turn · Ctrl+wheel or +/−: zoom · 0: reset");
  context.fillText(hint, view.width - 2, view.height - 6);
}
