// Added by tests/pages/run to a copy of the playground: uses each system as a reader would, by its address, sliders, pointer
// and keys, and writes what it finds into the page.
addEventListener("load", async () => {
  const found = [], check = (what, holds) => { if (!holds) found.push(what); };
  const coordinates = () => [...cells.coordinates];
  const apart = (a, b) => Math.hypot(...a.map((part, k) => part - b[k]));
  // Of the drawing, by what is on the canvas.
  const picture = () => canvas.toDataURL();
  const point = (type, [x, y]) => {
    const { left, top } = canvas.getBoundingClientRect();
    canvas.dispatchEvent(new PointerEvent(type, { clientX: left + x, clientY: top + y, pointerId: 1, buttons: 1, pointerType: "mouse", bubbles: true }));
  };
  const key = (type, name) => document.body.dispatchEvent(new KeyboardEvent(type, { key: name, bubbles: true }));
  // From the start, by some seconds; the hand is the page's.
  const run = seconds => {
    for (let i = 0; i < 60 * seconds; i++) { push(); advance(1 / 60); }
    draw();
    live.draw();
    return coordinates();
  };
  const fresh = () => { again.click(); setRunning(false); };
  // A synthetic pointer cannot be captured.
  Element.prototype.setPointerCapture = () => {};
  try {
    while (!view) await new Promise(requestAnimationFrame);
    for (const { id, title, constrained, dimension } of SYSTEMS) {
      location.hash = id;
      choose();
      fresh();
      const begin = coordinates(), seen = picture();
      const alone = run(3);
      check(`${title}: stands still`, apart(begin, alone) > 1e-3);
      check(`${title}: its picture stands still`, picture() !== seen);
      check(`${title}: energy drifts by ${cells.report[3]}`, Math.abs(cells.report[3]) < 1e-6);
      check(`${title}: its constraints drift`, !constrained || cells.report[system.gap[2]] < 1e-12);
      check(`${title}: no equations`, equations.querySelector("math") !== null);
      check(`${title}: no declaration`, declaration.textContent.includes("lagrangian! {"));

      for (const input of controls.querySelectorAll('input[type="range"]')) {
        fresh();
        const before = input.value;
        input.value = Number(input.min) + 0.55 * (Number(input.max) - Number(input.min));
        input.dispatchEvent(new Event("input"));
        // Four-bars of some lengths do not close, and say so.
        const idle = id === "rolling_ball" && input.dataset.name === "m"; // rolls alike, as all that falls
        if (caption.textContent === "") check(`${title}: ${input.dataset.name} changes nothing`, idle || apart(alone, run(3)) > 1e-9);
        else check(`${title}: ${input.dataset.name} is refused and stays`, input.value !== before);
        input.value = before;
        input.dispatchEvent(new Event("input"));
      }

      fresh();
      const middle = dimension === 3 ? [...cells.points.slice(0, 3)] : system.handles([...cells.points]).at(-1);
      const from = view.onCanvas(middle), to = [from[0] - 50, from[1] - 30];
      point("pointerdown", from);
      point("pointermove", to);
      const pulled = run(1), force = Math.hypot(...cells.report.slice(7));
      check(`${title}: a pull moves nothing`, apart(pulled, alone) > 1e-3 && force > 0.1);
      check(`${title}: a pull costs energy ${cells.report[3]}`, Math.abs(cells.report[3]) < 1e-4);
      point("pointerup", to);
      run(0.1);
      check(`${title}: it is not let go`, Math.hypot(...cells.report.slice(7)) === 0);

      fresh();
      const idle = run(1);
      fresh();
      key("keydown", "ArrowRight");
      const pushed = run(1);
      key("keyup", "ArrowRight");
      check(`${title}: keys do nothing`, apart(idle, pushed) > 1e-3);
      key("keydown", " ");
      check(`${title}: the space bar does nothing`, playground.running);
    }
    location.hash = "four_bar";
    choose();
    fresh();
    const far = controls.querySelector('[data-name="d"]');
    const before = cells.parameters[3];
    far.max = 5;
    far.value = 5;
    far.dispatchEvent(new Event("input"));
    check("a linkage closes that cannot", caption.textContent !== "" && cells.parameters[3] === before);
    drift.value = "2";
    drift.dispatchEvent(new Event("change"));
    fresh();
    run(5);
    check("it drifts only when it is left to", cells.report[5] > 1e-12);
  } catch (error) {
    found.push(error.stack);
  }
  const verdict = element(document.body, null, "pre", { id: "verdict" });
  verdict.textContent = found.length === 0 ? "as it should be" : found.join("\n");
});
