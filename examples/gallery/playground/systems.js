// What the page knows of each system beside its equations: how it is described, what can be changed, and what is drawn.
const shape = (kind, ink, size, ...points) => ({ kind, name: "", ink, size, frames: [points.flat()] });
const slider = (name, label, unit, low, high, step, value) => ({ name, label, unit, low, high, step, value });

// Cart, track and pole stay in sight while the track goes by.
function track({ left, right }) {
  const ticks = [];
  for (let i = Math.ceil(left / 0.5) - 1; i * 0.5 <= right + 0.5; i++) ticks.push(i * 0.5, -0.06, i * 0.5 - 0.05, -0.12, null, null);
  return [shape("line", "ground", 0, [left - 9, -0.06, right + 9, -0.06]), shape("line", "rule", 0, ticks)];
}

// A box around `[x, y]` in the plane.
function box([x, y], wide, high) {
  return [x - wide, y - high, x + wide, y - high, x + wide, y + high, x - wide, y + high];
}

// Longitudes and latitudes of a sphere as faces; `ink` by their numbers.
function sphereFaces(center, axes, radius, [from, to], [rings, sectors], outward, ink) {
  const at = (polar, angle) => {
    const [s, c] = [Math.sin(polar), Math.cos(polar)];
    return [0, 1, 2].map(k => axes[0][k] * s * Math.cos(angle) + axes[1][k] * s * Math.sin(angle) + axes[2][k] * c);
  };
  const faces = [];
  for (let ring = 0; ring < rings; ring++) {
    for (let sector = 0; sector < sectors; sector++) {
      const polar = k => from + (to - from) * (ring + k) / rings, angle = k => 2 * Math.PI * (sector + k) / sectors;
      const corners = [[0, 0], [0, 1], [1, 1], [1, 0]].map(([i, j]) => add(center, at(polar(i), angle(j)), radius));
      faces.push({ corners, normal: at(polar(0.5), angle(0.5)).map(part => outward * part), ink: ink(ring, sector) });
    }
  }
  return faces;
}

