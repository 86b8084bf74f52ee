// Score distributions, calibration and importances.

/** A histogram for each class; heights are square roots of fractions, so that small ones show. */
function drawDistribution(model, curve, place) {
  const { edges, classes } = model.distribution;
  const strip = 84;
  const top = 22;
  const paper = canvas("distribution", top + classes.length * strip + 46,
    "Histograms of the scores in each class");
  const [low, high] = model.span;
  const box = [14, top, paper.width - 14, top + classes.length * strip];
  const unit = model.kind === "probability" ? "Probability of the rare class" : "Score of the rare class";
  const to = axes(paper, box, { low, high, label: unit }, { low: 0, high: 1, ticks: [] });
  classes.forEach((one, k) => {
    const floor = top + (k + 1) * strip;
    const height = scale(0, Math.sqrt(Math.max(...one.fractions)) || 1, 0, strip - 24);
    one.fractions.forEach((fraction, bin) => {
      const tall = fraction > 0 ? Math.max(height(Math.sqrt(fraction)), 1) : 0;
      const bar = shape("rect", {
        x: to.x(edges[bin]) + 0.5, width: Math.max(to.x(edges[bin + 1]) - to.x(edges[bin]) - 1, 1),
        y: floor - tall, height: tall, class: one.is_rare ? "block rare" : "block rest",
      });
      bar.append(shape("title", {}, `${short(edges[bin])} to ${short(edges[bin + 1])}: ${percent(fraction)} of ${one.label}`));
      paper.svg.append(bar);
    });
    paper.svg.append(shape("path", { d: `M${box[0]},${floor}H${box[2]}`, class: "axis" }));
    const name = one.is_rare ? `${one.label} (rare)` : one.label;
    write(paper.svg, name, paper.width - 40, {
      x: box[2] - 4, y: floor - strip + 18, "text-anchor": "end", class: "name strong halo",
    });
  });
  const x = to.x(Math.min(Math.max(curve.threshold[place], low), high));
  paper.svg.append(shape("line", { x1: x, x2: x, y1: top - 4, y2: box[3], class: "mark now" }));
  const anchor = x > box[2] - 60 ? "end" : x < 60 ? "start" : "middle";
  paper.svg.append(shape("text", { x, y: top - 9, "text-anchor": anchor, class: "tick strong" },
    `threshold ${short(curve.threshold[place])}`));
}

function drawCalibration(model, kind) {
  const { calibration } = model;
  const bins = calibration[kind];
  const size = Math.min(byId("calibration").clientWidth, 420);
  const paper = canvas("calibration", size, "Observed frequency against predicted probability");
  const largest = Math.max(...bins.flatMap((bin) => [bin.predicted, bin.observed]));
  const high = Math.min(1, largest * 1.15 || 1);
  const box = [56, 26, paper.width - 12, size - 42];
  const to = axes(paper, box, { low: 0, high, label: "Predicted probability (mean of the bin)" },
    { low: 0, high, label: "Observed frequency of the rare class" });
  paper.svg.append(shape("path", { d: path([[to.x(0), to.y(0)], [to.x(high), to.y(high)]]), class: "chance" }));
  paper.svg.append(shape("path", {
    d: path(bins.map((bin) => [to.x(bin.predicted), to.y(bin.observed)])), class: "curve faint solid",
  }));
  for (const bin of bins) {
    const x = to.x(bin.predicted);
    paper.svg.append(shape("path", {
      d: `M${x},${to.y(bin.low)}V${to.y(Math.min(bin.high, high))}`, class: "whisker",
    }));
    const dot = shape("circle", { cx: x, cy: to.y(bin.observed), r: 5, class: "dot" });
    dot.append(shape("title", {},
      `${count(bin.n)} rows: predicted ${percent(bin.predicted)}, observed ${percent(bin.observed)}`));
    paper.svg.append(dot);
  }
  fillTable("calibration-bins", bins.map((bin) => [
    `${brief(bin.from)} to ${brief(bin.to)}`, count(bin.n), count(bin.n_rare),
    percent(bin.predicted), percent(bin.observed), `${percent(bin.low)} to ${percent(bin.high)}`,
  ]));
}

function showCalibration(model) {
  const { calibration: c } = model;
  const ratio = c.mean_probability / c.base_rate;
  const tendency = ratio > 1.1 ? `overestimated by a factor of ${brief(ratio)}`
    : ratio < 0.9 ? `underestimated by a factor of ${brief(1 / ratio)}` : "unbiased on average";
  byId("calibration-words").textContent =
    `The mean predicted probability is ${percent(c.mean_probability)}, and ${percent(c.base_rate)} of the rows are rare: `
    + `probabilities are ${tendency}. Brier score ${c.brier.toPrecision(3)} and log loss ${c.log_loss.toPrecision(3)}; `
    + `a constant prediction of ${percent(c.base_rate)} has ${c.brier_of_base_rate.toPrecision(3)} and `
    + `${c.log_loss_of_base_rate.toPrecision(3)}. Lower is better.`;
}

function drawImportances(importances, explained) {
  const figure = `importances-${explained}`;
  if (!byId(figure)) return; // no scores, or no rare row in the held-out half
  const rows = importances.columns;
  const low = Math.min(0, ...rows.map((row) => row.drop - row.spread));
  const high = 1.04 * Math.max(...rows.map((row) => row.drop + row.spread), 1e-9);
  const chart = lineChart(figure, "Permutation importances of the features",
    rows.map((row) => row.name), () => ({ low, high, label: "Loss of average precision" }));
  rows.forEach((row, k) => {
    const y = chart.y(k);
    const [a, b] = [chart.x(Math.min(row.drop, 0)), chart.x(Math.max(row.drop, 0))];
    const bar = shape("rect", { x: a, y: y - 8, width: Math.max(b - a, 1), height: 16, class: "block rest" });
    bar.append(shape("title", {}, `${row.name}: ${measure(row.drop)} ± ${measure(row.spread)}`));
    chart.svg.append(bar, shape("path", {
      d: `M${chart.x(row.drop - row.spread)},${y}H${chart.x(row.drop + row.spread)}`, class: "whisker",
    }));
  });
}
