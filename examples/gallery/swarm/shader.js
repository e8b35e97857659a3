// The swarm by WebGPU: the exported entry point steps all pendulums at once, and they are drawn from its buffers. Throws
// the reason where there is no WebGPU.
async function createShaderSwarm(canvas, code, paint, { parameters, states, count }) {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) throw new Error("This browser has no WebGPU");
  const device = await adapter.requestDevice();
  device.pushErrorScope("validation");
  const { UNIFORM, STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const buffer = (size, usage, data) => {
    const made = device.createBuffer({ size, usage: usage | COPY_DST });
    if (data) device.queue.writeBuffer(made, 0, data);
    return made;
  };
  const common = buffer(16, UNIFORM), view = buffer(48, UNIFORM);
  const system = buffer(4 * parameters.length, STORAGE, new Float32Array(parameters));
  const [q, v] = [states.subarray(0, 2 * count), states.subarray(2 * count)].map(part => buffer(8 * count, STORAGE | COPY_SRC, part));
  const status = buffer(4 * count, STORAGE | COPY_SRC);
  const seen = buffer(20 * count, MAP_READ);

  const step = await device.createComputePipelineAsync({
    layout: "auto", compute: { module: device.createShaderModule({ code }), entryPoint: "double_pendulum_rk4_step_batch" },
  });
  const module = device.createShaderModule({ code: paint }), format = navigator.gpu.getPreferredCanvasFormat();
  const over = { srcFactor: "src-alpha", dstFactor: "one-minus-src-alpha" };
  const painter = (entryPoint, topology) => device.createRenderPipelineAsync({
    layout: "auto", vertex: { module, entryPoint }, primitive: { topology },
    fragment: { module, entryPoint: "paint", targets: [{ format, blend: { color: over, alpha: over } }] },
  });
  const painters = [await painter("rods", "line-list"), await painter("bobs", "triangle-list")];
  const group = (pipeline, ...buffers) => device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0), entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
  const stepped = group(step, common, system, q, v, status);
  const shown = painters.map(pipeline => group(pipeline, view, system, q));
  const context = canvas.getContext("webgpu");
  if (!context) throw new Error("This browser has no WebGPU on a canvas");
  context.configure({ device, format, alphaMode: "opaque" });
  const error = await device.popErrorScope();
  if (error) throw error;
  const submit = record => {
    const encoder = device.createCommandEncoder();
    record(encoder);
    device.queue.submit([encoder.finish()]);
  };

  return {
    device, format, count,
    lost: device.lost,
    words: `${count.toLocaleString("en")} pendulums in one compute shader, in single precision.`,
    // Resolves when the device has done it.
    advance(h, steps) {
      const values = new DataView(new ArrayBuffer(16));
      values.setFloat32(4, h, true);
      values.setInt32(8, steps, true);
      values.setInt32(12, count, true);
      device.queue.writeBuffer(common, 0, values);
      submit(encoder => {
        const pass = encoder.beginComputePass();
        pass.setPipeline(step);
        pass.setBindGroup(0, stepped);
        pass.dispatchWorkgroups(Math.ceil(count / 64));
        pass.end();
      });
      return device.queue.onSubmittedWorkDone();
    },
    draw({ width, height, scale, radius, card, first, last }, texture = context.getCurrentTexture()) {
      device.queue.writeBuffer(view, 0, new Float32Array([...first, 1, ...last, 1, 2 * scale / width, 2 * scale / height, count, radius]));
      submit(encoder => {
        const [r, g, b] = card;
        const pass = encoder.beginRenderPass({ colorAttachments: [
          { view: texture.createView(), clearValue: { r, g, b, a: 1 }, loadOp: "clear", storeOp: "store" },
        ] });
        painters.forEach((pipeline, k) => {
          pass.setPipeline(pipeline);
          pass.setBindGroup(0, shown[k]);
          pass.draw([4, 6][k] * count);
        });
        pass.end();
      });
    },
    // The states, each entry for all pendulums before the next, and the number of pendulums that stopped.
    async read() {
      submit(encoder => {
        [q, v].forEach((part, k) => encoder.copyBufferToBuffer(part, 0, seen, 8 * count * k, 8 * count));
        encoder.copyBufferToBuffer(status, 0, seen, 16 * count, 4 * count);
      });
      await seen.mapAsync(GPUMapMode.READ);
      const range = seen.getMappedRange();
      const found = new Float32Array(range.slice(0, 16 * count));
      const stopped = new Int32Array(range, 16 * count).reduce((sum, code) => sum + (code !== 0), 0);
      seen.unmap();
      return { states: found, stopped };
    },
    end() { device.destroy(); },
  };
}
