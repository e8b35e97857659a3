// Added by tests/pages/run to a copy of the playground: uses it as a reader would, by the menu, the text, sliders, links and
// buttons, and writes what it finds into the page.
addEventListener("load", async () => {
  const found = [], check = (what, holds) => { if (!holds) found.push(what); };
  const frame = () => new Promise(requestAnimationFrame);
  const apart = (a, b) => Math.hypot(...a.map((part, k) => part - b[k]));
  const picture = () => canvas.toDataURL();
  const coordinates = () => playground.parts.q;
  // By some seconds.
  const run = seconds => {
    for (let i = 0; i < 60 * seconds; i++) advance(1 / 60);
    draw();
    live?.draw();
    return coordinates();
  };
  const choose = id => {
    menu.value = id;
    menu.dispatchEvent(new Event("change"));
  };
  const type = async declaration => {
    text.value = declaration;
    text.dispatchEvent(new Event("input"));
    while (waiting !== 0) await frame();
  };
  const put = (parent, name, value, kind = "range") => {
    const input = parent.querySelector(`input[type="${kind}"][data-name="${name}"]`);
    input.value = value;
    input.dispatchEvent(new Event("input"));
    return input;
  };
  const places = () => [...messages.querySelectorAll("button")].map(button => button.textContent);
  // Line and column of a word in a text, in characters.
  const placeOf = (declaration, word) => {
    const lines = declaration.slice(0, declaration.indexOf(word)).split("\n");
    return `${lines.length}:${[...lines.at(-1)].length + 1}`;
  };
  // A synthetic pointer cannot be captured.
  Element.prototype.setPointerCapture = () => {};
  try {
    while (!live) await frame();
    for (const { id, title } of SYSTEMS) {
      choose(id);
      setRunning(false);
      check(`${title}: messages ${places()}`, messages.children.length === 0);
      check(`${title}: it says "${caption.textContent}"`, caption.textContent === "");
      const begin = coordinates(), seen = picture();
      run(2);
      check(`${title}: stands still`, apart(begin, coordinates()) > 1e-3);
      check(`${title}: its picture stands still`, picture() !== seen);
      check(`${title}: it ends, "${caption.textContent}"`, playground.stopped === "");
      check(`${title}: energy drifts by ${playground.parts.error}`, !(Math.abs(playground.parts.error) > 1e-5));
      check(`${title}: its constraints drift by ${playground.parts.gap}`, !(playground.parts.gap > 1e-10));
      await new Promise(resolve => setTimeout(resolve));
      check(`${title}: no equations`, equations.querySelector("math") !== null);
      check(`${title}: no sliders`, sliders.querySelector("input") !== null && starts.querySelector("input") !== null);
    }

    // A wrong word, and its place; the motion goes on.
    choose("cart_pole");
    setRunning(false);
    const good = text.value, wrong = good.replace("sin(theta)", "sin(teta)");
    run(0.5);
    const before = playground.parts.t;
    await type(wrong);
    check(`a wrong word is at ${places()}`, places().join() === placeOf(wrong, "teta"));
    check(`it says ${messages.textContent}`, messages.textContent.includes("did you mean `theta`?"));
    check(`underlined is ${layer.querySelector(".error")?.textContent}`, layer.querySelector(".error")?.textContent === "teta");
    check("the layer has another text", layer.textContent.trimEnd() === wrong.trimEnd());
    run(0.5);
    check("the model before does not go on", playground.parts.t > before + 0.4);
    messages.querySelector("button").click();
    check("a message does not lead to its word", text.value.slice(text.selectionStart, text.selectionEnd) === "teta");
    await type(good);
    check(`mended, it says ${messages.textContent}`, messages.children.length === 0 && layer.querySelector(".error") === null);

    // Columns count characters.
    await type("struct Θ { θ, 𝜑: coordinate }\nT = θ̇^2 + der(𝜑)^2 + 𝜓;");
    check(`a word behind wide letters is at ${places()}`, places().join() === "2:23" && layer.querySelector(".error")?.textContent === "𝜓");
    for (const [declaration, path] of [
      ['struct Wing { x: coordinate }\nlet lift = csv("wing.csv", "lift");\nT = der(x)^2;\nQ.x = lift[0];', '"wing.csv"'],
      ['struct Arm { arm: robot = "arm.urdf" }', '"arm.urdf"'],
    ]) {
      await type(declaration);
      check(`${path} is a mistake at ${places()}`, places()[0] === placeOf(declaration, path) && messages.textContent.includes("there are no files here"));
    }
    await type(`struct Deep { x: coordinate }\nT = ${"(".repeat(20000)}der(x)^2${")".repeat(20000)};`);
    while (recovering) await frame();
    check("a deep text breaks the page", messages.children.length > 0 || verdictOfText.textContent.includes("cannot be read"));
    await type("");
    check("an empty text has no message", messages.children.length === 1);
    await type(`fn main() {}\nlagrangian! {\n${good}\n}`);
    check(`a program is not read: ${messages.textContent}`, messages.children.length === 0 && playground.model.name === "CartPole");

    // A trap: the module begins anew, where it was.
    choose("double_pendulum");
    setRunning(false);
    run(1);
    const place = coordinates(), trapped = wasm;
    wasm = { ...trapped, read_declaration() { throw new WebAssembly.RuntimeError("unreachable"); } };
    await type(`${text.value} `);
    while (recovering) await frame();
    check("there is no new module", wasm !== trapped && verdictOfText.textContent.includes("cannot be read"));
    run(1 / 60);
    check("after a trap it starts elsewhere", apart(place, coordinates()) < 0.2 && apart(place, coordinates()) > 0);
    await type(text.value.trimEnd());
    check("after a trap nothing is read", messages.children.length === 0 && verdictOfText.textContent.startsWith("No mistakes"));

    // A slider: another motion, whose energy stays.
    choose("double_pendulum");
    setRunning(false);
    const alone = run(2);
    again.click();
    setRunning(false);
    put(sliders, "m2", 2.5);
    check("the field of a slider stands still", sliders.querySelector('input[type="number"][data-name="m2"]').value === "2.5");
    const energy = playground.parts.energy, heavy = run(2);
    check("a slider changes nothing", apart(alone, heavy) > 1e-3);
    check(`energy drifts by ${playground.parts.energy - energy}`, Math.abs(playground.parts.energy - energy) < 1e-6 * Math.abs(energy));
    put(sliders, "pull[0]", 5);
    run(1);
    check(`a pull does no work, or its balance is ${playground.parts.error}`, Math.abs(playground.parts.energy - energy) > 0.1 && Math.abs(playground.parts.error) < 1e-5);
    put(sliders, "m1", 0);
    put(starts, "a", 1, "number");
    check("the start is another one", playground.parts.t === 0 && coordinates()[0] === 1);

    // A link has the text, the values and the start.
    await type("// a + b & c = 100 %; #\nstruct Swing { θ: coordinate, l: parameter = 1, g: parameter = 9.81 }\npub let bob = l * [sin(θ), -cos(θ)];\nbody { at: bob, mass: 1 }\ngravity [0, -g];");
    put(sliders, "l", 1.5);
    put(starts, "θ", -1.2, "number");
    document.getElementById("link").click();
    const swing = text.value, link = listingText();
    choose("pendulum");
    check("the menu shows another text", text.value !== swing);
    location.href = link;
    while (text.value !== swing) await frame();
    check("a link has lost its values", playground.values.get("l") === 1.5 && coordinates()[0] === -1.2);
    check(`a text of a link: ${places()}`, messages.children.length === 0 && playground.model.name === "Swing");

    // In other languages.
    for (const [id, part] of [["rust", "lagrangian! {\n// a + b"], ["c", "swing_acceleration"], ["python", "lagrangian.read(text)(l=1.5, g=9.81)"]]) {
      document.getElementById(id).click();
      check(`as ${id}: ${listingText()}`, listingText().includes(part));
    }

    // Nothing to draw, no motion, numbers that run away.
    await type("struct Away { x: coordinate } T = der(x)^2 / 2; Q.x = 10 * x^3;");
    check(`without shapes it says "${caption.textContent}"`, canvas.hidden && caption.textContent === NOTHING);
    run(20);
    check(`of the end it says "${caption.textContent}"`, caption.textContent.startsWith("The motion ends at t = "));
    again.click();
    setRunning(false);
    check("it does not start over", playground.parts.t === 0 && playground.stopped === "");
    await type("struct Open { x: coordinate } T = der(x)^2; holonomic h: x^2 = -1;");
    check(`without a start it says "${caption.textContent}"`, caption.textContent.startsWith("At the start: "));

    // What is in space turns.
    choose("rolling_ball");
    setRunning(false);
    const seen = picture();
    const pointer = (kind, clientX, movementX) => canvas.dispatchEvent(new PointerEvent(kind, { pointerId: 1, clientX, clientY: 300, movementX, buttons: 1 }));
    pointer("pointerdown", 300, 0);
    pointer("pointermove", 340, 40);
    pointer("pointerup", 340, 0);
    check("dragging does not turn it", picture() !== seen);
  } catch (error) {
    found.push(error.stack);
  }
  function listingText() {
    return document.getElementById("copied").textContent;
  }
  element(document.body, null, "pre", { id: "verdict" }, found.length === 0 ? "as it should be" : found.join("\n"));
});
