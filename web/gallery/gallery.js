// The gallery: asks for the list while it is made, and fills in the part of the grid that can be seen.
"use strict";

const tileHeight = 232, narrowestTile = 168, rowsAround = 2;
const scroll = document.getElementById("scroll"), grid = document.getElementById("grid");
const search = document.getElementById("search"), format = document.getElementById("format");
const count = document.getElementById("count"), empty = document.getElementById("empty");

const models = [];
const formats = new Set();
const tiles = new Map(); // place in `shown` -> element
let shown = [];
let done = false, columns = 1, waiting = false;

function sizeText(bytes) {
  const units = ["bytes", "KB", "MB", "GB"];
  let unit = 0;
  for (; bytes >= 1000 && unit < 3; ++unit) bytes /= 1000;
  return (unit === 0 ? bytes : bytes.toFixed(1)) + " " + units[unit];
}

function matches(model) {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const path = model.path.toLowerCase();
  return (format.value === "" || model.format === format.value) && words.every((word) => path.includes(word));
}

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function tile(model, place) {
  const item = document.createElement("li"), link = document.createElement("a");
  link.href = "/view/" + model.id;
  link.target = "_blank";
  link.rel = "noopener";
  const slash = model.path.lastIndexOf("/");
  const picture = element("span", "picture"), image = new Image(256, 256);
  image.alt = "";
  image.addEventListener("error", () => picture.replaceChildren(document.createTextNode(model.format)));
  image.src = "/thumbnail/" + model.id;
  picture.append(image);
  const folder = slash < 0 ? "" : model.path.slice(0, slash) + ", ";
  link.title = model.path;
  link.append(picture, element("span", "name", model.path.slice(slash + 1)),
    element("span", "about", folder + model.format + ", " + sizeText(model.size)));
  item.append(link);
  item.setAttribute("aria-posinset", place + 1);
  return item;
}

function removeTile(place) {
  const item = tiles.get(place);
  const image = item.querySelector("img");
  if (image) image.removeAttribute("src"); // nobody waits for it any more
  item.remove();
  tiles.delete(place);
}

/** Tiles exist for the rows that can be seen, and some around them. */
function fill() {
  waiting = false;
  const width = grid.clientWidth;
  columns = Math.max(1, Math.floor(width / narrowestTile));
  grid.style.height = Math.ceil(shown.length / columns) * tileHeight + "px";
  const top = Math.floor(scroll.scrollTop / tileHeight) - rowsAround;
  const bottom = Math.ceil((scroll.scrollTop + scroll.clientHeight) / tileHeight) + rowsAround;
  const first = Math.max(0, top * columns), last = Math.min(shown.length, bottom * columns);
  for (const place of [...tiles.keys()]) if (place < first || place >= last) removeTile(place);
  let before = null;
  for (let place = first; place < last; ++place) {
    let item = tiles.get(place);
    if (!item) {
      item = tile(shown[place], place);
      tiles.set(place, item);
      before ? before.after(item) : grid.prepend(item); // so that Tab goes from one to the next
    }
    item.setAttribute("aria-setsize", shown.length);
    item.style.width = width / columns + "px";
    item.style.height = tileHeight + "px";
    item.style.transform = `translate(${(place % columns) * width / columns}px, ${Math.floor(place / columns) * tileHeight}px)`;
    before = item;
  }
}

function fillSoon() {
  if (!waiting) requestAnimationFrame(fill);
  waiting = true;
}

function say() {
  const found = shown.length === models.length ? `${models.length} models` : `${shown.length} of ${models.length} models`;
  count.textContent = done ? found : found + ", looking for more ...";
  empty.hidden = shown.length > 0 || !done;
  empty.textContent = models.length === 0 ? "There are no models in this folder." : "No model is called so.";
}

function choose() {
  for (const place of [...tiles.keys()]) removeTile(place);
  shown = models.filter(matches);
  scroll.scrollTop = 0;
  say();
  fillSoon();
}

function addFormat(name) {
  if (formats.has(name)) return;
  formats.add(name);
  const option = element("option", "", name);
  option.value = name;
  format.append(option);
}

async function list() {
  for (let next = 0; !done;) {
    try {
      const answer = await (await fetch("/models?from=" + next)).json();
      for (const model of answer.models) {
        models.push(model);
        addFormat(model.format);
        if (matches(model)) shown.push(model);
      }
      next = answer.next;
      done = answer.done;
      say();
      fillSoon();
      if (!done && answer.models.length === 0) await new Promise((resume) => setTimeout(resume, 300));
    } catch {
      count.textContent = "effigy has ended; start it again to see more.";
      return;
    }
  }
}

search.addEventListener("input", choose);
format.addEventListener("change", choose);
scroll.addEventListener("scroll", fillSoon, { passive: true });
new ResizeObserver(fillSoon).observe(scroll);
list();
