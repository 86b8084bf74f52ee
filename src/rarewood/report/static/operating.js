// The operating point: counts at a threshold and the metrics computed from them.
// A row is alerted if its score is at least the threshold, as in rarewood.operating.

const ROUNDING = 1e-12;

/** Counts of a model at each threshold (decreasing), pooled over the repeats. */
class Curve {
  constructor(model) {
    const { threshold, tp, fp } = model.curve;
    Object.assign(this, { threshold, tp, fp });
    this.nRare = model.n_rare;
    this.nRest = model.n_rows - model.n_rare;
    this.nRows = model.n_rows;
    this.nPasses = model.n_passes;
    this.isWhole = threshold.length === model.curve.n_points;
    this.nPoints = model.curve.n_points;
  }

  get length() {
    return this.threshold.length;
  }

  at(place) {
    return outcome(this.tp[place], this.fp[place], this.nRare, this.nRest);
  }

  /** Index of the point that alerts the same rows as a threshold: the last one not below it. */
  place(threshold) {
    let last = 0;
    while (last + 1 < this.length && this.threshold[last + 1] >= threshold) last++;
    return last;
  }

  /** First index with the highest value, up to rounding. */
  firstHighest(value) {
    const values = this.threshold.map((_, k) => value(this.at(k)));
    const best = Math.max(...values);
    const size = Math.max(...values.map(Math.abs));
    return values.findIndex((one) => one >= best - ROUNDING * size);
  }
}

function outcome(tp, fp, nRare, nRest) {
  const alerts = tp + fp;
  const nRows = nRare + nRest;
  const fn = nRare - tp;
  return {
    tp, fp, fn, tn: nRest - fp, alerts,
    recall: nRare ? tp / nRare : null,
    precision: alerts ? tp / alerts : null,
    falseAlarmRate: nRest ? fp / nRest : null,
    f: (beta) => {
      const hits = (1 + beta * beta) * tp;
      return hits / (hits + beta * beta * fn + fp);
    },
    alertsPer1000: (1000 * alerts) / nRows,
    costPer1000: (costs) => (1000 * (costs.fp * fp + costs.fn * fn + costs.tp * tp)) / nRows,
  };
}

/** Rules of the buttons; each returns the index of a point. Ties as in rarewood.operating. */
const RULES = {
  bestF: (curve, beta) => curve.firstHighest((here) => here.f(beta)),
  recallAtLeast: (curve, recall) => {
    for (let k = 0; k < curve.length; k++) if (curve.at(k).recall >= recall - ROUNDING) return k;
    return curve.length - 1;
  },
  alertsAtMost: (curve, most) => {
    const limit = (curve.nRows * most / 1000) * (1 + ROUNDING);
    return curve.firstHighest((here) => (here.alerts <= limit ? here.alerts : -1));
  },
  lowestCost: (curve, costs) => curve.firstHighest((here) => -here.costPer1000(costs)),
};

/** Number in an input field; null if it is invalid. */
function typed(id, least = 0, most = Infinity) {
  const field = byId(id);
  const value = field.value.trim() === "" ? NaN : Number(field.value);
  const isFine = Number.isFinite(value) && value >= least && value <= most;
  field.setAttribute("aria-invalid", String(!isFine));
  return isFine ? value : null;
}

/** The costs, or null if an error would cost no more than a correct prediction. */
function typedCosts() {
  const [fn, fp, tp] = [typed("cost-fn"), typed("cost-fp"), typed("cost-tp")];
  if (fn === null || fp === null || tp === null) return null;
  return fn > tp && fp > 0 ? { fn, fp, tp } : null;
}
