// Handlers written for the Evolve stream run unchanged over core events of other dialects.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Normalizer } from "./package.mjs";
import { cases, named } from "./cases.mjs";

function core({ bytes, options }) {
  const normalizer = new Normalizer({ ...options, updates: "core" });
  const events = [...normalizer.push(bytes), ...normalizer.end()];
  return { events, report: normalizer.report() };
}

/** The handler: knows the eight updates of the Evolve stream and nothing else. */
function draw(events) {
  const page = { messages: "", images: 0, thoughts: "", cards: new Map(), plan: [], strange: 0 };
  for (const event of events) {
    const update = event.update;
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        if (update.content.type === "image") page.images += 1;
        else page.messages += update.content.text ?? "";
        break;
      case "agent_thought_chunk":
        page.thoughts += update.content.text ?? "";
        break;
      case "tool_call":
        assert.ok(!page.cards.has(update.toolCallId), "a card is added once");
        page.cards.set(update.toolCallId, { title: update.title, status: update.status });
        break;
      case "tool_call_update": {
        const card = page.cards.get(update.toolCallId);
        assert.ok(card, "a card is there before its updates");
        if (update.status) card.status = update.status;
        if (update.title) card.title = update.title;
        break;
      }
      case "plan":
        page.plan = update.entries;
        break;
      case "user_message_chunk":
      case "error":
      case "usage":
        break;
      default:
        page.strange += 1;
    }
  }
  return page;
}

/** The did-work test: any update other than error and usage. */
const didWork = (events) =>
  events.some(({ update }) => update.sessionUpdate !== "error" && update.sessionUpdate !== "usage");

/** The usage sum: the last `call` per message, `run` never added. */
function promptTokens(events) {
  const last = new Map();
  for (const { update, messageId, seq } of events) {
    if (update.sessionUpdate === "usage" && update.scope === "call") last.set(messageId ?? seq, update.usage);
  }
  return [...last.values()].reduce((sum, usage) => sum + (usage.promptTokens ?? 0), 0);
}

test("core events are the eight updates alone, in every case", () => {
  for (const each of cases) assert.equal(draw(core(each).events).strange, 0, each.name);
});

test("the handler draws messages, thoughts, images and a card", () => {
  const page = draw(core(named("evolve/content-of-one-message")).events);
  assert.equal(page.messages, "I open the lock.Done.Another message.");
  assert.equal(page.thoughts, "The lock first.");
  assert.equal(page.images, 1);
  assert.deepEqual([...page.cards.values()], [{ title: "`open --lock 3`", status: "completed" }]);
});

test("the handler draws the cards and the plan of a Codex run", () => {
  const turn = draw(core(named("codex/one-turn")).events);
  assert.ok(turn.cards.size > 0 && turn.messages.length > 0);
  for (const { title, status } of turn.cards.values()) {
    assert.ok(title.length > 0);
    assert.match(status, /^(completed|failed)$/);
  }
  assert.ok(draw(core(named("codex/a-todo-list-is-a-plan")).events).plan.length > 0);
});

test("the did-work test gives the report's answer wherever the agent spoke through core updates", () => {
  let idle = 0;
  for (const each of cases) {
    const { events, report } = core(each);
    // Echoes of the user's prompt are core updates too, and no work; artifacts and shared state are work, and not core.
    const echo = events.some(({ update }) => update.sessionUpdate === "user_message_chunk");
    if (!report.didWork) idle += 1;
    if (!echo && report.didWork !== didWork(events)) {
      const all = new Normalizer(each.options).push(each.bytes).map(({ update }) => update.sessionUpdate);
      assert.ok(all.some((name) => ["artifact", "citations", "shared_state"].includes(name)), each.name);
    }
  }
  assert.ok(idle > 0, "some case shows no work");
});

test("the usage sum counts each model call once", () => {
  const { events, report } = core(named("evolve/content-of-one-message"));
  assert.equal(promptTokens(events), 400);
  assert.equal(report.usage.total.promptTokens, 900);
});
