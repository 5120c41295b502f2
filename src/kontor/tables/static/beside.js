// The rules beside a running table: a sheet that is fetched when it is first opened, and stays as it was left. Whoever wants the
// whole page finds a link to it in the sheet; without scripts the same links lead there, in a tab of its own.

let sheet = null;
let from = null; // what was pressed, to which the keyboard goes back

// A place can be found only once the styles are there.
async function page(html, address) {
  const whole = new DOMParser().parseFromString(html, "text/html");
  const styles = [...whole.querySelectorAll('link[rel="stylesheet"][data-beside]')].filter(
    (style) => !document.querySelector(`link[href="${style.getAttribute("href")}"]`));
  await Promise.all(styles.map((style) => new Promise((done) => {
    style.onload = style.onerror = done;
    document.head.append(style);
  })));
  const made = whole.getElementById("beside").content.firstElementChild;
  const text = whole.getElementById("book");
  for (const drawings of text.querySelectorAll(".defs-of-book svg")) {
    if (document.getElementById(drawings.id)) drawings.remove();
  }
  made.querySelector(".beside-text").append(text);
  made.querySelector("a").href = address;
  return made;
}

// A rule by its number, or the beginning.
function seek(hash) {
  sheet.querySelector(".sought")?.classList.remove("sought");
  const place = hash ? sheet.querySelector(`#${CSS.escape(hash.slice(1))}`) : null;
  place?.classList.add("sought");
  place?.scrollIntoView({ block: "start" });
}

function close() {
  if (!sheet.matches(":popover-open")) return;
  sheet.hidePopover();
  if (from?.isConnected) from.focus();
}

export async function open(link) {
  const url = new URL(link.href);
  if (!sheet) {
    const answer = await fetch(url.pathname);
    if (!answer.ok) throw new Error(answer.statusText);
    const made = await page(await answer.text(), url.pathname);
    if (sheet) return open(link); // pressed twice
    sheet = made;
    document.body.append(sheet);
    sheet.addEventListener("click", (event) => {
      if (event.target.closest("#beside-close")) close();
      const within = event.target.closest('a[href^="#"]');
      if (!within) return;
      event.preventDefault();
      seek(within.hash);
    });
    sheet.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") event.stopPropagation(); // the keys of the table are not meant
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && [...document.querySelectorAll(":popover-open")].every((open) => open === sheet)) close();
    });
  }
  from = link;
  sheet.showPopover();
  seek(url.hash);
  if (!sheet.contains(document.activeElement)) sheet.querySelector(".beside-text").focus({ preventScroll: true });
}
