import { useLayoutEffect, useRef, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { Icon } from "./icon.js";

/**
 * An item leads to an address, or acts.
 * @typedef {{ text: string, icon: string, href?: string, act?: () => unknown, isDanger?: boolean }} MenuItem
 */

/**
 * A button that opens a menu. Arrows, Home, End and first letters move in it; Escape closes it, and the button has the focus again.
 * @param {{ label: string, items: MenuItem[], onOpen?: () => void, class?: string, children: any }} props children: what the button shows
 */
export function Menu({ label, items, onOpen, class: name = "icon-button", children }) {
  const { isOpen, element, open, close, onKeyDown } = useMenu(onOpen);
  const choose = (/** @type {MenuItem} */ { act }) => {
    close();
    act?.();
  };
  return html`
    <div class="menu" ref=${element} onKeyDown=${onKeyDown}>
      <button type="button" class=${name} aria-label=${label} title=${label} aria-haspopup="menu" aria-expanded=${`${isOpen}`} onClick=${isOpen ? close : () => open(0)}>
        ${children}
      </button>
      ${
        isOpen &&
        html`<ul role="menu" aria-label=${label}>
        ${items.map(
          (item) => html`<li role="none"><${item.href === undefined ? "button" : "a"}
            role="menuitem"
            tabindex="-1"
            type=${item.href === undefined ? "button" : undefined}
            href=${item.href}
            class=${item.isDanger ? "danger" : undefined}
            onClick=${() => choose(item)}
            ><${Icon} name=${item.icon} /><span dir="auto">${item.text}</span><//></li>`,
        )}
      </ul>`
      }
    </div>
  `;
}

/** @param {(() => void) | undefined} onOpen */
function useMenu(onOpen) {
  const [isOpen, setOpen] = useState(false);
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  const first = useRef(0);
  const open = (/** @type {number} */ at) => {
    first.current = at;
    onOpen?.();
    setOpen(true);
  };
  const close = () => {
    element.current?.querySelector("button")?.focus();
    setOpen(false);
  };
  // Before the browser draws: a key that comes right after would find no item, and lose its own to the first one.
  useLayoutEffect(() => {
    if (!isOpen) return;
    itemsOf(element.current).at(first.current)?.focus();
    const closeOutside = (/** @type {Event} */ { target }) => {
      if (!element.current?.contains(/** @type {Node} */ (target))) setOpen(false);
    };
    for (const type of events) document.addEventListener(type, closeOutside);
    return () => {
      for (const type of events) document.removeEventListener(type, closeOutside);
    };
  }, [isOpen]);
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isDone = isOpen ? moveIn(itemsOf(element.current), event.key, close) : openBy(event.key, open);
    if (!isDone) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { isOpen, element, open, close, onKeyDown };
}

const events = ["pointerdown", "focusin"];

/** @param {HTMLElement | null} menu @returns {HTMLElement[]} */
function itemsOf(menu) {
  return [...(menu?.querySelectorAll("[role=menuitem]") ?? [])];
}

/** @param {string} key @param {(at: number) => void} open @returns whether the key does something */
function openBy(key, open) {
  if (key !== "ArrowDown" && key !== "ArrowUp") return false;
  open(key === "ArrowDown" ? 0 : -1);
  return true;
}

/** @param {HTMLElement[]} items @param {string} key @param {() => void} close @returns whether the key does something */
function moveIn(items, key, close) {
  const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const focus = (/** @type {number} */ to) => items.at(to % items.length)?.focus();
  if (key === "ArrowDown") focus(at + 1);
  else if (key === "ArrowUp") focus(at - 1);
  else if (key === "Home") focus(0);
  else if (key === "End") focus(-1);
  else if (key === "Escape" || key === "Tab") close();
  // A link does not act on it by itself.
  else if (key === " ") items[at]?.click();
  else if (key.length === 1) return focusByLetter(items, at, key);
  else return false;
  // After Tab the focus goes on from the button.
  return key !== "Tab";
}

/** @param {HTMLElement[]} items @param {number} at @param {string} letter */
function focusByLetter(items, at, letter) {
  const turned = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  turned.find(({ textContent }) => textContent?.trim().toLowerCase().startsWith(letter.toLowerCase()))?.focus();
  return true;
}
