// What makes the chart room pleasanter where scripts run: the reading of the horseshoes chosen, said at once; what is
// paid and got; what lies on the chart, told to a finger and to the arrow keys; choices that outlast a new state of the
// table; the ghost ship sailing its line.

// ------------------------------------------------------------------------------------------------ readings (rule H7)

const MOST_SILVER = 20;
const KINDS = [20, 10, 2, 1];
const count = (lay, kind) => lay.filter((shoe) => shoe === kind).length;
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

// The highest of -most, -most + step … most that is not above the limit; null if there is none.
function highest(most, step, limit) {
  if (limit >= most) return most;
  return limit < -most ? null : limit - ((limit + most) % step);
}

// The best reading of a lay, its horseshoes the highest first.
export function reading(lay, lucky) {
  const gold = lay[0] > MOST_SILVER ? lay[0] : 0;
  const [twenties, tens, twos, ones] = KINDS.map((kind) => count(lay, kind));
  const fine = ones + 2 * twos;
  const room = lucky - gold;
  const coarse = highest(10 * tens + 20 * twenties, tens ? 20 : 40, room + fine);
  if (coarse === null) return 0;
  return Math.max(0, gold + coarse + (highest(fine, ones ? 2 : 4, room - coarse) ?? 0));
}

// The horseshoes with the signs by which they sum up to the total, as many pluses as early as can be.
export function signed(lay, total) {
  const golden = lay.filter((shoe) => shoe > MOST_SILVER);
  const silver = signs(KINDS.map((kind) => [kind, count(lay, kind)]), total - sum(golden));
  return silver && [...golden, ...silver];
}

function signs([kind, ...kinds], total) {
  if (!kind) return total ? null : [];
  const [number, many] = kind;
  const rest = sum(kinds.map(([other, most]) => other * most));
  for (let plus = many; plus >= 0; plus--) {
    const left = total - number * (2 * plus - many);
    const others = Math.abs(left) > rest ? null : signs(kinds, left);
    if (others) return [...Array(plus).fill(number), ...Array(many - plus).fill(-number), ...others];
  }
  return null;
}

const fill = (sentence, details) => sentence.replace(/\{(\w+)\}/g, (_, name) => details[name]);

// A lay read in one sentence; `say` holds the sentences in the reader's language.
export function read(lay, lucky, say) {
  const best = reading(lay, lucky);
  const plain = lay.join(" ");
  if (!best) {
    const least = lay[0] - sum(lay.slice(1));
    if (least <= lucky) return fill(say.nothing, { shoes: plain });
    return lay.length === 1 ? fill(say.over, { shoes: plain }) : fill(say.overSum, { sum: lay.join(" − "), least });
  }
  const [first, ...rest] = signed(lay, best);
  const details = { best, below: lucky - best, sum: first + rest.map((n) => (n > 0 ? ` + ${n}` : ` − ${-n}`)).join("") };
  if (lay.length === 1) return fill(best === lucky ? say.exact : say.below, details);
  return fill(best === lucky ? say.exactSum : say.belowSum, details);
}

// ------------------------------------------------------------------------------------------------------ the table

const form = () => document.getElementById("df-form");
const inputs = (name) => [...(form()?.querySelectorAll(`input[name="${name}"]`) ?? [])];

function readChosen() {
  const output = document.getElementById("df-reading");
  if (!output) return;
  const lucky = Number(output.dataset.lucky);
  const chosen = inputs("shoe").filter((shoe) => shoe.checked).sort((a, b) => b.value - a.value);
  const lay = chosen.map((shoe) => Number(shoe.value));
  const golden = lay.filter((shoe) => shoe > MOST_SILVER).length;
  let sentence = output.dataset.none;
  if (golden > 1) sentence = output.dataset.twoGolden;
  else if (lay.length) sentence = read(lay, lucky, output.dataset);
  const best = lay.length && golden < 2 ? reading(lay, lucky) : null;
  output.dataset.is = best === null ? "" : best === lucky ? "exact" : best ? "below" : "zero";
  if (output.textContent !== sentence) output.textContent = sentence;
  drawSum(chosen, best);
  const mark = document.getElementById("df-best-mark");
  mark.toggleAttribute("hidden", !best || best <= LEAST_ON_SCALE);
  if (best) mark.setAttribute("transform", `translate(${16 * (best - LEAST_ON_SCALE)} 0)`);
}

const LEAST_ON_SCALE = 20;

// The sum in pictures, where there is room for it.
function drawSum(chosen, best) {
  const pictures = document.getElementById("df-equation");
  const lay = chosen.map((shoe) => Number(shoe.value));
  const numbers = best ? signed(lay, best) : lay;
  const left = [...chosen];
  const parts = numbers.flatMap((number, place) => {
    const [shoe] = left.splice(left.findIndex((one) => Number(one.value) === Math.abs(number)), 1);
    const picture = shoe.parentElement.querySelector("svg").cloneNode(true);
    const sign = best && place ? (number < 0 ? "−" : "+") : "";
    return sign ? [sign, picture] : [picture];
  });
  pictures.replaceChildren(...parts);
}

