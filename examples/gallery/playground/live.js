// Plots of the last seconds.
const WINDOW = 12;
const LINE_INKS = ["blue", "orange", "green", "violet", "body", "ground"];
// The most plots of coordinates.
const MOST_PLOTS = 4;
const MEASURED = ["t", "kinetic", "potential", "energy", "error", "gap"];

// A report by its parts.
function partsOf(report, model) {
  const measured = Object.fromEntries(MEASURED.map((name, i) => [name, report[i]]));
  const counts = { q: model.coordinates.length, v: model.velocities.length, z: model.states.length };
  let at = MEASURED.length;
  const parts = Object.entries(counts).map(([name, count]) => [name, report.slice(at, at += count)]);
  return { ...measured, ...Object.fromEntries(parts), points: report.slice(at) };
}

function createHistory(parent, model, first) {
  const times = [], plots = [];
  const line = (name, ink, value) => ({ name, ink, values: [], value });
  const finite = value => (Number.isFinite(value) ? value : null);
  // The plots of a list of variables: one for each unit, of a few lines each.
  const ofVariables = (title, variables, part) => {
    const groups = [];
    variables.forEach(({ name, unit }, at) => {
      let group = groups.at(-1);
      if (!group || group.unit !== unit || group.lines.length === LINE_INKS.length) groups.push(group = { title, unit, log: false, lines: [] });
      group.lines.push(line(name, LINE_INKS[group.lines.length], parts => parts[part][at]));
    });
    plots.push(...groups.slice(0, MOST_PLOTS));
  };
  ofVariables("Coordinates", model.coordinates, "q");
  ofVariables("States", model.states, "z");
  const energies = [["kinetic", "orange"], ["potential", "blue"], ["energy", "body"]].filter(([name]) => Number.isFinite(first[name]));
  if (energies.length > 0) plots.push({ title: "Energy", unit: "J", log: false, lines: energies.map(([name, ink]) => line(name, ink, parts => parts[name])) });
  if (Number.isFinite(first.error)) plots.push({ title: "Energy error", unit: "J", log: true, lines: [line("error", "body", parts => Math.abs(parts.error))] });
  if (model.constraints > 0 && Number.isFinite(first.gap)) plots.push({ title: "Gap of the constraints", unit: "", log: true, lines: [line("gap", "green", parts => parts.gap)] });
  let views = [];

  function push(parts) {
    times.push(parts.t);
    for (const { lines } of plots) for (const each of lines) each.values.push(finite(each.value(parts)));
    while (times[0] < parts.t - WINDOW) {
      times.shift();
      for (const { lines } of plots) for (const { values } of lines) values.shift();
    }
    if (views.length > 0 || times.length < 2) return;
    parent.replaceChildren();
    views = plots.map(plot => createPlot(parent, plot, times, [], () => {}));
  }

  function draw() {
    for (const view of views) {
      view.resize();
      view.draw(times.at(-1));
    }
  }

  // There are two instants from the beginning, for there to be a line.
  push({ ...first, t: first.t - 1 / 60 });
  push(first);
  return { push, draw, plots };
}
