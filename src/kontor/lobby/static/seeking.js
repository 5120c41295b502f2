// Waiting for someone to play with: the stream says when to look, and looking says that one is still there.

import { sound } from "./sounds.js";

const HERE = new URL("../../play/waiting", import.meta.url).pathname;
const RETRY = 5000;

let looking = false;
async function look() {
  if (looking) return;
  looking = true;
  try {
    const answer = await fetch(HERE, { headers: { "hx-request": "true" } });
    if (answer.ok) show(new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("search"));
  } catch { /* the server is not there just now: it is asked again soon */ }
  looking = false;
}

// Only what is new is changed: whoever is about to press a button finds it where it was.
function show(now) {
  if (now?.dataset.table) return arrive(now.dataset);
  if (!now || now.dataset.over) return location.reload();
  for (const id of ["waited", "others"]) {
    const [old, fresh] = [document.getElementById(id), now.querySelector(`#${id}`)];
    if (old.textContent !== fresh.textContent) old.textContent = fresh.textContent;
  }
  const [old, fresh] = [document.getElementById("offer"), now.querySelector("#offer")];
  if (old.dataset.offered === fresh.dataset.offered) return;
  old.replaceWith(fresh);
  document.getElementById("offer-told").textContent = fresh.querySelector("p")?.textContent ?? "";
}

function arrive({ table, title }) {
  stream.close();
  document.title = title;
  sound("turn");
  if (document.hidden && window.Notification?.permission === "granted") {
    try {
      const note = new Notification(title, { tag: table });
      note.onclick = () => { focus(); note.close(); };
    } catch { /* some telephones know the word, and not the thing */ }
  }
  location.assign(table);
}

const stream = new EventSource(`${HERE}/live`);
stream.addEventListener("message", look);
stream.addEventListener("error", () => setTimeout(look, RETRY));
document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
