// Added by tests/pages/run to a copy of each page with a scene in space: turns it, comes nearer, and goes back, and writes
// what it finds into the page.
addEventListener("load", () => {
  const found = [], check = (what, holds) => { if (!holds) found.push(what); };
  const picture = () => canvas.toDataURL();
  const pointer = (type, pointerId, clientX, movementX = 0) =>
    canvas.dispatchEvent(new PointerEvent(type, { pointerId, clientX, clientY: 300, movementX, buttons: 1 }));
  // A synthetic pointer cannot be captured.
  Element.prototype.setPointerCapture = () => {};
  scrub((start + end) / 2);
  const first = picture();
  pointer("pointerdown", 1, 300);
  pointer("pointermove", 1, 340, 40);
  pointer("pointerup", 1, 340);
  const turned = picture();
  check("dragging does not turn it", turned !== first);
  pointer("pointerdown", 1, 300);
  pointer("pointerdown", 2, 400);
  pointer("pointermove", 2, 500, 100);
  check("two fingers do not bring it nearer", picture() !== turned);
  for (const id of [1, 2]) pointer("pointerup", id, 300);
  canvas.dispatchEvent(new MouseEvent("dblclick"));
  check("a double click does not bring it back", picture() === first);
  const solid = data.scene.shapes.some(({ kind }) => kind in solids && kind !== "line");
  check("nothing in it is solid", solid);
  element(document.body, null, "pre", { id: "verdict" }, found.length === 0 ? "as it should be" : found.join("\n"));
});
