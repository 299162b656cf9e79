import htm from "./htm.js";
import { h } from "./preact.js";

/** Markup as a template: texts in it become text nodes, so nothing that a user wrote is ever read as markup. */
export const html = htm.bind(h);
