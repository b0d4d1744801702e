// Approvals and questions. This page looks at history, so nothing is sent: choosing shows the JSON that would be.

import { button, copyButton, fill, h, icon } from "../dom.js";
import { jsonView, textView } from "./content.js";

const TITLES = { approval: "Approval", question: "Question", notice: "Waits for you" };

export const label = (item) => `${TITLES[item.interrupt.kind]}: ${item.interrupt.title ?? item.interrupt.message ?? item.interrupt.toolName ?? ""}`;
export const name = (item) => `interrupt ${item.resolved ? "over" : "open"}`;

export function draw(item, context) {
  const { interrupt, resolved } = item;
  const preview = h("div", { class: "reply", hidden: true });
  const head = h(
    "header",
    {},
    icon("interrupt"),
    h("span", { class: "who" }, TITLES[interrupt.kind]),
    (interrupt.title ?? interrupt.toolName) && h("span", { class: "title", dir: "auto" }, interrupt.title ?? interrupt.toolName),
    h("span", { class: `status ${resolved ? "completed" : "pending"}` }, icon(resolved ? "completed" : "pending"), outcome(resolved)),
  );
  return [
    head,
    [interrupt.message, interrupt.reason, interrupt.sideEffect && `Side effect: ${interrupt.sideEffect}`]
      .filter(Boolean)
      .map((text) => h("p", { dir: "auto" }, text)),
    interrupt.rawInput !== undefined && context.fold("input", false, "Input", () => jsonView(interrupt.rawInput)),
    interrupt.questions.map((question) => questionView(question, (choice) => show(preview, item, choice, context))),
    interrupt.options.length > 0 &&
      h("div", { class: "options", role: "group", "aria-label": "Possible answers" }, interrupt.options.map((option) => optionView(option, resolved, (choice) => show(preview, item, choice, context)))),
    preview,
  ];
}

function outcome(resolved) {
  if (!resolved) return "no answer in this stream";
  const how = [resolved.optionId, resolved.message].filter(Boolean).join(": ");
  return `${resolved.outcome}${resolved.source === "inferred" ? " (inferred)" : ""}${how ? `, ${how}` : ""}`;
}

function optionView(option, resolved, choose) {
  const element = button(option.name, {
    kind: `option ${option.kind}`,
    "aria-pressed": String(resolved?.optionId === option.optionId),
    onClick: () => choose({ optionId: option.optionId }),
    data: { key: `option-${option.optionId}` },
  });
  if (option.scope && option.scope !== "once") element.append(h("span", { class: "scope" }, option.scope));
  return element;
}

function questionView(question, choose) {
  const answers = question.options.map((option) =>
    button(option.label, { kind: "option", title: option.description, onClick: () => choose({ answers: { [question.id]: [option.value] } }) }),
  );
  return h(
    "div",
    { class: "question" },
    h("p", { dir: "auto" }, question.question, question.required && h("span", { class: "tag" }, "required")),
    answers.length > 0 ? h("div", { class: "options" }, answers) : h("p", { class: "note" }, question.secret ? "free text, secret" : "free text"),
  );
}

/** The answer as the agent's harness wants it, or why there is none. */
function show(preview, item, choice, context) {
  preview.hidden = false;
  const chosen = h("code", {}, JSON.stringify(choice));
  try {
    const text = context.reply(item, choice);
    const shown = typeof text === "string" ? text : JSON.stringify(text);
    fill(preview, h("p", { class: "note" }, "Not sent. To answer ", chosen, ", send:", copyButton("Copy reply", () => shown)), textView(shown, "json"));
  } catch (error) {
    fill(preview, h("p", { class: "note" }, "No reply to ", chosen, `: ${error.message}`));
  }
}
