// The ranking: intervals of a metric, and groups of models without significant differences.

function drawRanking(ranking, name) {
  const metric = ranking.metrics.find((one) => one.name === name);
  const known = ranking.labels
    .map((model, place) => ({ model, place, ...metric.values[place], rank: metric.ranks[place] }))
    .filter((row) => row.mean !== null);
  const sign = metric.higher_is_better ? -1 : 1;
  known.sort((a, b) => sign * (a.mean - b.mean));
  drawIntervals(metric, known);
  if (!byId("diagram")) return; // a single model
  drawDiagram(metric, known.filter((row) => row.rank !== null));
  listTests(metric, known);
}

function drawIntervals(metric, rows) {
  const low = Math.min(...rows.map((row) => row.low ?? row.mean));
  const high = Math.max(...rows.map((row) => row.high ?? row.mean));
  const room = (high - low || 0.1) * 0.06;
  const direction = metric.higher_is_better ? "right is better" : "left is better";
  const axis = { low: low - room, high: high + room, label: `${metric.label} (${direction})` };
  const chart = lineChart("intervals", `${metric.label} of each model with its confidence interval`,
    rows.map((row) => row.model), () => axis, { step: 30, top: 14, right: 54, first: "name first" });
  rows.forEach((row, k) => {
    const y = chart.y(k);
    if (row.low !== null) {
      chart.svg.append(shape("path", {
        d: `M${chart.x(row.low)},${y - 5}v10M${chart.x(row.low)},${y}H${chart.x(row.high)}m0,-5v10`,
        class: "whisker",
      }));
    }
    chart.svg.append(shape("circle", { cx: chart.x(row.mean), cy: y, r: 5, class: k ? "dot" : "dot best" }),
      shape("text", { x: chart.right + 8, y: y + 4, class: "name" }, spare(row.mean)));
  });
}

function spare(value) {
  return money(value);
}

// Demšar's layout: an axis of average ranks, names on both sides, bars over groups of models.
function drawDiagram(metric, rows) {
  const models = [...rows].sort((a, b) => a.rank - b.rank || a.place - b.place);
  const figure = byId("diagram");
  figure.hidden = models.length < 2;
  if (models.length < 2) return;
  if (figure.clientWidth < 560) {
    drawUpright(metric, models);
    return;
  }
  const half = Math.ceil(models.length / 2);
  const axis = 34;
  const first = axis + 24 + metric.groups.length * 11;
  const step = 24;
  const paper = canvas("diagram", first + half * step + 4, `Average ranks by ${metric.label}`);
  const side = Math.min(paper.width * 0.33, 270);
  const to = scale(1, models.length, side + 8, paper.width - side - 8);
  const { svg } = paper;
  svg.append(shape("path", { d: `M${to(1)},${axis}H${to(models.length)}`, class: "axis" }));
  for (const rank of ticks(1, models.length, Math.min(models.length - 1, 12)).filter(Number.isInteger)) {
    svg.append(shape("path", { d: `M${to(rank)},${axis}v-6`, class: "axis" }));
    svg.append(shape("text", { x: to(rank), y: axis - 10, "text-anchor": "middle", class: "tick" }, rank));
  }
  models.forEach((row, k) => {
    const isLeft = k < half;
    const y = first + (isLeft ? k : models.length - 1 - k) * step;
    const end = isLeft ? side : paper.width - side;
    svg.append(shape("path", { d: `M${to(row.rank)},${axis}V${y}H${end}`, class: "elbow" }));
    write(svg, `${row.model} ${row.rank.toFixed(1)}`, side - 4, {
      x: isLeft ? end - 5 : end + 5, y: y + 4, "text-anchor": isLeft ? "end" : "start", class: "name",
    });
  });
  const at = new Map(models.map((row) => [row.place, to(row.rank)]));
  metric.groups.forEach((group, k) => {
    const y = axis + 13 + k * 11;
    const places = group.map((place) => at.get(place));
    svg.append(shape("path", {
      d: `M${Math.min(...places) - 3},${y}H${Math.max(...places) + 3}`, class: "alike",
    }));
    for (const x of places) svg.append(shape("circle", { cx: x, cy: y, r: 3.4, class: "member" }));
  });
}

// The same for narrow screens: a line for each model, ranks on an axis, bars on the right.
function drawUpright(metric, models) {
  const axis = (width) => ({
    low: 0.8, high: models.length + 0.2, label: "Average rank (1 is best)",
    ticks: ticks(1, models.length, Math.max(Math.floor(width / 30), 1)).filter(Number.isInteger),
  });
  const chart = lineChart("diagram", `Average ranks by ${metric.label}`, models.map((row) => row.model),
    axis, { right: 16 + metric.groups.length * 12 });
  const at = new Map(models.map((row, k) => [row.place, chart.y(k)]));
  models.forEach((row, k) => {
    chart.svg.append(shape("circle", { cx: chart.x(row.rank), cy: chart.y(k), r: 5, class: "dot elbow" }));
  });
  metric.groups.forEach((group, k) => {
    const x = chart.right + 14 + k * 12;
    const places = group.map((place) => at.get(place));
    chart.svg.append(shape("path", {
      d: `M${x},${Math.min(...places) - 3}V${Math.max(...places) + 3}`, class: "alike",
    }));
    for (const y of places) chart.svg.append(shape("circle", { cx: x, cy: y, r: 3.4, class: "member" }));
  });
}

function listTests(metric, rows) {
  const [best, ...others] = rows;
  fillTable("tests", others.map((row) => [
    row.model, pValue(metric.p_best[row.place]), pValue(metric.p_holm[best.place][row.place]),
  ]));
  byId("tests-best").textContent = best.model;
}