const SYSTEMS = [
  {
    id: "cart_pole", title: "Cart and pole", dimension: 2, constrained: false,
    about: "The motor swings the pole up and holds it, with gains from the exact linearization for the parameters that the sliders say. Drag the bob or the cart, or push with the arrow keys; without the motor the pole falls.",
    sliders: [
      slider("m_c", "mass of the cart", "kg", 0.2, 5, 0.1, 1), slider("m_p", "mass of the bob", "kg", 0.05, 2, 0.05, 0.2),
      slider("l", "length of the pole", "m", 0.2, 1.5, 0.05, 0.6), slider("g", "gravity", "m/s²", 1, 25, 0.1, 9.8),
      slider("drag", "friction of the cart", "N s/m", 0, 2, 0.05, 0), slider("hinge", "friction of the hinge", "N m s", 0, 0.2, 0.005, 0),
    ],
    settings: [{ label: "the motor balances", at: 0, value: 1 }],
    handles: points => [points.slice(0, 2), points.slice(2, 4)],
    bodies: ["cart", "bob"],
    bounds({ l }) {
      const wide = Math.max(1.2, 1.9 * l);
      return { left: -wide, right: wide, bottom: -1.15 * l - 0.12, top: 1.2 * l + 0.06 };
    },
    follow(bounds, [x]) {
      const half = (bounds.right - bounds.left) / 2, free = 0.55 * half;
      const middle = (bounds.left + bounds.right) / 2, wanted = Math.min(x + free, Math.max(x - free, middle));
      Object.assign(bounds, { left: wanted - half, right: wanted + half });
    },
    draw({ m_c, m_p }, [x, y, bx, by], { bounds, trail }) {
      const size = 0.07 * Math.cbrt(m_c);
      const wheel = side => shape("circle", "ground", 0.03, [x + 1.3 * side * size, -0.045]);
      return [
        ...track(bounds), trail("violet", 1.5, [bx, by]),
        wheel(-1), wheel(1), shape("polygon", "body", 0, box([x, y], 2 * size, 0.75 * size)),
        shape("rod", "blue", 0.012, [x, y, bx, by]), shape("circle", "orange", 0.07 * Math.cbrt(m_p / 0.2), [bx, by]),
        shape("mark", "body", 0, [x, y]),
      ];
    },
  },
  {
    id: "double_pendulum", title: "Double pendulum", dimension: 2, constrained: false,
    about: "Two bobs on light rods. Take hold of one and let it go. Without friction the energy stays what the hand left; the plots say how well the integrator keeps it.",
    sliders: [
      slider("m1", "mass of the upper bob", "kg", 0.2, 3, 0.1, 1), slider("m2", "mass of the lower bob", "kg", 0.2, 3, 0.1, 1),
      slider("l1", "length of the upper rod", "m", 0.3, 1.5, 0.05, 1), slider("l2", "length of the lower rod", "m", 0.3, 1.5, 0.05, 1),
      slider("g", "gravity", "m/s²", 0, 25, 0.1, 9.8), slider("friction", "friction of the joints", "N m s", 0, 1, 0.02, 0),
    ],
    settings: [],
    handles: points => [points.slice(0, 2), points.slice(2, 4)],
    bodies: ["upper bob", "lower bob"],
    bounds({ l1, l2 }) {
      const reach = 1.04 * (l1 + l2) + 0.08;
      return { left: -1.1 * reach, right: 1.1 * reach, bottom: -reach, top: reach };
    },
    draw({ m1, m2 }, [ex, ey, bx, by], { trail }) {
      return [
        trail("violet", 3, [bx, by]),
        shape("rod", "body", 0.025, [0, 0, ex, ey]), shape("rod", "body", 0.025, [ex, ey, bx, by]),
        shape("circle", "blue", 0.11 * Math.cbrt(m1), [ex, ey]), shape("circle", "orange", 0.11 * Math.cbrt(m2), [bx, by]),
        shape("mark", "ground", 0, [0, 0]),
      ];
    },
  },
  {
    id: "four_bar", title: "Four-bar linkage", dimension: 2, constrained: true, gap: ["Gap of the loop", "m", 5],
    about: "A closed loop: three angles and two constraints. The motor turns the crank; drag a pin against it, or change a length while it runs. The equations hold the constraints in their second derivative alone: choose what is done about the drift, and see the gap.",
    sliders: [
      slider("a", "crank", "m", 0.1, 0.4, 0.01, 0.2), slider("b", "half of the coupler", "m", 0.3, 0.8, 0.01, 0.5),
      slider("c", "rocker", "m", 0.3, 0.8, 0.01, 0.5), slider("d", "distance of the pivots", "m", 0.2, 0.8, 0.01, 0.4),
      slider("density", "mass of the bars", "kg/m", 0.2, 5, 0.1, 1), slider("flywheel", "flywheel", "kg m²", 0, 1, 0.01, 0.1),
      slider("g", "gravity", "m/s²", 0, 25, 0.1, 9.8), slider("friction", "friction of the pivots", "N m s", 0, 1, 0.02, 0),
    ],
    settings: [
      { label: "the motor runs", at: 0, value: 1 },
      { label: "speed of the motor", at: 1, unit: "rad/s", low: -10, high: 10, step: 0.5, value: 4.5 },
    ],
    handles: points => [points.slice(0, 2), points.slice(2, 4), points.slice(4, 6)],
    bodies: ["crank's end", "rocker's end", "tip"],
    bounds({ a, b, c, d }) {
      const reach = b + c, wide = Math.max(0.75 * reach, d + a);
      return { left: d / 2 - wide, right: d / 2 + wide, bottom: -Math.max(1.25 * a, 0.2), top: 0.95 * reach };
    },
    follow(bounds, points) {
      for (let i = 0; i < 6; i += 2) {
        Object.assign(bounds, {
          left: Math.min(bounds.left, points[i] - 0.03), right: Math.max(bounds.right, points[i] + 0.03),
          bottom: Math.min(bounds.bottom, points[i + 1] - 0.03), top: Math.max(bounds.top, points[i + 1] + 0.03),
        });
      }
    },
    draw({ a, d, flywheel }, [ex, ey, mx, my, tx, ty, rx, ry], { trail }) {
      const turn = Math.atan2(ey, ex), radius = 0.05 + 0.9 * a * Math.cbrt(Math.min(1, flywheel)) * 0.75;
      const rim = Array.from({ length: 41 }, (_, i) => [radius * Math.cos(turn + i * Math.PI / 20), radius * Math.sin(turn + i * Math.PI / 20)]);
      const spokes = [0, 1, 2].flatMap(i => {
        const [s, c] = [Math.sin(turn + i * Math.PI / 3), Math.cos(turn + i * Math.PI / 3)];
        return [-radius * c, -radius * s, radius * c, radius * s, null, null];
      });
      return [
        shape("line", "ground", 0, [0, 0, d, 0]), shape("line", "rule", 0, spokes), shape("line", "ground", 0, rim.flat()),
        trail("violet", 2, [tx, ty]),
        shape("rod", "green", 0.014, [d, 0, rx, ry]), shape("rod", "blue", 0.014, [0, 0, ex, ey]),
        shape("rod", "orange", 0.014, [ex, ey, mx, my, tx, ty]),
        ...[[0, 0], [d, 0]].map(point => shape("mark", "ground", 0, point)),
        ...[[ex, ey], [mx, my], [tx, ty]].map(point => shape("mark", "body", 0, point)),
      ];
    },
  },
  {
    id: "rolling_ball", title: "Rolling ball", dimension: 3, constrained: true, gap: ["Slip where it touches", "m/s", 6],
    about: "A ball rolls in a bowl and does not slip: two nonholonomic constraints, and an attitude without singular places. Drag the ball where you like, it turns under the hand. Spin the bowl, and it carries the ball around. Drag beside the ball to turn the view.",
    sliders: [
      slider("bowl", "radius of the bowl", "m", 0.6, 2, 0.05, 1), slider("r", "radius of the ball", "m", 0.05, 0.3, 0.01, 0.18),
      slider("m", "mass of the ball", "kg", 0.2, 5, 0.1, 1), slider("fill", "inertia by m r²", "", 0.1, 0.66, 0.01, 0.4),
      slider("spin", "the bowl turns", "rad/s", -6, 6, 0.1, 0), slider("g", "gravity", "m/s²", 1, 25, 0.1, 9.8),
      slider("friction", "resistance to turning", "N m s", 0, 0.05, 0.001, 0),
    ],
    settings: [],
    handles: points => [points.slice(12, 15)],
    bodies: ["ball"],
    ball: ({ bowl }) => ({ center: [0, 0, -0.42 * bowl], radius: 1.04 * bowl }),
    look: 0.75,
    // The hand stays in the bowl.
    within({ bowl, r }, [x, y, z]) {
      const far = 0.8 * (bowl - r), part = Math.min(1, far / Math.hypot(x, y));
      return [part * x, part * y, z];
    },
    draw({ bowl, r }, points, { trail, turned }) {
      const middle = points.slice(0, 3), contact = middle.map(part => part * bowl / (bowl - r));
      const axes = [points.slice(3, 6), points.slice(6, 9), points.slice(9, 12)];
      const [s, c] = [Math.sin(turned), Math.cos(turned)];
      const upright = [[c, s, 0], [-s, c, 0], [0, 0, 1]];
      const wall = sphereFaces([0, 0, 0], upright, bowl, [0.5 * Math.PI, Math.PI], [9, 48], -1, (ring, sector) => (Math.floor(sector / 4) % 2 ? "bowl" : "stripe"));
      const skin = sphereFaces(middle, axes, r, [0, Math.PI], [12, 24], 1, (ring, sector) => (ring < 1 || ring > 10 || Math.floor(sector / 4) % 2 ? "orange" : "paper"));
      const rim = circleAround([0, 0, 0], [[1, 0, 0], [0, 1, 0]], bowl, 72);
      const shadow = circleAround(contact.map(part => part * 0.995), across(unit(contact)), 0.55 * r);
      return [
        { ...shape("mesh", "ground", 0), faces: wall, behind: true },
        { ...shape("mesh", "ground", 0), faces: [{ corners: shadow, normal: unit(contact).map(part => -part), ink: "shade" }], behind: true },
        trail("violet", 3, contact.map(part => part * 0.99)),
        { ...shape("mesh", "orange", 0), faces: skin },
        shape("line", "ground", 0, [...rim, rim[0]].flat()),
      ];
    },
  },
];
