// What a threshold achieves, with intervals; and the cost at each threshold.
// The intervals are those of rarewood.operating for a threshold that was set beforehand.

const Z95 = 1.959963984540054;

/** A cost: three decimals if it is small, else with thousands separators. */
function money(value) {
  return Math.abs(value) < 10 ? value.toFixed(3) : Math.round(value).toLocaleString("en-US");
}

/** Wilson interval of a fraction of n rows. */
function wilson(fraction, n) {
  const square = (Z95 * Z95) / n;
  const middle = (fraction + square / 2) / (1 + square);
  const half = (Z95 * Math.sqrt((fraction * (1 - fraction)) / n + square / (4 * n))) / (1 + square);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** Interval of the cost per 1,000 rows: half-widths of the parts add up by their squares. */
function costInterval(here, nRows, costs) {
  const n = here.tp + here.fp + here.fn + here.tn;
  let [down, up] = [0, 0];
  for (const name of ["tp", "fp", "fn"]) {
    const fraction = here[name] / n;
    const ends = wilson(fraction, nRows).map((end) => 1000 * costs[name] * (end - fraction));
    down += Math.min(...ends) ** 2;
    up += Math.max(...ends) ** 2;
  }
  const cost = here.costPer1000(costs);
  const prices = [costs.tp, costs.fp, costs.fn, 0];
  return [
    Math.max(1000 * Math.min(...prices), cost - Math.sqrt(down)),
    Math.min(1000 * Math.max(...prices), cost + Math.sqrt(up)),
  ];
}

/** Show the intervals; each row counts once, however many repeats tested it. */
function showIntervals(here, nPasses, costs) {
  const times = Math.max(1, nPasses);
  const n = here.tp + here.fp + here.fn + here.tn;
  const show = (id, ends, format) => {
    byId(id).textContent = ends ? `${format(ends[0])} to ${format(ends[1])}` : "";
    byId(id).dataset.low = ends ? ends[0] : "";
    byId(id).dataset.high = ends ? ends[1] : "";
  };
  show("recall-interval", wilson(here.recall, (here.tp + here.fn) / times), percent);
  show("precision-interval",
    here.alerts ? wilson(here.precision, here.alerts / times) : null, percent);
  show("alerts-interval", wilson(here.alerts / n, n / times).map((end) => 1000 * end), (v) => count(Number(v.toFixed(1))));
  show("cost-interval", costs ? costInterval(here, n / times, costs) : null, money);
  const text = extreme(here, n);
  byId("extreme").textContent = text;
  byId("extreme").hidden = !text;
}

/** The sentence of rarewood.operating about a threshold that alerts nearly everyone or no one. */
function extreme(here, n) {
  const alerts = here.alerts / n;
  if (alerts === 0) return "This threshold alerts no one: no row has a score this high.";
  if (here.recall < 0.01) return `This threshold alerts nearly no one: it finds ${(100 * here.recall).toFixed(2)}% of the rare rows.`;
  if (alerts === 1) return "This threshold alerts everyone.";
  if (alerts >= 0.9) return `This threshold alerts nearly everyone: ${(100 * alerts).toFixed(1)}% of the rows.`;
  return "";
}

function drawCosts(model, curve, place, costs) {
  const figure = byId("cost-curve");
  if (!costs) {
    figure.replaceChildren();
    return;
  }
  const paper = canvas("cost-curve", 260, `Cost per 1,000 rows at each threshold of ${model.label}`);
  const times = Math.max(1, curve.nPasses);
  const [low, high] = model.span;
  const points = curve.threshold.map((threshold, k) => {
    const here = curve.at(k);
    const ends = costInterval(here, curve.nRows / times, costs);
    return { threshold, cost: here.costPer1000(costs), low: ends[0], high: ends[1] };
  }).filter((point) => point.threshold >= low && point.threshold <= high);
  const none = outcome(0, 0, curve.nRare, curve.nRest).costPer1000(costs);
  const all = outcome(curve.nRare, curve.nRest, curve.nRare, curve.nRest).costPer1000(costs);
  // A cost far above the better baseline needs no room.
  const least = Math.min(0, ...points.map((point) => point.low));
  const most = Math.min(Math.max(none, all, ...points.map((point) => point.high)), 2 * Math.max(Math.min(none, all), 1e-9));
  const unit = model.kind === "probability" ? "Threshold on the probability" : "Threshold on the score";
  const box = [64, 26, paper.width - 14, 260 - 42];
  const to = axes(paper, box, { low, high, label: unit },
    { low: least, high: most, label: "Cost per 1,000 rows", format: (v) => v.toLocaleString("en-US") });
  const inside = (value) => to.y(Math.min(Math.max(value, least), most));
  const upper = points.map((point) => [to.x(point.threshold), inside(point.high)]);
  const lower = points.map((point) => [to.x(point.threshold), inside(point.low)]).reverse();
  paper.svg.append(shape("path", { d: `${path([...upper, ...lower])}Z`, class: "band" }));
  const isNear = Math.abs(to.y(all) - to.y(none)) < 14;  // then their names would overlap
  for (const [value, name] of [[all, isNear ? "" : "alert everyone"], [none, isNear ? "alert everyone, alert no one" : "alert no one"]]) {
    if (value > most) continue;
    paper.svg.append(
      shape("line", { x1: box[0], x2: box[2], y1: to.y(value), y2: to.y(value), class: "baseline" }),
      shape("text", { x: box[2] - 4, y: to.y(value) - 5, "text-anchor": "end", class: "tick halo" }, name),
    );
  }
  paper.svg.append(shape("path", {
    d: path(points.map((point) => [to.x(point.threshold), inside(point.cost)])), class: "curve chosen m0",
  }));
  const here = Math.min(Math.max(curve.threshold[place], low), high);
  paper.svg.append(shape("line", { x1: to.x(here), x2: to.x(here), y1: box[1] - 4, y2: box[3], class: "mark now" }));
}
