// The editor: a text field whose letters are those of the layer below it, in colours and with its mistakes underlined.
const TOKENS = /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)|"[^"\n]*"?|[\p{L}_][\p{L}\p{M}\p{N}_]*|\d[\d.]*(?:[eE][+-]?\d+)?|[^]/gu;

function classOf(token) {
  if (token.startsWith("//") || token.startsWith("/*")) return "comment";
  if (/^\d/.test(token)) return "number";
  return WORDS.has(token) ? "word" : "";
}

// Where a place of a message is in the text: lines and columns count from 1, and columns count characters.
function offsetOf(lines, line, column) {
  const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  return before + [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
}

function rangeOf(lines, message) {
  const from = offsetOf(lines, message.line, message.column);
  const to = offsetOf(lines, message.endLine, message.endColumn);
  return { from, to: Math.max(to, from + 1), severity: message.severity };
}

// Fills the layer: tokens are cut where marks begin and end.
function paintText(layer, text, messages) {
  const lines = text.split("\n"), marks = messages.map(message => rangeOf(lines, message));
  const cuts = new Set(marks.flatMap(({ from, to }) => [from, to]));
  const parts = document.createDocumentFragment();
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const kind = classOf(token);
    let piece = "", at = index;
    const add = end => {
      if (piece === "") return;
      const mark = marks.find(({ from, to }) => from <= at && at < to);
      const name = [kind, mark?.severity].filter(Boolean).join(" ");
      if (name) element(parts, null, "i", { class: name }, piece); else parts.append(piece);
      [piece, at] = ["", end];
    };
    for (let i = 0; i < token.length; i++) {
      if (i > 0 && cuts.has(index + i)) add(index + i);
      piece += token[i];
    }
    add(index + token.length);
  }
  // A blank at the end: a last line without letters has its height, and a mark behind the text its place.
  const end = marks.find(({ to }) => to > text.length);
  element(parts, null, "i", end ? { class: end.severity } : {}, " \n");
  layer.replaceChildren(parts);
}

// The messages below the text; `go` is called with the place of one.
function listMessages(list, messages, go) {
  list.replaceChildren();
  for (const message of messages) {
    const item = element(list, null, "li", { class: message.severity });
    const place = element(item, null, "button", { type: "button" }, `${message.line}:${message.column}`);
    place.addEventListener("click", () => go(message));
    item.append(` ${message.message} `);
    element(item, null, "code", {}, message.code);
    if (message.help) element(item, null, "span", { class: "help" }, message.help);
  }
}
