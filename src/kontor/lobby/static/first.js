// The first page: recorded games go on by themselves, and the lists are looked at again now and then.

const STEP = 4500; // milliseconds for reading a step
const LOOK = 20_000;

// To browsers that run scripts the scenes are but text, until the page has been painted for the first time.
const parsed = (text) => new DOMParser().parseFromString(text, "text/html");
requestAnimationFrame(() => setTimeout(() => {
  for (const late of document.querySelectorAll("noscript.late")) {
    const { head, body } = parsed(late.textContent);
    late.replaceWith(...head.childNodes, ...body.childNodes);
  }
}));

const still = matchMedia("(prefers-reduced-motion: reduce)");

// The new step is put into the old one, so that what stands in both glides to its new place.
function become(old, fresh) {
  if (old.nodeName !== fresh.nodeName || (old.id && fresh.id && old.id !== fresh.id)) return old.replaceWith(fresh);
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const [had, has] = [[...old.childNodes], [...fresh.childNodes]];
  if (had.length !== has.length) return old.replaceChildren(...has);
  had.forEach((node, at) => become(node, has[at]));
}

const seen = new Map(); // whether a frame can be seen just now
const watcher = new IntersectionObserver((entries) => { for (const { target, isIntersecting } of entries) seen.set(target, isIntersecting); });
let paused = false;

async function step(frame) {
  if (paused || still.matches || document.hidden || seen.get(frame) === false) return;
  try {
    const answer = await fetch(frame.dataset.next);
    if (!answer.ok) return;
    const fresh = parsed(await answer.text()).querySelector(".frame");
    if (paused || !fresh) return;
    const late = fresh.querySelector("noscript");
    late.replaceWith(...late.childNodes);
    for (const part of [".scene", ".living"]) become(frame.querySelector(part), fresh.querySelector(part));
    frame.dataset.next = fresh.dataset.next;
  } catch { /* the server is not there just now */ }
}

const frames = [...document.querySelectorAll(".frame[data-next]")];
frames.forEach((frame, at) => {
  watcher.observe(frame);
  const button = document.getElementById("pause-template").content.firstElementChild.cloneNode(true);
  button.addEventListener("click", () => {
    paused = !paused;
    for (const each of document.querySelectorAll(".pause")) each.setAttribute("aria-pressed", String(paused));
  });
  frame.append(button);
  setTimeout(() => setInterval(step, STEP, frame), at * STEP / 2);
});

// The token of forms is another in each answer; that alone is nothing new.
const plain = (part) => part.innerHTML.replace(/(name="token" value=")[0-9a-f]+/g, "$1");

async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const page = parsed(await answer.text());
    for (const part of document.querySelectorAll("[data-renewed]")) {
      const fresh = page.getElementById(part.id);
      if (fresh && plain(fresh) !== plain(part) && !part.contains(document.activeElement)) part.replaceChildren(...fresh.childNodes);
    }
    // Another table was opened meanwhile: the next one has other dice.
    const promised = page.querySelector('.acts [name="commitment"]');
    if (promised) for (const field of document.querySelectorAll('.acts [name="commitment"]')) field.value = promised.value;
    document.title = page.title;
  } catch { /* the server is not there just now */ }
}
setInterval(look, LOOK);
document.addEventListener("visibilitychange", look);
