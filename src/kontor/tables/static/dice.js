// Our share of the dice. Where the dice are strict it stays in this browser until all sit: only its SHA-256, the promise,
// is sent before. docs/fair-dice.md says why nobody can choose the dice then.

const KEPT = "kontor-share-";
const MOST_KEPT = 100;

// To a form that takes a chair: a share that nobody can know before, or the promise of one.
export function addShare(form, body) {
  const word = body.get("salt");
  const promised = form.elements.namedItem("salt_commitment");
  if (promised && isStrict(body)) {
    const share = sha256(`${word}\n${random()}`).slice(0, 32);
    const promise = sha256(share);
    if (keep(promise, { share, seed: promised.dataset.seed, promises: "" })) {
      body.set("salt", "");
      body.set("salt_commitment", promise);
      return;
    }
  }
  // A browser that keeps nothing cannot promise anything.
  if (!word) body.set("salt", random());
}

// A form that does not ask for it is one of a table with strict dice.
function isStrict(body) {
  if (!body.has("dice")) return true;
  return body.get("dice") === "strict" || (body.get("dice") === "usual" && body.get("pace").startsWith("live"));
}

// Tells our share, once all have promised theirs, if the seed is the one of which we knew. From then on we know all promises,
// and tell nothing where they are others. Where clocks start with the game, it waits until the page is looked at.
export function tellShare() {
  const form = document.getElementById("reveal");
  if (!form || form.dataset.busy || (form.dataset.when === "visible" && document.visibilityState !== "visible")) return;
  const mine = read(form.dataset.mine);
  if (!mine) return;
  const { promises } = form.dataset;
  if (promises.split(",")[0] !== mine.seed || (mine.promises || promises) !== promises) return warn();
  keep(form.dataset.mine, { ...mine, promises });
  form.elements.salt.value = mine.share;
  form.requestSubmit();
}

// The phrase of all shares, by which people see that they were told the same. Each must be the one that was promised when we
// told ours, or none.
export function checkShares() {
  const place = document.getElementById("phrase");
  if (!place) return;
  const { seed } = place.dataset;
  const salts = [...place.querySelectorAll("data")].map((part) => part.value);
  const digits = sha256([seed, ...salts].join("\n"));
  place.querySelector("code").textContent = `${digits.slice(0, 4)} ${digits.slice(4, 8)}`;
  place.hidden = false;
  const promises = read(place.dataset.mine)?.promises.split(",");
  const isKept = (salt, at) => salt === "" || sha256(salt) === promises[at + 1];
  if (promises?.length > 1 && !(promises[0] === seed && promises.length === salts.length + 1 && salts.every(isKept))) warn();
}

function warn() {
  document.getElementById("changed").hidden = false;
}

function random() {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// ------------------------------------------------------------------------------------------------ what is kept here

// Whether it is kept. The oldest make room.
function keep(promise, { share, seed, promises }) {
  try {
    localStorage.setItem(KEPT + promise, [Date.now(), share, seed, promises].join(" "));
    const all = Object.keys(localStorage).filter((key) => key.startsWith(KEPT));
    const at = (key) => parseInt(localStorage.getItem(key), 10);
    for (const key of all.sort((one, other) => at(other) - at(one)).slice(MOST_KEPT)) localStorage.removeItem(key);
    return true;
  } catch {
    return false;
  }
}

function read(promise) {
  try {
    const stored = localStorage.getItem(KEPT + promise);
    if (stored === null) return null;
    const [, share, seed, promises] = stored.split(" ");
    return { share, seed, promises };
  } catch {
    return null;
  }
}

// --------------------------------------------------------------------------------------------------------- SHA-256

// FIPS 180-4. Browsers have it only where the page came by https, and many tables stand at home.
const PRIMES = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
const fraction = (root) => Math.floor((root % 1) * 2 ** 32) | 0;
const ROUND = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

export function sha256(text) {
  const given = new TextEncoder().encode(text);
  const bytes = new Uint8Array(((given.length + 8) >> 6 << 6) + 64);
  bytes.set(given);
  bytes[given.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 4, given.length * 8);
  const state = new Int32Array(START);
  const rotate = (word, by) => (word >>> by) | (word << (32 - by));
  const words = new Int32Array(64);
  for (let block = 0; block < bytes.length; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const [far, near] = [words[i - 15], words[i - 2]];
      words[i] = words[i - 16] + words[i - 7]
        + (rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3)) + (rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const one = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i] + words[i]) | 0;
      const two = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] += word; });
  }
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
