// Drawing helpers: SVG elements, scales, axes and number formats.

const SVG = "http://www.w3.org/2000/svg";
const HTML = "http://www.w3.org/1999/xhtml";
const byId = (id) => document.getElementById(id);

/** Make an HTML element. Texts are set as text, never as markup. */
function element(tag, attributes = {}, text = null, namespace = HTML) {
  const made = document.createElementNS(namespace, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== null) made.textContent = text;
  return made;
}

/** Make an SVG element. */
function shape(tag, attributes = {}, text = null) {
  return element(tag, attributes, text, SVG);
}

/** Replace the rows of a table; the first cell of a row is its header. */
function fillTable(id, rows) {
  byId(id).replaceChildren(...rows.map(([first, ...rest]) => {
    const row = element("tr");
    row.append(element("th", { scope: "row" }, first), ...rest.map((text) => element("td", {}, text)));
    return row;
  }));
}

/** Replace the drawing of a figure by an empty one of its width. */
function canvas(id, height, label) {
  const figure = byId(id);
  const width = Math.max(Math.floor(figure.clientWidth), 240);
  const svg = shape("svg", {
    viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label,
  });
  figure.replaceChildren(svg);
  return { svg, width, height };
}

/** Linear map from [low, high] to [from, to]. */
function scale(low, high, from, to) {
  const step = high > low ? (to - from) / (high - low) : 0;
  return (value) => from + (value - low) * step;
}

/** Round numbers between two others. */
function ticks(low, high, wanted = 5) {
  const rough = (high - low) / Math.max(wanted, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((k) => k * power).find((size) => size >= rough * 0.999);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) {
    found.push(Number((k * step).toPrecision(12)));
  }
  return found;
}

/** Draw two axes with grid lines; return the scales of both. */
function axes(paper, box, x, y) {
  const { svg } = paper;
  const [left, top, right, bottom] = box;
  const sx = scale(x.low, x.high, left, right);
  const sy = scale(y.low, y.high, bottom, top);
  const wide = right - left;
  for (const value of x.ticks ?? ticks(x.low, x.high, Math.max(3, Math.floor(wide / 70)))) {
    svg.append(shape("line", { x1: sx(value), x2: sx(value), y1: top, y2: bottom, class: "grid" }));
    svg.append(shape("text", {
      x: sx(value), y: bottom + 16, "text-anchor": "middle", class: "tick",
    }, (x.format ?? short)(value)));
  }
  for (const value of y.ticks ?? ticks(y.low, y.high, 5)) {
    svg.append(shape("line", { x1: left, x2: right, y1: sy(value), y2: sy(value), class: "grid" }));
    svg.append(shape("text", {
      x: left - 6, y: sy(value) + 4, "text-anchor": "end", class: "tick",
    }, (y.format ?? short)(value)));
  }
  svg.append(shape("path", { d: `M${left},${top}V${bottom}H${right}`, class: "axis" }));
  svg.append(shape("text", {
    x: Math.min((left + right) / 2, paper.width - 3.3 * x.label.length), y: bottom + 34, "text-anchor": "middle", class: "label",
  }, x.label));
  if (y.label) svg.append(shape("text", { x: Math.min(left, 20), y: top - (y.rise ?? 9), class: "label" }, y.label));
  return { x: sx, y: sy };
}

/** A line through points. */
function path(points) {
  return points.map(([x, y], k) => `${k ? "L" : "M"}${x.toFixed(2)},${y.toFixed(2)}`).join("");
}

/** A chart with a line for each name: names at the left, and an axis below. */
function lineChart(id, title, names, axis, { step = 26, top = 10, right = 16, first = "name" } = {}) {
  const paper = canvas(id, top + names.length * step + 42, title);
  const longest = Math.max(...names.map((name) => Array.from(name).length));
  const left = Math.min(7 * longest + 24, Math.max(paper.width * 0.42, 105), 260);
  const box = [left, top, paper.width - right, top + names.length * step];
  const { x } = axes(paper, box, axis(box[2] - left), { low: 0, high: 1, ticks: [] });
  const y = (k) => top + (k + 0.5) * step;
  names.forEach((name, k) => write(paper.svg, name, left - 12, {
    x: left - 10, y: y(k) + 4, "text-anchor": "end", class: k ? "name" : first,
  }));
  return { svg: paper.svg, right: box[2], x, y };
}

/** Write a text, shortened to some pixels; the full text is its title. */
function write(svg, text, pixels, attributes) {
  const made = shape("text", attributes, text);
  svg.append(made);
  if (made.getComputedTextLength() <= pixels) return;
  const letters = Array.from(text);
  let [low, high] = [1, letters.length];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    made.textContent = `${letters.slice(0, middle).join("")}…`;
    if (made.getComputedTextLength() <= pixels) low = middle;
    else high = middle;
  }
  made.textContent = `${letters.slice(0, low).join("")}…`;
  made.append(shape("title", {}, text));
}

const DASH = "–";

function isNumber(value) {
  return typeof value === "number" && Number.isFinite(value);
}

/** A number with few digits; large ones with thousands separators. */
function short(value) {
  if (!isNumber(value)) return DASH;
  const size = Math.abs(value);
  return size >= 1000 && size < 1e9 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(4)));
}

/** A number with two digits. */
function brief(value) {
  return String(Number(value.toPrecision(2)));
}

/** A mean of counts; without decimals if it is an integer. */
function count(value) {
  if (!isNumber(value)) return DASH;
  const digits = Number.isInteger(Number(value.toFixed(6))) ? 0 : 1;
  return value.toLocaleString("en-US", {
    minimumFractionDigits: digits, maximumFractionDigits: digits,
  });
}

/** A fraction as a percentage; small ones with more digits. */
function percent(value) {
  if (!isNumber(value)) return DASH;
  const digits = value !== 0 && Math.abs(value) < 0.01 ? 2 : 1;
  return `${(100 * value).toFixed(digits)}%`;
}

/** A metric between 0 and 1. */
function measure(value) {
  return isNumber(value) ? value.toFixed(3) : DASH;
}

/** A p-value. */
function pValue(value) {
  if (!isNumber(value)) return DASH;
  return value < 0.0001 ? "< 0.0001" : value.toFixed(value < 0.01 ? 4 : 3);
}
