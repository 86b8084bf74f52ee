// What the page opens with: the cost, and the recall at the capacity of the reader.

/** Whether the typed values are those that Python has computed with corrected intervals. */
function isOpening(name, values) {
  return Object.entries(values).every(([key, value]) => page.opening[name][key] === value);
}

function showOpening(model, curve) {
  const capacity = typedCapacity();
  byId("opening-chance").textContent = capacity ? percent(capacity.max_alerts / capacity.per) : DASH;
  showOpeningCost(model, curve, typedCosts());
  showOpeningRecall(model, curve, capacity);
}

/** The capacity; null if it is invalid, or above the number of rows. */
function typedCapacity() {
  const per = typed("your-rows", Number.MIN_VALUE);
  const alerts = typed("your-alerts", 0, per ?? Infinity);
  return per === null || alerts === null ? null : { max_alerts: alerts, per };
}

function showOpeningCost(model, curve, costs) {
  const all = outcome(model.n_rare, model.n_rows - model.n_rare, model.n_rare, model.n_rows - model.n_rare);
  const none = outcome(0, 0, model.n_rare, model.n_rows - model.n_rare);
  byId("opening-all").textContent = costs ? money(all.costPer1000(costs)) : DASH;
  byId("opening-none").textContent = costs ? money(none.costPer1000(costs)) : DASH;
  if (!curve || !costs) {
    tell("opening-cost", DASH, curve ? "Enter costs" : "This model predicts no scores");
    return;
  }
  const computed = model.opening.costs;
  if (isOpening("costs", costs)) {
    const { expected, interval } = computed.cost_per_1000;
    tell("opening-cost", money(expected), `${range(interval, money)} on new rows, at its best threshold ${short(computed.threshold)}`);
    return;
  }
  const place = RULES.lowestCost(curve, costs);
  const here = curve.at(place);
  const ends = costInterval(here, curve.nRows / Math.max(1, curve.nPasses), costs);
  tell("opening-cost", money(here.costPer1000(costs)),
    `${range(ends, money)} at its best threshold ${short(curve.threshold[place])}, as observed`);
}

function showOpeningRecall(model, curve, capacity) {
  if (!curve || !capacity) {
    tell("opening-recall", DASH, curve ? "Enter alerts and rows" : "This model predicts no scores");
    return;
  }
  const computed = model.opening.capacity;
  if (isOpening("capacity", capacity)) {
    const { expected, interval } = computed.recall;
    tell("opening-recall", percent(expected),
      `${range(interval, percent)} on new rows; precision ${percent(computed.precision.expected)}, threshold ${short(computed.threshold)}`);
    return;
  }
  const place = RULES.alertsAtMost(curve, (1000 * capacity.max_alerts) / capacity.per);
  const here = curve.at(place);
  const ends = wilson(here.recall, curve.nRare / Math.max(1, curve.nPasses));
  tell("opening-recall", percent(here.recall),
    `${range(ends, percent)} as observed; precision ${percent(here.precision)}, threshold ${short(curve.threshold[place])}`);
}

function tell(id, value, about) {
  byId(id).textContent = value;
  byId(`${id}-about`).textContent = about;
}

function range([low, high], format) {
  return `${format(low)} to ${format(high)}`;
}

/** Keep the fields of the header and those of the operating point alike. */
function listenOpening(update) {
  for (const name of ["fp", "fn"]) {
    const [yours, panel] = [byId(`your-${name}`), byId(`cost-${name}`)];
    yours.addEventListener("input", () => { panel.value = yours.value; update(); });
    panel.addEventListener("input", () => { yours.value = panel.value; update(); });
  }
  byId("cost-tp").addEventListener("input", update);
  for (const id of ["your-alerts", "your-rows"]) {
    byId(id).addEventListener("input", () => {
      const capacity = typedCapacity();
      if (capacity) byId("goal-alerts").value = String(Number(((1000 * capacity.max_alerts) / capacity.per).toPrecision(6)));
      update();
    });
  }
}
