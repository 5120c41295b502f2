// What makes a table pleasanter where scripts run. Without them everything works by plain forms and links.

import "./drag.js";
import "./keys.js";
import { SETTLE } from "./presses.js";
import { sound } from "./sounds.js";

const BASE = new URL("../../", import.meta.url); // of the server, which may be below a path
const table = () => document.getElementById("table");
const PHONE = matchMedia("(max-width: 48rem)");

// ---------------------------------------------------------------------------------------------------------- forms

// A form is posted from here, and its page stays. What a form at the table brings is morphed into the table: no focus is
// lost. What is refused, or gets no answer, is told beside the form, and nothing else changes.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  event.preventDefault();
  // Typed before what sends it has come.
  if (form.id === "typed-form") return import("./commands.js").then(() => form.requestSubmit(), () => connection("lost"));
  if (form.dataset.busy) return;
  form.dataset.busy = "yes";
  takeBack();
  const leaves = await post(form, event.submitter).catch(() => connection("lost"));
  if (!leaves) delete form.dataset.busy;
});

// Milliseconds after which an answer is not waited for any more, and the form can be sent again.
const ANSWER_TIMEOUT = 20_000;

// Whether the answer leads to another page.
async function post(form, submitter) {
  const atTable = Boolean(form.closest("#table"));
  const body = new URLSearchParams(new FormData(form, submitter));
  if (body.has("salt")) (await import("./dice.js")).addShare(form, body);
  const before = version();
  const headers = { "hx-request": "true", ...(atTable && stream === "live" && { "x-kontor-live": "yes" }) };
  const address = submitter?.getAttribute("formaction") ?? form.getAttribute("action");
  const waiting = new AbortController();
  const timeout = setTimeout(() => waiting.abort(), ANSWER_TIMEOUT);
  let answer, text, left = false;
  const leave = () => { left = true; };
  addEventListener("beforeunload", leave);
  try {
    answer = await fetch(address, { method: "POST", body, headers, signal: waiting.signal });
    text = await answer.text();
  } catch {
    // Without an answer in time nobody knows whether a move was made; while the line is cut it was not, and the line says so.
    const unmade = cut && !waiting.signal.aborted && address.endsWith("/moves");
    if (unmade) connection("unmade");
    else tell(form, submitter);
    return false;
  } finally {
    clearTimeout(timeout);
    removeEventListener("beforeunload", leave);
  }
  if (atTable && cut) connection(stream);
  if (answer.redirected) {
    // Who has followed a link in the meantime is not called back.
    if (!left) location.assign(answer.url);
    return !left;
  }
  if (!answer.ok) {
    tell(form, submitter, text);
    if (atTable && answer.status === 409 && stream !== "live") await lookAgain();
    return false;
  }
  if (answer.status === 202) {
    document.dispatchEvent(new Event("kontor:refused")); // what was chosen stays
    (await import("./confirm.js")).ask(form, submitter, text);
    return false;
  }
  clear(form, body);
  if (answer.status === 204) await newer(before);
  else if (atTable) await show(text);
  else turnPage(text);
  return false;
}

// What was said is gone from its field; what has been written there meanwhile stays.
function clear(form, sent) {
  if (form.dataset.clear === undefined) return;
  for (const field of form.querySelectorAll("input:not([type])")) if (field.value === sent.get(field.name)) field.value = "";
}

// The page that came in answer, under the address of this one.
function turnPage(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  document.getElementById("main").replaceChildren(...page.getElementById("main").childNodes);
  document.title = page.title;
  reveal();
  document.dispatchEvent(new Event("kontor:turned"));
  document.querySelector("main [autofocus]")?.focus();
}

// One notice at a time: why something was not done, in the words of the server if it answered. It stands beside the form,
// or on the sheet that lies open over it, until something else is tried.
let notice = null;

function tell(form, submitter, text = "") {
  if (form.hidden) form = document.querySelector("#board form") ?? form;
  unfold(form);
  const refused = new DOMParser().parseFromString(text, "text/html").querySelector("p#refused");
  const message = refused ?? document.getElementById("unanswered").content.firstElementChild.cloneNode(true);
  showNotice(form, message, submitter?.closest("[popover]"));
}