// One number for each of the others, below 0 if they pay; the reader's own is the balance.
const inDucats = (number) => (number > 0 ? `+${number}` : String(number).replace("-", "−"));

function readTerms() {
  const parties = document.getElementById("df-parties");
  if (!parties) return;
  const { own, cash, pays, gets, lacks } = parties.dataset;
  const inWords = (number) => (number ? fill(number > 0 ? gets : pays, { n: Math.abs(number) }) : "");
  let balance = 0;
  for (const field of parties.querySelectorAll("[data-ducats]")) {
    const number = Number(field.value) || 0;
    balance -= number;
    const output = document.getElementById(`df-amount-${field.dataset.ducats}`);
    output.textContent = inWords(number);
    output.dataset.is = number > 0 ? "gets" : number < 0 ? "pays" : "";
  }
  const lacking = balance < -Number(cash);
  const output = document.getElementById("df-balance");
  output.textContent = lacking ? lacks : inWords(balance) || "0";
  output.dataset.is = lacking ? "lacks" : balance > 0 ? "gets" : balance < 0 ? "pays" : "";
  for (const button of parties.querySelectorAll("[data-step]")) {
    const field = document.getElementById(button.dataset.for);
    button.hidden = false;
    const isLeast = (Number(field.value) || 0) <= Number(field.min);
    button.setAttribute("aria-disabled", String(button.dataset.step < 0 && isLeast));
  }
  readNet(balance, parties);
}

// What the proposal comes to for the reader: what they get or pay, and what the ship costs them, or the island may bring. (The
// server says the same of proposals of others.)
function readNet(ducats, { dataset: { net, alone } }) {
  const stake = Number(inputs("to").find((to) => to.checked)?.dataset.due) || 0;
  const details = { sum: `${inDucats(ducats)} ${stake > 0 ? "+" : "−"} ${Math.abs(stake)}`, net: inDucats(ducats + stake) };
  const sentence = ducats && stake ? net : ducats || stake ? alone : "";
  const output = document.getElementById("df-net");
  output.textContent = fill(sentence, details);
  output.dataset.is = ducats + stake > 0 ? "gets" : ducats + stake < 0 ? "pays" : "";
}

function step(button) {
  const field = document.getElementById(button.dataset.for);
  field.value = Math.max(Number(field.min), (Number(field.value) || 0) + Number(button.dataset.step)) || "";
  readTerms();
}

// At most one golden horseshoe, and no more than two shares put back: the newest choice counts.
function onlyOneGolden(chosen) {
  if (Number(chosen.value) <= MOST_SILVER || !chosen.checked) return;
  for (const shoe of inputs("shoe")) if (shoe !== chosen && Number(shoe.value) > MOST_SILVER) shoe.checked = false;
}

function refresh() {
  readChosen();
  readTerms();
}

// What is chosen but not yet done, by the ids of the fields.
const decision = () => document.getElementById("df-chart-text")?.dataset.of;
let saved = null;
let sent = false;
let opened = new Set();

function keep() {
  const fields = [...(form()?.querySelectorAll("input[id]") ?? [])];
  opened = new Set([...document.querySelectorAll("#df-room details[open]")].map((drawer) => drawer.id));
  saved = { of: decision(), fields: new Map(fields.map((field) => [field.id, [field.checked, field.value]])) };
}

function restore() {
  const same = saved && decision() === saved.of && !sent;
  sent = false;
  for (const drawer of document.querySelectorAll("#df-room details")) drawer.open = opened.has(drawer.id);
  for (const field of form()?.querySelectorAll("input[id]") ?? []) {
    const [checked, value] = (same && saved.fields.get(field.id)) || [field.defaultChecked, field.defaultValue];
    if (field.type === "checkbox" || field.type === "radio") field.checked = checked;
    else if (field.type !== "hidden") field.value = value;
  }
  refresh();
}

// ---------------------------------------------------------------------------------------------- the ghost ship sails

const STEPS = 12;
let line = null;
let lastDecision = null;

// On a phone the desk comes back into view when the ship sails, and when something is asked, unless somebody writes.
const PHONE = matchMedia("(max-width: 48rem), (max-height: 30rem)");

function showDesk() {
  const desk = form();
  if (!desk || desk.closest("[data-still]") || !PHONE.matches || document.activeElement.matches("input:not([type='radio'], [type='checkbox']), select, textarea")) return;
  const top = document.getElementById("now")?.getBoundingClientRect().bottom ?? 0;
  const box = desk.getBoundingClientRect();
  if (box.top >= top - 1 && box.bottom <= innerHeight + 1) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  scrollBy({ top: box.bottom - innerHeight, behavior: still ? "instant" : "smooth" });
}

function askAgain() {
  const name = document.querySelector("#df-hand[data-decision]")?.dataset.decision ?? null;
  if (name && name !== lastDecision) showDesk();
  lastDecision = name;
}

