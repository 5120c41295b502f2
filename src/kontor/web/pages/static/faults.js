// What is missing or wrong in a field of a form, in the words of the page.

export function describeFault(field) {
  const faults = document.getElementById("unanswered").dataset;
  const { valueMissing, typeMismatch, badInput, rangeUnderflow, rangeOverflow } = field.validity;
  const isChoice = field.matches("select, [type=radio], [type=checkbox]");
  const name = (isChoice && field.closest("fieldset")?.querySelector("legend")) || field.labels?.[0];
  const label = name?.textContent.trim() || field.getAttribute("aria-label") || "";
  const number = (rangeUnderflow || rangeOverflow || badInput) && field.min && field.max;
  const sentence = valueMissing ? (isChoice ? faults.choose : faults.fill)
    : typeMismatch ? faults[field.type]
      : number ? faults.number.replace("{low}", field.min).replace("{high}", field.max) : faults.check;
  return sentence.replace("{label}", label);
}
