// A conversation: what the other writes appears while the page is open and seen. Looking is reading, so a hidden page
// waits until somebody sees it.

const RETRY = 3000, LONGEST = 300_000;

const list = () => document.getElementById("messages"); // an answer to a form may bring another
const HERE = list().dataset.live;
let last = Number(list().dataset.last), newest = last, looking = false, again = 0, pause = RETRY;

async function look() {
  if (looking || document.hidden) return;
  looking = true;
  clearTimeout(again);
  const before = newest;
  let failed = false;
  try {
    const answer = await fetch(HERE);
    if (answer.ok) show(new DOMParser().parseFromString(await answer.text(), "text/html"));
    failed = answer.status === 429 || answer.status >= 500;
  } catch { failed = true; }
  looking = false;
  if (failed) again = setTimeout(look, RETRY);
  else if (newest !== before && newest !== last) look();
}

function show(page) {
  const fresh = page.getElementById("messages");
  if (!fresh || Number(fresh.dataset.last) === last) return;
  last = Number(fresh.dataset.last);
  showRows(fresh);
  showReportable(page.getElementById("reported"));
}

// Only what is new is added: what somebody reads or marks stays where it is. Where two conversations became one the
// numbers are others, and all is shown anew.
function showRows(fresh) {
  const text = (row) => row.querySelector(".text").textContent;
  const rows = [...fresh.querySelectorAll("li")], added = rows.filter(({ id }) => !document.getElementById(id));
  const both = rows.filter((row) => !added.includes(row));
  if (!both.length || both.some((row) => text(row) !== text(document.getElementById(row.id)))) list().replaceChildren(...fresh.children);
  else list().firstElementChild.prepend(...added);
}

function showReportable(fresh) {
  const options = document.getElementById("reported"), [chosen] = options.selectedOptions;
  options.replaceChildren(...fresh.children);
  for (const option of options) option.selected = option.value === chosen.value && option.text === chosen.text;
}

// A browser opens a stream again by itself, but not after an answer such as 502.
function listen() {
  const stream = new EventSource(`${HERE}/live`);
  stream.addEventListener("message", ({ data }) => {
    pause = RETRY;
    newest = Number(data.match(/"number":(\d+)/)?.[1] ?? newest);
    if (newest !== last) look();
  });
  stream.addEventListener("error", () => {
    if (stream.readyState !== EventSource.CLOSED) return;
    setTimeout(listen, pause);
    pause = Math.min(2 * pause, LONGEST);
  });
}

listen();
document.addEventListener("visibilitychange", look);
