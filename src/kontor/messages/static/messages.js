// A conversation: what the other writes appears while the page is open and seen. Looking is reading, so a hidden page
// waits until somebody sees it.

const list = document.getElementById("messages");
let last = Number(list.dataset.last), newest = last, looking = false;

async function look() {
  if (looking || document.hidden || newest <= last) return;
  looking = true;
  try {
    const answer = await fetch(location.pathname);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.ok) show(page.getElementById("messages"));
  } catch { /* the server is not there just now: the stream comes back with it */ }
  looking = false;
}

// Only what is new is added: what somebody reads or marks stays where it is.
function show(fresh) {
  if (!list.firstElementChild) list.replaceChildren(...fresh.children);
  else list.firstElementChild.prepend(...[...fresh.querySelectorAll("li")].filter(({ id }) => !document.getElementById(id)));
  last = Math.max(last, Number(fresh.dataset.last));
}

const stream = new EventSource(`${location.pathname}/live`);
stream.addEventListener("message", ({ data }) => {
  newest = Math.max(newest, Number(data.match(/"number":(\d+)/)?.[1] ?? 0));
  look();
});
document.addEventListener("visibilitychange", look);
