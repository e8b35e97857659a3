// The module, which begins anew after a trap.
let compiled = null, wasm = null;

async function loadModule() {
  const bytes = Uint8Array.from(atob(document.getElementById("module").textContent.trim()), c => c.charCodeAt(0));
  compiled = await WebAssembly.compile(bytes);
  await begin();
  return bytes.length;
}

async function begin() {
  wasm = (await WebAssembly.instantiate(compiled, {})).exports;
}

function answerOf(place) {
  const bits = BigInt.asUintN(64, place);
  return new TextDecoder().decode(new Uint8Array(wasm.memory.buffer, Number(bits & 0xffffffffn), Number(bits >> 32n)));
}

// Reads a declaration: messages, and the model or null.
function readDeclaration(text) {
  const bytes = new TextEncoder().encode(text), place = wasm.text(bytes.length);
  new Uint8Array(wasm.memory.buffer, place, bytes.length).set(bytes);
  return JSON.parse(answerOf(wasm.read_declaration()));
}

function giveNumbers(numbers) {
  const place = wasm.numbers(numbers.length);
  new Float64Array(wasm.memory.buffer, place, numbers.length).set(numbers);
}

// The shapes to draw, or an error.
function startModel(numbers) {
  giveNumbers(numbers);
  return JSON.parse(answerOf(wasm.start()));
}

function adaptModel(numbers) {
  giveNumbers(numbers);
  return JSON.parse(answerOf(wasm.adapt()));
}

function reportModel() {
  const count = wasm.report();
  return [...new Float64Array(wasm.memory.buffer, wasm.numbers(count), count)];
}
