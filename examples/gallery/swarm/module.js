// The swarm by WebAssembly: fewer pendulums on a canvas in the plane. It says why.
function createModuleSwarm(canvas, wasm, cells, most, { states, count }, reason) {
  const context = canvas.getContext("2d");
  for (let k = 0; k < 4; k++) cells.set(states.subarray(k * count, (k + 1) * count), k * most);
  // Pendulums of one color are one path.
  const groups = 20;

  return {
    count,
    words: `${reason}: ${count.toLocaleString("en")} pendulums by WebAssembly, in double precision.`,
    async advance(h, steps) { wasm.advance(count, h, steps); },
    draw({ width, height, ratio, scale, radius, card, first, last }) {
      const css = ([r, g, b], opacity) => `rgb(${255 * r} ${255 * g} ${255 * b} / ${opacity})`;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.fillStyle = css(card, 1);
      context.fillRect(0, 0, width, height);
      context.setTransform(ratio * scale, 0, 0, -ratio * scale, ratio * width / 2, ratio * height / 2);
      context.lineWidth = 1 / scale;
      for (let group = 0; group < groups; group++) {
        const color = first.map((part, k) => part + (last[k] - part) * group / (groups - 1));
        const rods = new Path2D(), bobs = new Path2D();
        for (let i = Math.ceil(group * count / groups); i < (group + 1) * count / groups; i++) {
          const [a, b] = [cells[i], cells[most + i]];
          const elbow = [Math.sin(a), -Math.cos(a)], bob = [elbow[0] + Math.sin(b), elbow[1] - Math.cos(b)];
          rods.moveTo(0, 0);
          rods.lineTo(...elbow);
          rods.lineTo(...bob);
          bobs.rect(bob[0] - radius, bob[1] - radius, 2 * radius, 2 * radius);
        }
        context.strokeStyle = css(color, 0.3);
        context.stroke(rods);
        context.fillStyle = css(color, 0.7);
        context.fill(bobs);
      }
    },
    async read() { return { states: null, stopped: 0 }; },
    end() {},
  };
}
