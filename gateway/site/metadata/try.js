// Sends the form of an operation's page and shows the reply below it.
const form = document.getElementById("try");
const reply = document.getElementById("reply");
const status = document.getElementById("reply-status");
const body = document.getElementById("reply-body");

for (const field of form.querySelectorAll(":disabled")) field.disabled = false;

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  reply.hidden = false;
  status.textContent = "Sending…";
  body.textContent = "";
  try {
    const filled = [...new FormData(form)].filter(([, value]) => value !== "");
    const response = await fetch(form.action, { method: "POST", body: new URLSearchParams(filled) });
    const text = await response.text();
    status.textContent = `${response.status} ${response.statusText}`;
    body.textContent = indented(text);
  } catch {
    status.textContent = "The request did not get through.";
  }
});

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
