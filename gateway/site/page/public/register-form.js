import { ApiError, register } from "./api.js";
import { element, heading } from "./element.js";
import { clearFieldErrors, showFieldErrors } from "./field-errors.js";
import { timelineHref } from "./place.js";

/** Makes a form register, show the errors of the contract beside their fields, and give way to a welcome. @param {HTMLFormElement} form */
export function startRegisterForm(form) {
  let busy = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    clearFieldErrors(form);
    try {
      welcome((await register(requestOf(form))).userName);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showFieldErrors(form, error);
    } finally {
      busy = false;
    }
  });
}

/** @param {HTMLFormElement} form */
function requestOf(form) {
  const texts = [...new FormData(form)].filter(([name, value]) => name !== "autoLogin" && value !== "");
  const autoLogin = /** @type {HTMLInputElement} */ (form.elements.namedItem("autoLogin")).checked;
  return { ...Object.fromEntries(texts), autoLogin };
}

/** @param {string} name */
function welcome(name) {
  const title = heading(`Welcome, ${name}`);
  const link = element("a", { href: timelineHref(name) }, "See your page");
  document.getElementById("content")?.replaceChildren(title, element("p", { class: "lead" }, link));
  const news = document.getElementById("news");
  if (news !== null) news.textContent = `The account ${name} is made.`;
  title.focus();
}