function showNotice(form, message, sheet) {
  takeBack();
  notice = { message, form, sheet };
  putUp();
  message.scrollIntoView({ block: "nearest" });
  document.dispatchEvent(new Event("kontor:refused"));
}

// What was changed may be what was refused, so none of it stays folded; nor does a field in which the browser finds a fault.
const changed = ({ type, checked, defaultChecked, value, defaultValue, options }) =>
  type === "checkbox" || type === "radio" ? checked !== defaultChecked
    : options ? value !== ([...options].find((option) => option.defaultSelected) ?? options[0])?.value
      : type !== "hidden" && value !== defaultValue;
function unfold(form) {
  for (const field of form.querySelectorAll("details input, details select, details textarea")) if (changed(field)) showField(field);
}
function showField(field) {
  for (let part = field.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
}
// An address leads to a part of a page also where that is folded.
function openAddressed() {
  const part = document.getElementById(location.hash.slice(1));
  if (!part?.matches("details")) return;
  part.open = true;
  part.scrollIntoView();
}
addEventListener("hashchange", openAddressed);
openAddressed();

// The browser's own bubbles speak its language, and vanish by themselves: what is missing is told as any other notice.
let faulty = null;
document.addEventListener("invalid", async (event) => {
  const field = event.target;
  showField(field);
  event.preventDefault();
  if (faulty || !field.form) return;
  faulty = field;
  setTimeout(() => { faulty = null; });
  field.focus();
  const { describeFault } = await import("./faults.js");
  const message = document.getElementById("unanswered").content.firstElementChild.cloneNode(true);
  message.textContent = describeFault(field);
  showNotice(field.form, message, field.closest("[popover]"));
  field.setAttribute("aria-describedby", message.id);
}, true);

function putUp() {
  if (notice?.message.classList.contains("past")) return takeBack();
  if (!notice || document.contains(notice.message) || !notice.form.isConnected) return;
  document.getElementById("refused")?.remove();
  const place = notice.sheet?.matches(":popover-open") ? notice.sheet : notice.form.querySelector("[data-notice]") ?? notice.form;
  place.append(notice.message);
}

function takeBack() {
  notice = null;
  document.getElementById("refused")?.remove();
}
document.addEventListener("htmx:after:swap", putUp); // the server knows nothing of it

// What was refused is no news any more once something else is tried. Its room stays until the table changes: nothing jumps
// under whoever is about to press.
document.addEventListener("input", (event) => { if (event.target.form === notice?.form) notice?.message.classList.add("past"); });

// What only the browser knows stays when the table is morphed: which drawers are open, and how the line is.
window.htmx?.registerExtension("kontor", {
  htmx_before_morph_node: (element, { oldNode, newNode }) =>
    !(newNode.dataset?.same || (oldNode.matches?.("time[data-until]") && oldNode.dateTime === newNode.dateTime) || keptBack(oldNode, newNode)),
  htmx_before_morph_attr: (element, { attrName }) =>
    !(attrName === "open" && element.matches("details")) && !(attrName === "data-is") && !(attrName === "hidden" && element.id === "notify"),
});

// Whatever arrives, by the stream or as an answer, is shown one after the other; what has been overtaken is not shown,
// nor the same again: whoever moves is told by the answer and by the stream.
let showing = Promise.resolve();
let drawn = "";

const version = () => Number(document.getElementById("state")?.dataset.version ?? 0);
const line = () => Math.floor(version() / 100_000);

function show(text) {
  showing = showing.then(async () => {
    await read();
    const before = line();
    const arriving = Number(text.match(/data-version="(\d+)"/)?.[1] ?? Infinity);
    if (arriving < version() || text.trim() === drawn) return;
    if (!whole(text)) return lookAgain().catch(() => connection("lost"));
    drawn = text.trim();
    const focused = document.activeElement;
    const byKeys = focused.matches(":focus-visible");
    tellNow();
    diceFall = newDice(text);
    await htmx.swap({ text, target: table(), swap: "innerMorph", sourceElement: table() });
    if (diceFall) lieStill().then(tellNow);
    diceFall = false;
    if (before && line() > before) beginReading();
    refocus(focused, byKeys);
    bringIntoView();
    document.dispatchEvent(new Event("kontor:shown"));
  });
  return showing;
}

// How a round ended stays until it can have been read, whoever goes on meanwhile. Whoever presses anything goes on at once,
// and sees how every movement ends; the second half of a double click does not count.
let readUntil = 0;
let lastPress = -Infinity;
let goOn = () => {};

function beginReading() {
  readUntil = performance.now() + Number(document.getElementById("state")?.dataset.stays ?? 0);
}
beginReading();

function read() {
  const left = document.hidden ? 0 : readUntil - performance.now();
  return left <= 0 ? null : new Promise((done) => {
    goOn = done;
    setTimeout(done, left);
  });
}

function hurry() {
  readUntil = 0;
  goOn();
  for (const movement of table()?.getAnimations({ subtree: true }) ?? []) {
    if (movement.effect.getComputedTiming().endTime !== Infinity) movement.finish();
  }
}
for (const press of ["pointerdown", "keydown"]) {
  document.addEventListener(press, () => {
    const isSecondHalf = performance.now() - lastPress < SETTLE;
    lastPress = performance.now();
    if (!isSecondHalf) hurry();
  }, { capture: true });
}
document.addEventListener("visibilitychange", () => { if (document.hidden) hurry(); });

// The dice fall before a sentence tells them: until they lie still, the line that says what matters now says what it said.
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
let diceFall = false;
let untold = null;

const newDice = (text) => !STILL.matches && !document.hidden
  && [...text.matchAll(/ id="([^"]+)" data-dice/g)].some(([, id]) => !document.getElementById(id));

function keptBack(line, incoming) {
  if (!diceFall || incoming.id !== "now") return false;
  line.dataset.etag = incoming.dataset.etag;
  untold = incoming.cloneNode(true);
  return true;
}

function tellNow() {
  const line = document.getElementById("now");
  if (untold && line) {
    line.className = untold.className;
    line.textContent = untold.textContent;
  }
  untold = null;
}

function lieStill() {
  const dice = [...document.querySelectorAll("[data-dice]")].flatMap((one) => one.getAnimations({ subtree: true }));
  const falling = dice.filter((one) => one.effect.getComputedTiming().endTime !== Infinity);
  return Promise.allSettled(falling.map((one) => one.finished));
}

// The stream tells what is new: the head, the fragments that changed, and the layout, where that changed: the fragments in
// their order, each with the text that follows it; two numbers stand for entries of the layout before, from the first to
// the last. From it the page is put together, with an empty shell for each fragment that stays as it is.
let layout = [["", ""]];
const etags = new Map();

function put(news) {
  for (const [element, etag] of Object.entries(news.layout?.etags ?? {})) etags.set(element, etag);
  const before = layout;
  const entries = ([first, last]) => typeof first === "number" ? before.slice(first, last + 1) : [[first, last]];
  layout = news.layout?.entries.flatMap(entries) ?? layout;
  for (const [element, text] of Object.entries(news.fragments)) etags.set(element, text.match(/ data-etag="(\w+)"/)[1]);
  const fragment = (element) => {
    const [tag, id] = element.split("#");
    return news.fragments[element] ?? `<${tag} id="${id}" data-same="${etags.get(element)}"></${tag}>`;
  };
  const after = (text) => text.replaceAll(/(name="number" value=")\d+/g, `$1${news.number}`);
  return news.head + layout.map(([element, text]) => (element && fragment(element)) + after(text)).join("");
}

// The elements of which there are shells stay. If one of them is another meanwhile, for an answer came in between, the
// page is asked for as a whole.
function whole(text) {
  for (const [, id, etag] of text.matchAll(/ id="([^"]+)" data-same="([^"]+)"/g)) {
    if (document.getElementById(id)?.dataset.etag !== etag) return false;
  }
  return true;
}

// What was done comes by the stream; if it does not, the table is looked at again.
const OVERDUE = 2000;

function newer(than) {
  return new Promise((done, failed) => {
    const timeout = setTimeout(() => lookAgain().then(done, failed), OVERDUE);
    const arrived = () => {
      if (version() <= than) return document.addEventListener("kontor:shown", arrived, { once: true });
      clearTimeout(timeout);
      done();
    };
    arrived();
  });
}

document.addEventListener("htmx:sse:before:message", (event) => {
  streaming("live");
  if (event.detail.message.event === "anew") return location.reload(); // the program was replaced meanwhile
  if (event.detail.message.event) return;
  event.preventDefault();
  show(put(JSON.parse(event.detail.message.data)));
});

// ------------------------------------------------------------------------------------------------- the connection

let cut = false;
function connection(how) {
  const sign = document.getElementById("connection");
  if (!sign) return;
  cut = how !== "live";
  // That a move was not made stays said until the line is back, however often it is looked for meanwhile.
  if (how !== "lost" || sign.dataset.is !== "unmade") sign.dataset.is = how;
  switchButtons();
}

// While the line is cut, what would send something is off, also for who hears the page. It can still be pressed, and then
// tells that nothing was done: a line may carry answers though the stream cannot pass.
function switchButtons() {
  const sends = (button) => button.type === "submit" || document.getElementById(button.getAttribute("popovertarget"))?.querySelector('[type="submit"], button:not([type])');
  for (const button of table()?.querySelectorAll('form[method="post"] button') ?? []) {
    if (cut && sends(button)) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
  }
}
document.addEventListener("htmx:after:swap", switchButtons);

let stream = "lost";
function streaming(how) {
  stream = how;
  connection(how);
}
document.addEventListener("htmx:sse:after:connection", () => streaming("live"));
document.addEventListener("htmx:sse:error", () => streaming("lost"));
document.addEventListener("htmx:sse:close", () => streaming("lost"));
// A short time without a network may leave the stream whole.
addEventListener("offline", () => connection("lost"));
addEventListener("online", () => connection(stream));

// The stream begins once this module listens, and htmx has looked at the page; earlier, its beginning would go unseen.
setTimeout(() => {
  const live = table()?.dataset.live;
  if (!live || !window.htmx) return;
  table().setAttribute("hx-sse:connect", live);
  htmx.process(table());
});

// ----------------------------------------------------------------------------------------------- the next decision

// What the reader is asked stands in what is marked with data-decision.
function decision() {
  for (const part of document.querySelectorAll("#table [data-decision]")) {
    const controls = part.querySelectorAll('button:not([tabindex="-1"]), input:not([type="hidden"])');
    const first = [...controls].find((control) => control.checkVisibility({ visibilityProperty: true }));
    if (first) return first;
  }
  return null;
}

// Whoever pressed what is gone now goes on with the next decision; where there is none, the focus waits at the line that
// says what matters now. A focus that is anywhere else is somebody's, and stays.
let waits = false;
function refocus(before, byKeys) {
  const now = document.getElementById("now");
  const here = document.activeElement;
  const lost = here === document.body && before !== document.body;
  waits &&= here === now;
  if (!lost && !waits) return;
  const next = decision();
  waits = !next;
  (next ?? now)?.focus({ preventScroll: !next || !byKeys, focusVisible: byKeys });
}

document.addEventListener("click", (event) => {
  if (event.target.id !== "to-question") return;
  event.preventDefault();
  (decision() ?? document.getElementById("now"))?.focus({ focusVisible: true });
});

// A key held down makes one move: the focus may be on the next decision before it is let go.
document.addEventListener("keydown", (event) => {
  if (event.repeat && event.key === "Enter" && event.target.closest?.("#table button")) event.preventDefault();
});

// On a phone a decision that has a name is brought into view when it comes, unless somebody is writing, or reads first.
let named = "";
function bringIntoView() {
  const question = decision()?.closest("[data-decision]");
  const name = question?.dataset.decision ?? "";
  if (name === named || question?.closest("[data-still]")) return;
  named = name;
  if (!name || !PHONE.matches || document.activeElement.matches("input:not([type='radio'], [type='checkbox']), select, textarea")) return;
  const { top, bottom } = question.getBoundingClientRect();
  const covered = document.getElementById("now").getBoundingClientRect().height;
  if (top >= covered && bottom <= innerHeight) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  question.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
}
bringIntoView();

// ------------------------------------------------------------------------------------------------------- tips

// What is possible for the first time is explained once: this browser remembers what has been read.
const TIPS = "kontor-tips";
const tips = document.getElementById("tips");
const tipsRead = new Set(localStorage[TIPS]?.split(" "));
let tip;

function readTip() {
  if (tip) localStorage[TIPS] = [...tipsRead.add(tip)].join(" ");
  tip = null;
  tips.hidden = true;
  tips.open = false;
}

// The moment is over, or another begins.
async function showTip() {
  const now = document.getElementById("state").dataset.tips?.split(" ") ?? [];
  if (now.includes(tip)) return;
  readTip();
  const name = (tip = now.find((each) => !tipsRead.has(each)));
  if (!name) return;
  const room = tips.querySelector("div");
  if (room.firstElementChild?.dataset.tip !== name) {
    const page = new DOMParser().parseFromString(await (await fetch(tips.dataset.texts)).text(), "text/html");
    room.replaceChildren(...page.querySelectorAll("[data-tip]"));
  }
  if (name !== tip) return;
  for (const each of room.children) each.hidden = each.dataset.tip !== name;
  tips.hidden = false;
  placeTip();
}

// A tip is unfolded where it fits in the bar, after the line that matters; the name of the game gives way to it, clocks do not.
const TIP_WINDOW = matchMedia("(min-width: 68rem)");
const TIP_MARGIN = 16;

function placeTip() {
  if (tips.hidden || document.querySelector("#undo:not([hidden]) > *")) return; // that stands where the facts are measured
  const bar = document.querySelector(".heading").getBoundingClientRect();
  const lineEnd = document.getElementById("now").getBoundingClientRect().right;
  if ([...document.fonts].some((face) => face.status === "loading")) return; // with its letters it is of another size
  const firstFact = document.getElementById("clock-now") ?? document.getElementById("how-played");
  tips.style.setProperty("--from", `${lineEnd + TIP_MARGIN}px`);
  tips.style.setProperty("--to", `${innerWidth - firstFact.getBoundingClientRect().left + TIP_MARGIN}px`);
  if (tips.open && !tips.classList.contains("fits")) return; // the reader has unfolded it
  tips.open = TIP_WINDOW.matches;
  tips.classList.toggle("fits", tips.open);
  const fits = tips.open && tips.getBoundingClientRect().bottom <= bar.bottom;
  tips.open = fits;
  tips.classList.toggle("fits", fits);
}

if (tips) {
  const button = document.getElementById("tip-read");
  button.hidden = false;
  button.addEventListener("click", () => {
    readTip();
    document.getElementById("now").focus();
  });
  document.addEventListener("htmx:after:swap", showTip);
  addEventListener("resize", placeTip);
  document.fonts.addEventListener("loadingdone", placeTip);
  const observer = new ResizeObserver(placeTip);
  for (const part of ["now", "where"]) observer.observe(document.getElementById(part));
  const undo = document.getElementById("undo");
  if (undo) new MutationObserver(placeTip).observe(undo, { attributes: true, childList: true });
  showTip();
}

// ------------------------------------------------------------------------------------------------------- the talk

// What others say while the talk is out of sight stands at the upper edge of the window at once, until one goes there.
const lines = () => [...document.querySelectorAll("#chat .line")];
const numberOf = (line) => Number(line.id.replace("said-", ""));
const MOST_TOLD = 2;
let heard = Math.max(0, ...lines().map(numberOf));
let sounded = heard;

function tellTalk() {
  const own = document.querySelector(".me")?.textContent;
  const unheard = lines().filter((line) => numberOf(line) > heard && line.querySelector("b").textContent !== own);
  if (unheard.some((line) => numberOf(line) > sounded)) sound("talk");
  sounded = Math.max(sounded, ...unheard.map(numberOf));
  if (!unheard.length || inSight(document.querySelector("#chat .scroll"))) return hush();
  const slip = document.getElementById("unheard") ?? newSlip();
  const copies = unheard.slice(-MOST_TOLD).map((line) => {
    const copy = document.createElement("span");
    copy.append(...line.cloneNode(true).childNodes);
    return copy;
  });
  slip.firstElementChild.replaceChildren(...copies);
}

function newSlip() {
  const slip = document.createElement("div");
  slip.id = "unheard";
  slip.role = "status";
  const button = document.createElement("button");
  button.addEventListener("click", () => {
    document.getElementById("chat").open = true;
    document.querySelector("#chat .scroll").scrollIntoView({ block: "center" });
    hush();
  });
  slip.append(button);
  document.getElementById("main").append(slip);
  return slip;
}

function hush() {
  heard = Math.max(heard, ...lines().map(numberOf));
  document.getElementById("unheard")?.remove();
}

function inSight(element) {
  const { top, bottom, height } = element.getBoundingClientRect();
  return height > 0 && top >= 0 && bottom <= innerHeight;
}
document.addEventListener("htmx:after:swap", tellTalk);
document.addEventListener("toggle", (event) => { if (event.target.id === "chat" && event.target.open) hush(); }, true);

// ---------------------------------------------------------------------------------------------- my turn, elsewhere

let turn = document.getElementById("state")?.dataset.turn;
document.addEventListener("htmx:after:swap", () => {
  const state = document.getElementById("state");
  if (!state) return;
  const now = state.dataset.turn;
  if (now === "mine" && turn !== "mine") sound("turn");
  if (now === "mine" && turn !== "mine" && document.hidden && window.Notification?.permission === "granted") {
    setTimeout(notify, 0, state.dataset.icon);  // once the title says so too
  }
  turn = now;
});

function notify(icon) {
  try {
    const note = new Notification(document.title, { tag: location.pathname, icon });
    note.onclick = () => { focus(); note.close(); };
  } catch { /* some telephones know the word, and not the thing */ }
}

function offer() {
  const button = document.getElementById("notify");
  if (button) button.hidden = window.Notification?.permission !== "default";
}
document.addEventListener("click", async (event) => {
  if (event.target.id !== "notify") return;
  await Notification.requestPermission();
  offer();
});
document.addEventListener("htmx:after:swap", offer);
offer();

// Whoever is notified of turns is not told of a table that they have before their eyes: the server hears what is seen.
const EVERY_MINUTE = 60_000;

function tellSeen() {
  const address = table()?.dataset.seen;
  const token = document.querySelector('input[name="token"]')?.value;
  if (address && token) navigator.sendBeacon(address, new URLSearchParams({ token, visible: document.hidden ? "no" : "yes" }));
}
document.addEventListener("visibilitychange", tellSeen);
addEventListener("pageshow", () => { if (!document.hidden) tellSeen(); }); // a tab may be opened in the background
setInterval(() => { if (!document.hidden) tellSeen(); }, EVERY_MINUTE);

// ---------------------------------------------------------------------------------------------------- strict dice

// Most tables need none of it, so that it is fetched where there is a share to tell, or a phrase to check.
function dice() {
  if (!document.querySelector("#reveal, #phrase")) return;
  import("./dice.js").then(({ checkShares, tellShare }) => {
    checkShares();
    tellShare();
  }, () => connection("lost"));
}
for (const change of ["htmx:after:swap", "visibilitychange"]) document.addEventListener(change, dice);
dice();

// ------------------------------------------------------------------------------------------------------ taking back

// The button goes when the time is over in which a move can be taken back; the server would refuse it. If another acts before, its
// place says for a while that it is too late.
const UNDO_TIME = 3000;
const TOO_LATE_TIME = 2500;
let undoable = "";
let undoneBy = 0;
let undoableLine = 0;
function offerUndo() {
  const undo = document.getElementById("undo");
  const button = undo?.querySelector("button");
  if (!button) {
    if (undo && line() > undoableLine && performance.now() < undoneBy) tellTooLate(undo);
    return;
  }
  if (button.id !== undoable) undoneBy = performance.now() + UNDO_TIME;
  undoable = button.id;
  undoableLine = line();
  const left = undoneBy - performance.now();
  if (left <= 0) undo.hidden = true;
  else setTimeout(offerUndo, left);
}
function tellTooLate(undo) {
  undoneBy = 0;
  const note = document.createElement("span");
  note.id = "undo-late";
  note.setAttribute("role", "status");
  note.textContent = undo.dataset.late;
  undo.replaceChildren(note);
  undo.hidden = false;
  setTimeout(() => {
    if (!note.isConnected) return;
    note.remove();
    undo.hidden = true;
  }, TOO_LATE_TIME);
}
document.addEventListener("htmx:after:swap", offerUndo);
// What readers do themselves surprises nobody; and after a move was taken back, the next one has the same number.
document.addEventListener("submit", ({ target }) => {
  if (!/\/(moves|undo)$/.test(target.getAttribute("action"))) return;
  undoable = "";
  undoneBy = 0;
}, true);
offerUndo();

// ------------------------------------------------------------------------------------------------- small comforts

document.addEventListener("click", async (event) => {
  const copy = event.target.closest?.("[data-copy]");
  if (!copy) return;
  const field = document.getElementById(copy.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    copy.dataset.done = "yes";
  } catch {
    document.execCommand("copy");
  }
});
// What few browsers can do is offered where they can; again after a morph, for the server knows nothing of it.
function reveal() {
  if (navigator.share) for (const share of document.querySelectorAll("[data-share]")) share.hidden = false;
}
document.addEventListener("htmx:after:swap", reveal);
reveal();
document.addEventListener("click", (event) => {
  const share = event.target.closest?.("[data-share]");
  if (share) navigator.share({ url: document.getElementById(share.dataset.share).value }).catch(() => {});
});

// An installed app, and the page on which one chooses how one is told of turns, need a little more.
if (matchMedia("(display-mode: standalone)").matches) import("./installing.js");

// A browser that is told of turns compares its subscription at each visit: the worker renews what has run out.
const COMPARED = "kontor-compared";
const HALF_A_DAY = 12 * 3600_000;
const worker = navigator.serviceWorker?.controller;
if (worker && window.Notification?.permission === "granted" && Date.now() - Number(sessionStorage[COMPARED] ?? 0) > HALF_A_DAY) {
  sessionStorage[COMPARED] = Date.now();
  worker.postMessage("visit");
}

// One drawer at a time on a phone; Escape closes it.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const open = document.activeElement?.closest("details[open]");
  if (open) { open.open = false; open.querySelector("summary").focus(); }
});

// On a phone drawers begin closed: the board comes first.
const met = new WeakSet();
function tidy() {
  for (const drawer of document.querySelectorAll(".drawer")) {
    if (!met.has(drawer) && PHONE.matches) drawer.open = false;
    met.add(drawer);
  }
}
document.addEventListener("htmx:after:swap", tidy);
tidy();

// The lobby, and a review that is being thought out, are looked at again now and then, while somebody sees them. (The
// token of forms is another in each answer; that alone is nothing new.)
const plain = (main) => main.innerHTML.replace(/(name="token" value=")[0-9a-f]+/g, "$1");
const fresh = document.querySelector("main[data-fresh]");
const looking = fresh && setInterval(async () => {
  if (document.hidden || fresh.contains(document.activeElement) || fresh.querySelector("details[open] form, textarea:valid")) return;
  try {
    const text = await (await fetch(location.href)).text();
    const page = new DOMParser().parseFromString(text, "text/html");
    const main = page.querySelector("main");
    if (main && plain(main) !== plain(fresh)) {
      const chosen = [...fresh.querySelectorAll("select")].map(({ id, value }) => [id, value]);
      fresh.replaceChildren(...main.childNodes);
      for (const [id, value] of chosen) document.getElementById(id).value = value;
    }
    document.title = page.title;
    if (!main?.dataset.fresh) clearInterval(looking);
  } catch { /* the server is not there just now */ }
}, 1000 * Number(fresh.dataset.fresh));

// Only who types needs what belongs to it. Where no stream tells what a command changed, one looks.
document.addEventListener("toggle", (event) => { if (event.target.id === "typed") import("./commands.js"); }, true);
document.addEventListener("kontor:commanded", () => { if (stream !== "live") lookAgain().catch(() => connection("lost")); });

// Rules are read beside the table, never in its place.
document.addEventListener("click", async (event) => {
  const link = event.target.closest?.('#table a[href*="/rules/"]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try { await (await import("./beside.js")).open(link); } catch { window.open(link.href, "_blank", "noopener"); }
});

// The table as a whole, as it is now.
async function lookAgain() {
  const here = document.getElementById("look-again");
  if (!here || !table()) return;
  const answer = await fetch(here.href, { headers: { "hx-request": "true" } });
  if (answer.ok) show(await answer.text());
}

// Whoever's clock is wrong is shown the right time left all the same: the server tells its own with each answer, to the
// second. What is less than two seconds off is as good as right.
let ahead; // of the server's clock, in milliseconds
async function compareClocks() {
  ahead = 0;
  try {
    const sent = Date.now();
    const date = (await fetch(new URL("health", BASE), { cache: "no-store" })).headers.get("date");
    const off = (sent + Date.now()) / 2 - (Date.parse(date) + 500);
    if (Math.abs(off) > 2000) ahead = off;
  } catch { /* the server is not there just now */ }
}

const DAY = 86_400_000;

// Clocks: what is left of the mover's time, or until when in one's own time of day.
function tick() {
  const clocks = document.querySelectorAll("time[data-until]");
  if (clocks.length && ahead === undefined) compareClocks();
  for (const clock of clocks) {
    const left = Math.max(0, Math.round((Date.parse(clock.dateTime) + ahead - Date.now()) / 1000));
    const text = left < 3600
      ? table().dataset.left.replace("{time}", `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`)
      : localUntil(clock.dateTime);
    if (text && clock.textContent !== text) clock.textContent = text;
    const soon = left < 15;
    if (soon && !clock.classList.contains("soon") && clock.id === "clock-now" && turn === "mine") sound("time");
    clock.classList.toggle("soon", soon);
  }
}
setInterval(tick, 1000);
document.addEventListener("htmx:after:swap", tick);
tick();

// The server tells times in the reader's time zone once it knows it; until then they are put right here.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const secure = location.protocol === "https:";
const zone = `${secure ? "__Host-" : ""}kontor-zone${BASE.pathname.slice(0, -1).replaceAll("/", "+")}`;
if (timeZone) document.cookie = `${zone}=${timeZone}; path=${secure ? "/" : BASE.pathname}; max-age=31536000; samesite=lax${secure ? "; secure" : ""}`;

function localTime(time, parts) {
  return new Date(time).toLocaleString(document.documentElement.lang, { ...parts, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}
function localUntil(time) {
  // Beyond a week a weekday would name the wrong day.
  const day = Date.parse(time) - Date.now() < 6 * DAY ? { weekday: "short" } : { day: "numeric", month: "short" };
  // It stays on one line, but in Japanese, where it breaks after the day.
  const text = localTime(time, day).replace(/(?<!\p{sc=Han}) /gu, "\u00a0");
  return document.body.dataset.until?.replace("{time}", text);
}
function tellMoments() {
  for (const moment of document.querySelectorAll("time[data-moment]"))
    moment.textContent = localTime(moment.dateTime, { weekday: "short", day: "numeric", month: "short" });
}
document.addEventListener("kontor:turned", tellMoments);
tellMoments();
