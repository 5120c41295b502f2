// Passkeys: their forms are offered where the browser can do it. Before one is sent the device is asked, and what it answers
// goes with the form.

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
const letters = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

function offer() {
  if (!window.PublicKeyCredential) return;
  for (const form of document.querySelectorAll("form[data-passkey]")) form.hidden = false;
}
document.addEventListener("kontor:turned", offer);
offer();

// Before whoever sends forms hears of it.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.dataset.passkey || form.elements.credential.value) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (form.dataset.asking) return;
  form.dataset.asking = "yes";
  form.querySelector(".refused")?.remove();
  try {
    form.elements.credential.value = JSON.stringify(await credentialFor(form));
    form.requestSubmit();
  } catch (error) {
    tell(form, error.sentence ?? (error.name === "InvalidStateError" ? form.dataset.known : form.dataset.failed));
  } finally {
    form.elements.credential.value = "";  // it is good once; the form has been read by now
    delete form.dataset.asking;
  }
}, true);

async function credentialFor(form) {
  const body = new URLSearchParams({ token: form.elements.token.value });
  const answer = await fetch(form.dataset.passkey, { method: "POST", body, headers: { "hx-request": "true" } });
  if (!answer.ok) {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const refused = new Error();
    refused.sentence = page.getElementById("refused")?.textContent;
    throw refused;
  }
  const options = await answer.json();
  options.challenge = bytes(options.challenge);
  for (const credential of options.excludeCredentials ?? []) credential.id = bytes(credential.id);
  if (options.user) options.user.id = bytes(options.user.id);
  const made = await (options.user ? navigator.credentials.create({ publicKey: options }) : navigator.credentials.get({ publicKey: options }));
  const { clientDataJSON, attestationObject, authenticatorData, signature, userHandle } = made.response;
  const parts = { clientDataJSON, attestationObject, authenticatorData, signature, userHandle };
  const response = Object.fromEntries(Object.entries(parts).filter(([, part]) => part).map(([name, part]) => [name, letters(part)]));
  return { id: made.id, rawId: letters(made.rawId), type: made.type, response };
}

function tell(form, sentence) {
  const line = document.createElement("p");
  line.className = "refused";
  line.role = "alert";
  line.textContent = sentence;
  form.append(line);
}
