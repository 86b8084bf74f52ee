// State of the page: the selected model and threshold, and the updates when they change.

const page = JSON.parse(document.getElementById("data").textContent);
const curves = page.models.map((model) => (model.curve ? new Curve(model) : null));
const state = { model: page.models.findIndex((model) => model.name === page.chosen), place: 0 };

function notify(text) {
  byId("message").textContent = text;
}

function showCounts(counts, nPasses) {
  for (const name of ["tp", "fp", "fn", "tn"]) {
    const mean = counts[name] / nPasses;
    byId(name).textContent = count(mean);
    byId(name).dataset.value = mean;
  }
}

function showMeasures(here) {
  const beta = typed("beta", 0.01, 100) ?? 1;
  byId("precision").textContent = percent(here.precision);
  byId("recall").textContent = percent(here.recall);
  byId("f").textContent = measure(here.f(beta));
  byId("f-name").textContent = beta === 1 ? "F-measure" : `F-measure, beta ${short(beta)}`;
  byId("alerts").textContent = count(Number(here.alertsPer1000.toFixed(1)));
  const costs = typedCosts();
  byId("cost").dataset.value = costs ? here.costPer1000(costs) : "";
  byId("cost").textContent = costs ? money(here.costPer1000(costs)) : DASH;
  const none = outcome(0, 0, here.tp + here.fn, here.fp + here.tn);
  byId("cost-none").textContent = costs ? money(none.costPer1000(costs)) : DASH;
  byId("cost-error").hidden = Boolean(costs);
  byId("lowest-cost").disabled = !costs || !curves[state.model];
  const all = outcome(here.tp + here.fn, here.fp + here.tn, here.tp + here.fn, here.fp + here.tn);
  byId("cost-all").textContent = costs ? money(all.costPer1000(costs)) : DASH;
  showIntervals(here, page.models[state.model].n_passes, costs);
  byId("bar-now").textContent = `recall ${percent(here.recall)}, precision ${percent(here.precision)}`;
}

/** Update everything that depends on the threshold. */
function showPlace() {
  const model = page.models[state.model];
  const curve = curves[state.model];
  if (!curve) {
    const { tp, fp } = model.labels;
    const here = outcome(tp, fp, model.n_rare, model.n_rows - model.n_rare);
    showCounts(here, model.n_passes);
    showMeasures(here);
    byId("threshold").value = "";
    return;
  }
  const here = curve.at(state.place);
  const threshold = curve.threshold[state.place];
  showCounts(here, curve.nPasses);
  showMeasures(here);
  byId("threshold").value = short(threshold).replaceAll(",", "");
  byId("threshold").dataset.value = threshold;
  const slider = byId("slider");
  slider.value = curve.length - 1 - state.place;
  slider.setAttribute("aria-valuetext",
    `threshold ${short(threshold)}, recall ${percent(here.recall)}, precision ${percent(here.precision)}`);
  byId("bar-threshold").textContent = short(threshold);
  drawCurves(page.models, curves, state.model, state.place);
  drawReachability(model, curve, state.place);
  drawDistribution(model, curve, state.place);
  drawCosts(model, curve, state.place, typedCosts());
  markCases(threshold);
}

/** Select a model, with the threshold of the goal, or of its best F-measure. */
function showModel(index) {
  state.model = index;
  const model = page.models[index];
  const curve = curves[index];
  byId("model").value = String(index);
  for (const button of document.querySelectorAll("#legend button")) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.model) === index));
  }
  const isCalibrated = Boolean(model.calibration);
  const has = { curve: Boolean(curve), "no-curve": !curve, probability: isCalibrated, "no-probability": !isCalibrated };
  for (const part of document.querySelectorAll("[data-needs]")) part.hidden = !has[part.dataset.needs];
  for (const name of document.querySelectorAll(".model-name")) name.textContent = model.label;
  for (const part of document.querySelectorAll("[data-explained]")) {
    part.hidden = Number(part.dataset.explained) !== model.explanation;
  }
  drawImportances(page.importances[model.explanation], model.explanation);
  if (curve) {
    byId("slider").max = curve.length - 1;
    byId("kept").textContent = curve.isWhole
      ? `all ${count(curve.nPoints)} distinct thresholds`
      : `${count(curve.length)} of ${count(curve.nPoints)} distinct thresholds`;
    state.place = model.goal ? curve.place(model.goal.threshold) : RULES.bestF(curve, 1);
    showReachability(model);
    notify(model.goal ? `Threshold of ${model.label} for the goal: ${page.goal.text}.`
      : `Threshold with the best F-measure of ${model.label}.`);
  } else {
    byId("bar-threshold").textContent = DASH;
    notify(`${model.label} predicts only labels, so it has no threshold.`);
  }
  showOpening(model, curve);
  if (isCalibrated) {
    showCalibration(model);
    drawCalibration(model, byId("bins").value);
  }
  showCases(model);
  showPlace();
  markScrollable();
}

