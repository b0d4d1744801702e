// Approvals and questions. This page looks at history, so nothing is sent: choosing shows the JSON that would be.

import { button, copyButton, fill, h, icon } from "../dom.js";
import { jsonView, textView, titleView } from "./content.js";

const TITLES = { approval: "Approval", question: "Question", notice: "Waits for you" };

const MARKS = { allowed: "completed", answered: "completed", rejected: "failed", cancelled: "failed" };

export const label = (item) =>
  `${TITLES[item.interrupt.kind]}: ${item.interrupt.title ?? item.interrupt.message ?? item.interrupt.toolName ?? ""}`;
export const name = (item) => `interrupt ${item.resolved ? "over" : "open"}`;

export function draw(item, context) {
  const { interrupt, resolved } = item;
  const mark = MARKS[resolved?.outcome] ?? "pending";
  const preview = h("div", { class: "reply", hidden: true });
  const choose = (choice) => show(preview, item, choice, context);
  const answers = {};
  const answer = (question, value) => {
    if (value === "") delete answers[question.id];
    else answers[question.id] = [value];
    choose({ answers: { ...answers } });
  };
  const head = h(
    "header",
    {},
    icon("interrupt"),
    h("span", { class: "who" }, TITLES[interrupt.kind]),
    (interrupt.title ?? interrupt.toolName) &&
      h("span", { class: "title", dir: "auto" }, titleView(interrupt.title ?? interrupt.toolName)),
    h("span", { class: `status ${mark}` }, icon(mark), outcome(resolved)),
  );
  const sentences = [
    interrupt.message,
    interrupt.reason,
    interrupt.sideEffect && `Side effect: ${interrupt.sideEffect}`,
  ];
  const options = interrupt.options.map((option) => optionView(option, resolved, choose));
  return [
    head,
    sentences.filter(Boolean).map((text) => h("p", { dir: "auto" }, text)),
    interrupt.rawInput !== undefined && context.fold("input", false, "Input", () => jsonView(interrupt.rawInput)),
    interrupt.questions.map((question) => questionView(question, (value) => answer(question, value))),
    options.length > 0 && h("div", { class: "options", role: "group", "aria-label": "Possible answers" }, options),
    preview,
  ];
}

function outcome(resolved) {
  if (!resolved) return "no answer in this stream";
  const how = [resolved.optionId, resolved.message].filter(Boolean).join(": ");
  const word = resolved.outcome === "unknown" ? "over, the answer is not told" : resolved.outcome;
  return `${word}${resolved.source === "inferred" ? " (inferred)" : ""}${how ? `, ${how}` : ""}`;
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

function questionView(question, answer) {
  const choices = question.options.map((option) => {
    const choice = button(option.label, { kind: "option", title: option.description, "aria-pressed": "false" });
    choice.addEventListener("click", () => {
      for (const each of choices) each.setAttribute("aria-pressed", String(each === choice));
      answer(option.value);
    });
    return choice;
  });
  const text = h("input", {
    "aria-label": question.question,
    placeholder: question.secret ? "free text, secret" : "free text",
  });
  text.addEventListener("input", () => answer(text.value));
  return h(
    "div",
    { class: "question" },
    h("p", { dir: "auto" }, question.question, " ", question.required && h("span", { class: "tag" }, "required")),
    choices.length > 0 ? h("div", { class: "options" }, choices) : text,
  );
}

/** The answer as the agent's harness wants it, or why there is none. */
function show(preview, item, choice, context) {
  preview.hidden = false;
  const chosen = h("code", {}, JSON.stringify(choice));
  try {
    const text = context.reply(item, choice);
    const shown = typeof text === "string" ? text : JSON.stringify(text);
    fill(
      preview,
      h(
        "p",
        { class: "note" },
        "Not sent. To answer ",
        chosen,
        ", send:",
        copyButton("Copy reply", () => shown),
      ),
      textView(shown, "json"),
    );
  } catch (error) {
    fill(preview, h("p", { class: "note" }, "No reply to ", chosen, `: ${error.message}`));
  }
}
