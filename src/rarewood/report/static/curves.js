// ROC, precision-recall and reachability curves.

function drawCurves(models, curves, chosen, place) {
  const size = Math.min(byId("roc").clientWidth, 400);
  const unit = { low: 0, high: 1 };
  const draw = (id, name, x, y, base) => {
    const paper = canvas(id, size, name);
    const to = axes(paper, [46, 26, paper.width - 10, size - 42],
      { ...unit, label: x.label }, { ...unit, label: y.label });
    paper.svg.append(shape("path", { d: path(base.map(([a, b]) => [to.x(a), to.y(b)])), class: "chance" }));
    const order = models.map((_, k) => k).filter((k) => curves[k] && k !== chosen);
    if (curves[chosen]) order.push(chosen);
    for (const k of order) {
      const points = [];
      for (let i = 0; i < curves[k].length; i++) {
        const here = curves[k].at(i);
        if (y.of(here) !== null) points.push([to.x(x.of(here)), to.y(y.of(here))]);
      }
      paper.svg.append(shape("path", {
        d: path(points), class: `curve m${k % 8} ${k >= 8 ? "dashed" : ""} ${k === chosen ? "chosen" : ""}`,
      }));
    }
    if (curves[chosen] && y.of(curves[chosen].at(place)) !== null) {
      const here = curves[chosen].at(place);
      paper.svg.append(shape("circle", {
        cx: to.x(x.of(here)), cy: to.y(y.of(here)), r: 6, class: "here",
      }));
    }
  };
  const recall = { label: "Recall", of: (here) => here.recall };
  const baseRate = models[chosen].n_rare / models[chosen].n_rows;
  draw("roc", "ROC curves", { label: "False positive rate", of: (here) => here.falseAlarmRate }, recall,
    [[0, 0], [1, 1]]);
  draw("pr", "Precision-recall curves", recall,
    { label: "Precision", of: (here) => here.precision }, [[0, baseRate], [1, baseRate]]);
}

/** Recall and F-measure at every threshold, as step functions. */
function drawReachability(model, curve, place) {
  const paper = canvas("reach", 332, "Recall and F-measure at each threshold");
  const [low, high] = model.span;
  const box = [46, 52, paper.width - 14, 284];
  const unit = model.kind === "probability" ? "Threshold (probability of the rare class)" : "Threshold (score)";
  const to = axes(paper, box, { low, high, label: unit },
    { low: 0, high: 1, rise: 24, label: "Recall (solid), F-measure (dashed)", format: (v) => `${Math.round(100 * v)}%` });
  const inside = (value) => to.x(Math.min(Math.max(value, low), high));
  const { from, to: end } = model.reachability.steepest;
  paper.svg.append(shape("rect", {
    x: inside(from), y: box[1], width: Math.max(inside(end) - inside(from), 2), height: box[3] - box[1],
    class: "stretch",
  }));
  const steps = (value) => {
    const points = [[box[2], to.y(value(curve.at(curve.place(high))))]];
    for (let k = 0; k < curve.length; k++) {
      const x = inside(curve.threshold[k]);
      points.push([x, points.at(-1)[1]], [x, to.y(value(curve.at(k)))]);
    }
    points.push([box[0], points.at(-1)[1]]);
    return path(points.filter(([x]) => x >= box[0] && x <= box[2]));
  };
  paper.svg.append(shape("path", { d: steps((here) => here.f(1)), class: "curve faint" }));
  paper.svg.append(shape("path", { d: steps((here) => here.recall), class: "curve rare chosen" }));
  const best = model.reachability.best_f.threshold;
  const marks = [[model.reachability.default, short(model.reachability.default), "default"], [best, "best F", "best"]];
  if (Math.abs(inside(marks[0][0]) - inside(best)) < 46) marks[1][1] += `, ${marks[0][1]}`;
  for (const [value, text, name] of marks) {
    const x = inside(value);
    paper.svg.append(shape("line", { x1: x, x2: x, y1: box[1], y2: box[3], class: `mark ${name}` }));
    if (name === "default" && marks[1][1] !== "best F") continue;
    const anchor = x > box[2] - 40 ? "end" : x < box[0] + 24 ? "start" : "middle";
    paper.svg.append(shape("text", { x, y: box[1] - 6, "text-anchor": anchor, class: "tick strong" }, text));
  }
  const here = curve.at(place);
  const x = inside(curve.threshold[place]);
  paper.svg.append(shape("line", { x1: x, x2: x, y1: box[1], y2: box[3], class: "mark now" }));
  paper.svg.append(shape("circle", { cx: x, cy: to.y(here.recall), r: 6, class: "here" }));
}

function showReachability(model) {
  const { sentences, levels } = model.reachability;
  byId("reach-words").replaceChildren(...sentences.map((text) => element("p", {}, text)));
  fillTable("reach-levels", levels.map((level) => [
    percent(level.recall).replace(".0", ""), short(level.threshold), percent(level.precision),
    count(Number(level.alerts_per_1000.toFixed(1))),
  ]));
}