function goTo(place, found) {
  state.place = place;
  showPlace();
  const curve = curves[state.model];
  const nothing = place === 0 ? " No row is alerted." : "";
  notify(`${found}: threshold ${short(curve.threshold[place])}.${nothing}`);
}

function press(rule) {
  const curve = curves[state.model];
  if (!curve) return;
  if (rule === "best-f") {
    const beta = typed("beta", 0.01, 100);
    if (beta === null) notify("Enter a beta between 0.01 and 100; 1 weighs precision and recall equally.");
    else goTo(RULES.bestF(curve, beta), `Best F-measure, beta ${short(beta)}`);
  } else if (rule === "recall-at-least") {
    const recall = typed("goal-recall", 0.01, 100);
    if (recall === null) notify("Enter a recall above 0 and up to 100%.");
    else goTo(RULES.recallAtLeast(curve, recall / 100), `Fewest alerts with a recall of at least ${short(recall)}%`);
  } else if (rule === "alerts-at-most") {
    const most = typed("goal-alerts", 0, 1000);
    if (most === null) notify("Enter a number of alerts per 1,000 rows from 0 to 1,000.");
    else goTo(RULES.alertsAtMost(curve, most), `At most ${short(most)} alerts per 1,000 rows`);
  } else {
    const costs = typedCosts();
    if (costs) goTo(RULES.lowestCost(curve, costs), "Lowest expected cost");
  }
}

function typeThreshold() {
  const curve = curves[state.model];
  const wanted = typed("threshold", -Infinity);
  if (!curve || wanted === null) {
    notify("Enter a number as the threshold.");
    return;
  }
  state.place = curve.place(wanted);
  const kept = curve.threshold[state.place];
  showPlace();
  const same = curve.isWhole ? "which alerts the same rows" : "the next threshold on this page";
  if (wanted > kept) notify(`No row is alerted above the highest score; the threshold is set to ${short(kept)}.`);
  else if (kept === wanted) notify(`Threshold ${short(kept)}.`);
  else notify(`${short(wanted)} was set to ${short(kept)}, ${same}.`);
}

function drawAll() {
  drawRanking(page.ranking, byId("metric").value);
  const explained = page.models[state.model].explanation;
  drawImportances(page.importances[explained], explained);
  markScrollable();
  if (page.models[state.model].calibration) drawCalibration(page.models[state.model], byId("bins").value);
  showPlace();
}

function listen() {
  byId("model").addEventListener("change", (event) => showModel(Number(event.target.value)));
  byId("metric").addEventListener("change", () => drawRanking(page.ranking, byId("metric").value));
  byId("bins").addEventListener("change", () => drawCalibration(page.models[state.model], byId("bins").value));
  byId("slider").addEventListener("input", (event) => {
    const curve = curves[state.model];
    state.place = curve.length - 1 - Number(event.target.value);
    showPlace();
    notify("");
  });
  byId("threshold").addEventListener("change", typeThreshold);
  listenOpening(() => {
    showOpening(page.models[state.model], curves[state.model]);
    showPlace();
  });
  byId("beta").addEventListener("input", showPlace);
  for (const button of document.querySelectorAll("[data-rule]")) {
    button.addEventListener("click", () => press(button.dataset.rule));
  }
  for (const button of document.querySelectorAll("#legend button")) {
    button.addEventListener("click", () => showModel(Number(button.dataset.model)));
  }
}

/** Redraw when the width changes, at most once per frame. */
function watchWidth() {
  let width = document.body.clientWidth;
  let waiting = false;
  window.addEventListener("resize", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      if (document.body.clientWidth === width) return;
      width = document.body.clientWidth;
      drawAll();
    });
  });
}

/** Mark what has more columns to the right than are visible. */
function markScrollable() {
  for (const one of document.querySelectorAll(".scroll")) {
    one.classList.toggle("more", one.scrollLeft + one.clientWidth < one.scrollWidth - 2);
  }
}

function watchScrolling() {
  for (const one of document.querySelectorAll(".scroll")) {
    one.addEventListener("scroll", markScrollable, { passive: true });
  }
  for (const one of document.querySelectorAll("details")) one.addEventListener("toggle", markScrollable);
}

// On a narrow screen a tree is a list.
if (document.body.clientWidth <= 700) {
  for (const list of document.querySelectorAll(".as-list")) list.open = true;
}
listen();
showModel(state.model);
drawAll();
watchWidth();
watchScrolling();