function sail() {
  const ship = document.getElementById("df-dutchman");
  if (!ship) return;
  const path = ship.dataset.path;
  const sailed = line !== null && path && path !== line;
  line = path;
  if (sailed) showDesk();
  document.getElementById("df-room").classList.toggle("sailed", sailed);
  if (!sailed || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const drawn = document.createElementNS("http://www.w3.org/2000/svg", "path");
  drawn.setAttribute("d", path);
  const length = drawn.getTotalLength();
  const frames = Array.from({ length: STEPS + 1 }, (_, step) => {
    const { x, y } = drawn.getPointAtLength((length * step) / STEPS);
    return { transform: `translate(${x}px, ${y}px)` };
  });
  ship.animate(frames, { duration: 380, easing: "ease-in-out" });
}

// ------------------------------------------------------------------------------------------- looking round the chart

// A mouse is told by the titles in the drawing. A finger taps; the arrow keys go from field to field, and Enter chooses.
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function lookAt(thing) {
  const output = document.getElementById("df-glance");
  if (!output) return;
  document.querySelector(".looked-at")?.classList.remove("looked-at");
  const text = thing?.querySelector(":scope > title")?.textContent ?? "";
  if (output.textContent !== text) output.textContent = text;
  if (!text) return;
  thing.classList.add("looked-at");
  const [box, sheet] = [thing, output.parentElement].map((one) => one.getBoundingClientRect());
  output.classList.toggle("above", box.top + box.bottom > sheet.top + sheet.bottom);
}

const middle = (spot) => {
  const { e, f } = spot.transform.baseVal.consolidate().matrix;
  return [e, f];
};

// The next field in a direction: near, and not far off to the side.
function onwards(from, [right, down]) {
  const [x, y] = middle(from);
  let best = null;
  for (const spot of document.querySelectorAll("#df-sheet .df-spot")) {
    const [across, along] = [middle(spot)[0] - x, middle(spot)[1] - y];
    const ahead = right * across + down * along;
    const aside = Math.abs(down * across) + Math.abs(right * along);
    if (ahead > 0 && (!best || ahead + 2 * aside < best.far)) best = { spot, far: ahead + 2 * aside };
  }
  return best?.spot ?? from;
}

function lookRound(event) {
  if (event.target.id !== "df-table") return;
  const here = document.querySelector("#df-sheet .df-spot.looked-at");
  if (ARROWS[event.key]) lookAt(here ? onwards(here, ARROWS[event.key]) : document.querySelector("#df-sheet .df-spot.here"));
  else if (event.key === "Escape") lookAt(null);
  else if (event.key === "Enter" && here) document.getElementById(here.id.replace("spot", "to"))?.click();
  else return;
  event.preventDefault();
}

function openChart() {
  const table = document.getElementById("df-table");
  if (!table) return;
  table.tabIndex = 0;
  table.setAttribute("role", "group");
  table.setAttribute("aria-labelledby", "df-chart-title");
}

// ------------------------------------------------------------------------------------------- a horseshoe is drawn up

const DRAWN = 18;
let drawn = null;
let released = null;

function start() {
  document.addEventListener("change", ({ target }) => {
    if (target.form !== form() || !form()) return;
    if (target.name === "shoe") onlyOneGolden(target);
    refresh();
  });
  document.addEventListener("input", ({ target }) => {
    if (target.dataset.ducats !== undefined) readTerms();
  });
  document.addEventListener("reset", () => setTimeout(refresh));
  document.addEventListener("submit", ({ target }) => { if (target === form() || target.id === "confirm-it") sent = true; });
  document.addEventListener("kontor:refused", () => { sent = false; });
  document.addEventListener("htmx:before:swap", keep);
  document.addEventListener("htmx:after:swap", () => { restore(); sail(); askAgain(); openChart(); });
  document.addEventListener("keydown", lookRound);
  document.addEventListener("focusout", ({ target }) => { if (target.id === "df-table") lookAt(null); });
  document.addEventListener("kontor:grasped", ({ target, detail }) => {
    const ship = target.closest("#df-dutchman");
    if (ship) detail.drag({ thing: ship, places: [...document.querySelectorAll(".df-berth")], drop: (berth) => berth.click() });
  });
  document.addEventListener("pointerdown", (event) => {
    const shoe = event.target.closest?.('input[name="shoe"]');
    drawn = shoe ? { shoe, from: event.clientY } : null;
  });
  document.addEventListener("pointercancel", () => { drawn = null; }); // the finger scrolls
  document.addEventListener("pointerup", (event) => {
    const far = drawn ? event.clientY - drawn.from : 0;
    if (Math.abs(far) < DRAWN) return;
    const { shoe } = drawn;
    if (shoe.checked !== far < 0) shoe.click();
    released = shoe;
    setTimeout(() => { released = null; });
  });
  document.addEventListener("click", (event) => {
    if (event.target === released) event.preventDefault();
    const stepper = event.target.closest?.("[data-step]");
    if (stepper && stepper.form === form()) step(stepper);
    const sheet = event.target.closest?.(".df-sheet, .df-ruler");
    if (sheet) lookAt(event.target.closest("g:has(> title)"));
  });
  refresh();
  sail();
  askAgain();
  openChart();
}

if (typeof document !== "undefined") start();
