// Plots of the last seconds.
const WINDOW = 12;

function createHistory(parent, system) {
  const times = [];
  const line = (name, ink) => ({ name, ink, values: [] });
  const plots = [
    { title: "Energy", unit: "J", log: false, lines: [line("kinetic", "orange"), line("potential", "blue"), line("sum", "body")] },
    { title: "Energy error", unit: "J", log: true, lines: [line("error", "body")] },
  ];
  if (system.constrained) plots.push({ title: system.gap[0], unit: system.gap[1], log: true, lines: [line("gap", "green")] });
  let views = [];

  // Of an instant; `report` is what the module measured.
  function push(time, report) {
    const [sum, , , error, potential] = report;
    const rows = [[sum - potential, potential, sum], [Math.abs(error)]];
    if (system.constrained) rows.push([Math.abs(report[system.gap[2]])]);
    times.push(time);
    rows.forEach((row, i) => row.forEach((value, k) => plots[i].lines[k].values.push(value)));
    while (times[0] < time - WINDOW) {
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
  return { push, draw };
}
