// Added by tests/pages/run and tests/wgsl/run to a copy of the page with ten thousand pendulums: steps them by hand, compares the
// shader with the module, and writes what it finds into the page. A server gets the verdict too.
addEventListener("load", async () => {
  const found = [], check = (what, holds) => { if (!holds) found.push(what); };
  const largest = (a, b) => a.reduce((most, part, k) => Math.max(most, Math.abs(part - b[k])), 0);
  // Angles and rates of the first pendulums, as the module has them.
  const first = count => [0, 1, 2, 3].flatMap(k => [...cells.subarray(k * MOST, k * MOST + count)]);
  // The part of a picture that is not background.
  const inked = (data, card) => {
    let count = 0;
    for (let i = 0; i < data.length; i += 4) count += card.some((part, k) => Math.abs(data[i + k] - part) > 8);
    return 4 * count / data.length;
  };
  const modulePicture = () => {
    const context = canvas.getContext("2d", { willReadFrequently: true });
    draw();
    return inked(context.getImageData(0, 0, canvas.width, canvas.height).data, color("card").map(part => 255 * part));
  };
  // SwiftShader paints nothing on a canvas of a window that nobody sees.
  const shaderPicture = async () => {
    const { device, format } = swarm, side = 256, size = [side, side];
    const { RENDER_ATTACHMENT, COPY_SRC } = GPUTextureUsage, { COPY_DST, MAP_READ } = GPUBufferUsage;
    const texture = device.createTexture({ size, format, usage: RENDER_ATTACHMENT | COPY_SRC });
    const buffer = device.createBuffer({ size: 4 * side * side, usage: COPY_DST | MAP_READ });
    swarm.draw({ width: side, height: side, scale: 60, radius: 0.02, card: [1, 1, 1], first: [0, 0, 1], last: [0, 0, 1] }, texture);
    const encoder = device.createCommandEncoder();
    encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow: 4 * side }, size);
    device.queue.submit([encoder.finish()]);
    await buffer.mapAsync(GPUMapMode.READ);
    const data = new Uint8Array(buffer.getMappedRange()), white = [255, 255, 255];
    const [a, b] = [cells[0], cells[MOST]], bob = [Math.sin(a) + Math.sin(b), Math.cos(a) + Math.cos(b)];
    const at = 4 * (Math.floor(128 + 60 * bob[0]) + side * Math.floor(128 + 60 * bob[1]));
    check("shader: the first bob is not painted", inked(data.subarray(at, at + 4), white) === 1);
    return inked(data, white);
  };
  const tested = async (name, words, picture) => {
    check(`${name}: it says "${caption.textContent}"`, caption.textContent.includes(words));
    await swarm.advance(H, 240);
    time += 240 * H;
    await look();
    const painted = await picture();
    check(`${name}: ${painted} of its picture is painted`, painted > 1e-3 && painted < 0.5);
    const errors = history.plots[1].lines[0].values;
    check(`${name}: energies change by ${errors.at(-1)}`, errors.at(-1) > 0 && errors.at(-1) < 1e-3);
  };
  try {
    while (!swarm || !history) await new Promise(requestAnimationFrame);
    setRunning(false);
    while (busy) await new Promise(requestAnimationFrame);
    check(`it says "${caption.textContent}"`, swarm.lost || caption.textContent.startsWith("This browser has no WebGPU"));
    if (globalThis.WITH_SHADER) {
      await start();
      check(`there are ${swarm.count} with a shader`, swarm.count === 10000);
      const begin = first(100);
      await tested("shader", "10,000 pendulums in one compute shader", shaderPicture);
      const shader = first(100);
      for (let k = 0; k < 4; k++) cells.set(begin.slice(100 * k, 100 * k + 100), k * MOST);
      wasm.advance(100, H, 240);
      const difference = largest(shader, first(100)), moved = largest(begin, shader);
      check(`the shader differs from the module by ${difference}`, moved > 0.5 && difference < 1e-4);
      // The module takes over from a device that is lost.
      swarm.device.destroy();
      while (!swarm || swarm.lost) await new Promise(requestAnimationFrame);
      check(`of a lost device it says "${caption.textContent}"`, caption.textContent.startsWith(LOST));
    }
    await start("A test");
    check(`there are ${swarm.count} without a shader`, swarm.count === 1000);
    await tested("module", "A test: 1,000 pendulums by WebAssembly", modulePicture);
  } catch (error) {
    found.push(error.stack);
  }
  const verdict = element(document.body, null, "pre", { id: "verdict" });
  verdict.textContent = found.length === 0 ? "as it should be" : found.join("\n");
  if (location.protocol === "http:") await fetch("/verdict", { method: "POST", body: verdict.textContent });
});
