// Cases: the strongest alerts, misses and false alarms of the selected model, with reasons.


function caseValue(value) {
  if (value === null || value === undefined) return "missing";
  return isNumber(value) ? String(Number(value.toPrecision(6))) : String(value);
}

/** A contribution as a number with two digits and its sign. */
function signed(change) {
  const size = Math.abs(change);
  return `${change < 0 ? "−" : "+"}${size >= 10 ? count(Math.round(size)) : String(Number(size.toPrecision(2)))}`;
}

function rowName(about) {
  const ids = Object.entries(about.ids).map(([name, value]) => `, ${name} ${value ?? "missing"}`);
  return `row ${count(about.row)}${ids.join("")}`;
}

/** A table with the given class names of columns; cells are texts or elements. */
function caseTable(label, headers, rows) {
  const head = element("tr");
  for (const [text, kind] of headers) {
    const cell = element("th", { scope: "col", class: kind });
    cell.append(kind === "drawn" ? element("span", { class: "hidden" }, text) : text);
    head.append(cell);
  }
  const body = element("tbody");
  for (const cells of rows) {
    const line = element("tr");
    cells.forEach((cell, k) => {
      const made = element(k ? "td" : "th", { class: headers[k][1], ...(k ? {} : { scope: "row" }) });
      made.append(cell);
      line.append(made);
    });
    body.append(line);
  }
  const table = element("table", { class: "narrow" });
  const top = element("thead");
  top.append(head);
  table.append(top, body);
  const frame = element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": label });
  frame.append(table);
  return frame;
}

/** A bar to the right for what raises the score, to the left for what lowers it. */
function contributionBar(change, largest) {
  const half = 110;
  const svg = shape("svg", { width: 2 * half + 2, height: 14, "aria-hidden": "true" });
  const size = Math.max((half * Math.abs(change)) / largest, 1);
  svg.append(shape("rect", {
    x: change < 0 ? half - size : half + 2, y: 1, width: size, height: 12,
    class: change < 0 ? "block rest" : "block rare",
  }), shape("path", { d: `M${half + 1},0V14`, class: "axis" }));
  return svg;
}

function reasonTable(one, model) {
  const largest = Math.max(...one.reasons.map((reason) => Math.abs(reason.change)), 1e-12);
  const rows = one.reasons.map((reason) => [
    reason.column, caseValue(reason.value), signed(reason.change), contributionBar(reason.change, largest),
  ]);
  rows.unshift(["base value", "", short(one.base_value), ""]);
  if (one.others) rows.push(["all other columns", "", signed(one.others), ""]);
  const total = one.base_value + one.others + one.reasons.reduce((sum, reason) => sum + reason.change, 0);
  rows.push([model.unit === "log odds" ? "log odds" : "score", "", short(total), ""]);
  return caseTable("Contributions", [
    ["Column", ""], ["Value", "n"], ["Contribution", "n"], ["Bar of the contribution", "drawn"],
  ], rows);
}

function similarTable(one, cases) {
  const own = cases.rows[one.row];
  const columns = one.reasons.length ? one.reasons.map((reason) => reason.column) : Object.keys(own.values);
  const line = (about, score, distance) => [
    rowName(about), about.label, short(score), distance,
    ...columns.map((name) => {
      const text = caseValue(about.values[name]);
      return text === caseValue(own.values[name]) ? text : element("b", {}, text);
    }),
  ];
  const rows = one.similar.map((other) => line(cases.rows[other.row], other.score, other.distance.toFixed(3)));
  return caseTable("Similar rows", [
    ["Row", ""], ["Class", ""], ["Score", "n"], ["Distance", "n"], ...columns.map((name) => [name, "n"]),
  ], [line(own, one.score, DASH), ...rows]);
}

function caseElement(one, model, cases) {
  const about = cases.rows[one.row];
  const made = element("details", { class: "case" });
  const summary = element("summary");
  summary.append(
    element("b", {}, rowName(about)), " ",
    element("span", { class: about.is_rare ? "tag rare-text" : "tag" }, about.label),
    ` score ${short(one.score)} `,
    element("span", { class: "verdict-of-case", "data-score": one.score, "data-rare": about.is_rare }),
  );
  made.append(summary);
  if (one.scores.low !== one.scores.high) {
    made.append(element("p", { class: "note" },
      `Mean score over the repeats ${short(one.scores.mean)}, from ${short(one.scores.low)} to ${short(one.scores.high)}.`));
  }
  if (one.reasons.length) {
    made.append(element("p", {}, `${one.reasons.slice(0, 3).map((reason) => reason.text).join("; ")}.`));
    made.append(reasonTable(one, model));
  } else if (!model.method) {
    made.append(element("p", { class: "note" }, "The contributions of this model were not kept."));
  }
  if (one.similar.length) {
    made.append(element("h4", {}, "This row, and the nearest rows of each class"), similarTable(one, cases));
  }
  return made;
}

/** Show the cases of a model. */
function showCases(described) {
  const { cases } = page;
  if (!cases) return;
  const model = cases.models.find((one) => one.name === described.name);
  byId("cases-shown").hidden = !model;
  byId("no-cases").hidden = Boolean(model);
  if (!model) return;
  for (const kind of Object.keys(cases.kinds)) {
    byId(`cases-${kind}-list`).replaceChildren(...model[kind].map((one) => caseElement(one, model, cases)));
  }
  byId("cases-method").textContent = model.method
    ? `Contributions of ${described.label}: ${model.method}, in units of the ${model.unit}.`
    : `Contributions of ${described.label} were not kept, so all columns count alike.`;
  byId("cases-weights").textContent = model.weights
    ? `Columns that count most: ${Object.entries(model.weights).map(([name, weight]) => `${name} ${percent(weight)}`).join(", ")}.`
    : "";
}

/** Say what each case is at a threshold. */
function markCases(threshold) {
  if (!page.cases) return;
  for (const mark of document.querySelectorAll(".verdict-of-case")) {
    const isAlert = Number(mark.dataset.score) >= threshold;
    const isRare = mark.dataset.rare === "true";
    mark.textContent = isAlert ? (isRare ? "true alert" : "false alarm") : isRare ? "missed" : "no alert";
    mark.className = `verdict-of-case ${isAlert === isRare ? "is-right" : "is-wrong"}`;
  }
  const counted = (kind) => document.querySelectorAll(`#cases-${kind}-list .is-wrong`).length;
  byId("cases-misses-note").textContent = counted("misses") ? ""
    : `No rare row is missed at the threshold ${short(threshold)}; these have the lowest scores.`;
  byId("cases-false_alarms-note").textContent = counted("false_alarms") ? ""
    : `No other row is alerted at the threshold ${short(threshold)}; these have the highest scores.`;
}
