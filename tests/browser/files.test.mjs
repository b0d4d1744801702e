// Files on the demo page: one, several of one run, a folder; and what the page says when they end.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { idle, openDemo, sampleFile, titled } from "./visit.mjs";

let demo;
before(async () => (demo = await openDemo()));
after(() => demo?.close());
const visit = (...how) => demo.visit(...how);

/** Drags files `[name, text]` over the page, or drops them. */
const drag = (page, type, files) =>
  page.evaluate(
    ([type, files]) => {
      const data = new DataTransfer();
      for (const [name, text] of files) data.items.add(new File([text], name));
      document
        .getElementById("items")
        .dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    [type, files],
  );

test("a dropped file is read and names itself", async () => {
  const { page, problems, close } = await visit();
  const files = [["dropped.jsonl", (await sampleFile("codex-scale.jsonl")).toString()]];
  await drag(page, "dragover", files);
  assert.ok(await page.locator("#veil").isVisible(), "the page shows that it takes the file");
  await drag(page, "drop", files);
  await titled(page, "dropped.jsonl");
  await idle(page);
  assert.ok(await page.locator("#veil").isHidden());
  assert.ok(await page.locator(".files").isHidden(), "one file needs no list");
  await page.getByText("41.8 kg", { exact: false }).first().waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test("two files dropped together are one run, and each record's bytes come from its own file", async () => {
  const { page, problems, close } = await visit();
  const lines = (await sampleFile("claude-lamp.jsonl")).toString().trimEnd().split("\n");
  const ofAgent = lines.filter((line) => line.includes('"isSidechain":true'));
  const ofMain = lines.filter((line) => !ofAgent.includes(line));
  assert.equal(ofAgent.length, 4);
  // The subagent's file first: its name says that it is not the main one. Its last line is broken.
  const agentFile = `${ofAgent.join("\n")}\n{"type":"assi`;
  await drag(page, "drop", [
    ["agent-k33per1.jsonl", agentFile],
    ["7d0f-lamp.jsonl", `${ofMain.join("\n")}\n`],
  ]);
  await titled(page, "7d0f-lamp.jsonl and 1 more file");
  await idle(page);
  const listed = await page.locator(".files li").allTextContents();
  assert.equal(listed.length, 2);
  assert.match(listed[0], /^7d0f-lamp\.jsonl.*the main file$/);
  assert.match(listed[1], /^agent-k33per1\.jsonl/);

  const card = page.locator("article", { has: page.locator(":scope > .card .title", { hasText: "Read the log" }) });
  await card.locator(".nest .card.tool .title", { hasText: "night.txt" }).click();
  assert.deepEqual(await page.locator("#inspector .record .file").allTextContents(), [
    "agent-k33per1.jsonl",
    "agent-k33per1.jsonl",
  ]);
  assert.deepEqual(await page.locator("#inspector .record .bytes").allTextContents(), [ofAgent[1], ofAgent[2]]);
  await page.getByRole("tab", { name: "Events" }).click();
  await page.locator("#inspector .json").filter({ hasText: '"parentToolCallId": "toolu_l04"' }).waitFor();
  await page.getByRole("tab", { name: "Source bytes" }).click();
  await page.locator("#items > article > .card.user .prose").first().click();
  assert.deepEqual(await page.locator("#inspector .record .file").allTextContents(), ["7d0f-lamp.jsonl"]);
  assert.deepEqual(await page.locator("#inspector .record .bytes").allTextContents(), [
    ofMain.find((line) => line.includes('"uuid":"a01"')),
  ]);

  await page.getByRole("tab", { name: "Report" }).click();
  const broken = page.locator("#inspector .diagnostic", { hasText: "json.truncated" });
  await broken.locator("summary").click();
  await broken.getByText("agent-k33per1.jsonl, line 5", { exact: false }).waitFor();
  assert.equal(await broken.locator(".bytes").textContent(), '{"type":"assi');
  assert.ok(await page.locator("#cuts").isHidden(), "cuts are tried on one file");
  assert.deepEqual(problems, []);
  await close();
});

test("the main file of several is found by name, else by the user's order", async () => {
  const { page, problems, close } = await visit();
  const orders = [
    [["a.jsonl"], ["a.jsonl"]],
    [
      ["b.jsonl", "a.jsonl"],
      ["b.jsonl", "a.jsonl"],
    ],
    [
      ["agent-2.meta.json", "agent-1.jsonl", "agent-2.jsonl", "s.jsonl"],
      ["s.jsonl", "agent-1.jsonl", "agent-2.jsonl", "agent-2.meta.json"],
    ],
    [
      ["rollout-2026-02-01.jsonl", "rollout-2026-01-01.jsonl"],
      ["rollout-2026-01-01.jsonl", "rollout-2026-02-01.jsonl"],
    ],
    [
      ["agent-1.meta.json", "agent-1.jsonl"],
      ["agent-1.jsonl", "agent-1.meta.json"],
    ],
    [
      ["x.jsonl", "x.jsonl"],
      ["x.jsonl", "x.jsonl (2)"],
    ],
    [[], []],
  ];
  for (const [given, expected] of orders) {
    const ordered = await page.evaluate(async (names) => {
      const { inReadingOrder } = await import("/files.js");
      return inReadingOrder(names.map((name) => ({ name }))).map(({ name }) => name);
    }, given);
    assert.deepEqual(ordered, expected);
  }
  assert.deepEqual(problems, []);
  await close();
});

test("of a dropped folder the streams are read, at any depth", async () => {
  const { page, problems, close } = await visit();
  const found = await page.evaluate(async () => {
    const { droppedFiles } = await import("/files.js");
    const file = (name, fullPath) => ({
      name,
      fullPath,
      isFile: true,
      isDirectory: false,
      file: (resolve) => resolve(new File(["x"], name)),
    });
    const folder = (name, fullPath, entries) => ({
      name,
      fullPath,
      isFile: false,
      isDirectory: true,
      createReader() {
        // As browsers do: some at a time, then none.
        const batches = [entries.slice(0, 1), entries.slice(1), []];
        return { readEntries: (resolve) => resolve(batches.shift()) };
      },
    });
    const dropped = folder("run", "/run", [
      file("s.jsonl", "/run/s.jsonl"),
      file("picture.png", "/run/picture.png"),
      file(".hidden.jsonl", "/run/.hidden.jsonl"),
      folder("subagents", "/run/subagents", [file("agent-1.jsonl", "/run/subagents/agent-1.jsonl")]),
    ]);
    const beside = file("beside.jsonl", "/beside.jsonl");
    const items = [dropped, beside].map((entry) => ({ webkitGetAsEntry: () => entry }));
    return (await droppedFiles({ files: [], items })).map(({ name }) => name);
  });
  assert.deepEqual(found, ["s.jsonl", "subagents/agent-1.jsonl", "beside.jsonl"]);
  assert.deepEqual(problems, []);
  await close();
});

const ENDINGS = [
  {
    what: "a failed turn",
    lines: [
      { type: "thread.started", thread_id: "t" },
      { type: "turn.started" },
      { type: "turn.failed", error: { message: "the model is gone" } },
    ],
    ending: ["Run failed", "the stream says so"],
    icon: "failed",
  },
  {
    what: "a turn without an end",
    lines: [
      { type: "thread.started", thread_id: "t" },
      { type: "turn.started" },
      { type: "item.completed", item: { id: "i", type: "agent_message", text: "half" } },
    ],
    ending: ["Run cut: the stream stops before its end", "concluded, the stream does not say so"],
    icon: "cut",
  },
  {
    what: "no word of runs",
    lines: [{ update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hello" } } }],
    ending: ["End of the stream. It tells no outcome."],
  },
];

test("how a run ended is told with what it rests on", async () => {
  const { page, problems, close } = await visit();
  for (const { what, lines, ending, icon } of ENDINGS) {
    const buffer = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await page.setInputFiles("#file", { name: what, mimeType: "text/plain", buffer });
    await titled(page, what);
    await idle(page);
    assert.deepEqual(await page.locator("#ending > :not(svg)").allTextContents(), ending, what);
    if (icon) assert.equal(await page.locator(`#ending .icon.${icon}`).count(), 1, what);
  }
  assert.deepEqual(problems, []);
  await close();
});
