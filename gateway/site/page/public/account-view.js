import { element, heading } from "./element.js";
import { startRegisterForm } from "./register-form.js";

/** The first view: what this is, and the form that makes an account. */
export function showAccount() {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById("register-template"));
  const form = /** @type {HTMLElement} */ (template.content.cloneNode(true));
  startRegisterForm(/** @type {HTMLFormElement} */ (form.querySelector("form")));
  const words = "Look a user up by name, read what they say, or make an account of your own.";
  return {
    title: "",
    news: "",
    nodes: [heading("People, and what they say"), element("p", { class: "lead" }, words), form],
  };
}
