// The demo page in a real Chromium, driven the way a visitor does. Waits are conditions of the page, never time.

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, root, serve } from "./browser.mjs";

const SCREENSHOTS = join(root, "target/screenshots");
const sampleFile = (file) => readFile(join(root, "www/samples", file));

let server;
let browser;

before(async () => {
  await mkdir(SCREENSHOTS, { recursive: true });
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

/** A fresh visitor. `problems` fills with console errors, uncaught errors, policy violations, dialogs, outside requests. */
async function visit(hash = "", options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(server.url) && !url.startsWith("data:") && !url.startsWith("blob:"))
      problems.push(`went out: ${url}`);
  });
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  await page.goto(server.url + hash);
  await idle(page);
  return { page, problems, close: () => context.close() };
}

const idle = (page) => page.waitForFunction(() => document.documentElement.dataset.state === "idle");

/** Clicks a sample and waits until it is read. */
async function choose(page, name) {
  await page.locator(`.sample[data-sample="${name}"]`).click();
  await page.waitForFunction(
    (wanted) => document.querySelector('.sample[aria-current="true"]')?.dataset.sample === wanted,
    name,
  );
  await idle(page);
}

/** Of each sample its dialect, how it says its run ended, and what must stand in its list: selector and words. */
const FACTS = {
  "claude-hive": {
    dialect: "claude",
    ending: ["Run completed", "the stream says so"],
    shows: [
      [".card.tool.failed .title", "python -m hivewatch.replay"],
      [".card.tool.failed .output", "no readings for hive 7"],
      ["article:has(> .card :text('Explain the gap')) > .nest .nest-name", "Subagent scout, completed"],
      [".nest .card.tool .title", "cat deploy/collector.timer"],
      [".card.plan", "4 of 4"],
      [".diff-line.in", "return 33.0 - (5 - outside) * 0.05"],
    ],
  },
  "claude-lamp": {
    dialect: "claude-transcript",
    ending: ["Run cancelled", "interrupted", "the stream says so"],
    shows: [
      [".nest .card.user", "TaskRead log/night.txt"],
      [".card.banner.passing", "529 Overloaded"],
      [".diff-line.out", "return PERIOD"],
      [".card.agent .tag.bad", "broke off"],
    ],
  },
  broken: {
    dialect: "claude",
    ending: ["Run cut: the stream stops before its end", "concluded, the stream does not say so"],
    shows: [
      [".card.tool.failed .tag", "call not seen"],
      [".card.notice", "502 Bad Gateway"],
    ],
  },
  "evolve-report": {
    dialect: "evolve",
    ending: ["Run completed", "run_complete", "the stream says so"],
    shows: [
      [".card.tool.completed .tag", "came before its call"],
      [".card.tool.failed .output", "EROFS"],
      [".nest .card.tool .title", "Fetch http://localhost:8000/report/"],
      [".card.plan li.pending", "Ask the beekeeper"],
    ],
  },
  "vent-approval": {
    dialect: "vent",
    ending: ["Run completed", "the stream says so"],
    shows: [
      [".card.tool.failed .output", "房间 1 没有窗户"],
      [".card.interrupt.open .options", "AllowDeny"],
      [".card.interrupt.open .question", "报告给谁看"],
      [".card.citations li", "https://example.invalid/norm/3"],
      [".card.artifact", "蜂房通风.docx"],
      [".nest .nest-name", "Subagent 撰写员"],
    ],
  },
  "autohand-permission": {
    dialect: "autohand",
    ending: ["Run completed", "the stream says so"],
    shows: [
      [".card.interrupt.over .status", "allowed (inferred)"],
      [".card.interrupt.open .title", "Apply the changes"],
      [".card.banner.passing .tag", "429"],
      [".diff-line.out", "import old_collector"],
    ],
  },
  "codex-scale": {
    dialect: "codex",
    ending: ["Run completed", "the stream says so"],
    shows: [
      [".card.tool.failed .title", "python -m pytest"],
      [".card.plan", "2 of 3"],
      [".card.tool .locations", "units.py"],
      [".card.banner.passing", "Reconnecting"],
    ],
  },
  "codex-queens": {
    dialect: "codex",
    ending: ["Run completed", "the stream says so"],
    shows: [
      ["article:has(> .card :text('spawn_agent')) > .nest .card.tool.failed .title", "hivewatch photo"],
      [".card.interrupt.over .status", "rejected"],
      [".card.interrupt .title code", "rm label.txt"],
      [".diff-line.out", "see label.txt"],
    ],
  },
  "gemini-fans": {
    dialect: "gemini",
    ending: ["Run completed", "success", "the stream says so"],
    shows: [
      [".card.tool.failed .output", "Could not find an exact match"],
      [".card.notice", "Attempt 1 failed with status 503"],
      [".card.plan", "4 of 4"],
    ],
  },
  "copilot-lamp": {
    dialect: "copilot",
    ending: ["Run completed", "the stream says so"],
    shows: [
      [".card.tool.failed .status", "failed (inferred)"],
      [".nest .nest-name", "Subagent Explorer, completed"],
      [".card.plan li.in_progress", "Give the lamp a gap"],
      [".card.tool .output", "completed with exit code 1"],
    ],
  },
  "opencode-frost": {
    dialect: "opencode",
    ending: ["Run completed", "idle", "concluded, the stream does not say so"],
    shows: [
      [".card.tool.failed .output", "Could not find oldString"],
      [".card.interrupt.over .status", "allowed, once"],
      [".nest .nest-name", "Subagent general, completed"],
      [".nest .card.agent", "Only the pond sensor logs"],
      [".card.plan", "2 of 3"],
    ],
  },
};

test("every sample opens, and shows what is told of it", async () => {
  const { page, problems, close } = await visit();
  const samples = JSON.parse(await sampleFile("index.json"));
  assert.deepEqual(samples.map(({ name }) => name).sort(), Object.keys(FACTS).sort(), "each sample has its facts");
  for (const { name, harness, story } of samples) {
    const { dialect, ending, shows } = FACTS[name];
    await choose(page, name);
    const title = await page.locator("#stream-title").textContent();
    assert.ok(title.startsWith(harness) && title.endsWith(story), `${name}: ${title}`);
    assert.equal(await page.locator(".chip").first().textContent(), dialect, name);
    assert.deepEqual(await page.locator("#ending > :not(svg)").allTextContents(), ending, name);
    for (const [selector, words] of shows) {
      const found = page.locator("#items").locator(selector).filter({ hasText: words });
      assert.ok((await found.count()) > 0, `${name}: ${selector} says ${words}`);
    }
  }
  assert.deepEqual(problems, []);
  await close();
});

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

const titled = (page, title) =>
  page.waitForFunction((wanted) => document.getElementById("stream-title").textContent === wanted, title);

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

test("pasted text is read", async () => {
  const { page, problems, close } = await visit();
  await page
    .locator("#paste")
    .fill('{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"pasted hello"}}}\n');
  await page.getByRole("button", { name: "Read it" }).click();
  await page.getByRole("feed", { name: "Transcript" }).getByText("pasted hello").waitFor();
  await idle(page);
  assert.equal(await page.locator("#stream-title").textContent(), "Pasted text");
  assert.deepEqual(problems, []);
  await close();
});

test("a URL of this server can be fetched, a plain http address elsewhere is refused before it goes out", async () => {
  const { page, problems, close } = await visit();
  await page.locator("#url").fill(`${server.url}samples/codex-scale.jsonl`);
  await page.getByRole("button", { name: "Fetch" }).click();
  await page.waitForFunction(() => document.getElementById("stream-title").textContent.startsWith("http"));
  await idle(page);
  assert.match(await page.locator(".chip").first().textContent(), /codex/);
  await page.locator("#url").fill("http://example.invalid/trace.jsonl");
  await page.getByRole("button", { name: "Fetch" }).click();
  await page.getByRole("alert").filter({ hasText: "localhost only" }).waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test("live: a card turns from running to failed, and its source bytes can be read", async () => {
  const { page, problems, close } = await visit("#pace=0.5&seed=11");
  await page.locator("#live-sample").selectOption("codex-scale");
  // Each word the card shows, in order: a draw that came and went between two looks still counts.
  await page.evaluate(() => {
    globalThis.seen = [];
    const look = () => {
      const card = [...document.querySelectorAll("#items .card.tool")].find((each) =>
        each.querySelector(".title").textContent.includes("pytest"),
      );
      const word = card?.querySelector(".status").textContent;
      if (word && globalThis.seen.at(-1) !== word) globalThis.seen.push(word);
    };
    new MutationObserver(look).observe(document.getElementById("items"), {
      childList: true,
      subtree: true,
      characterData: true,
      attributes: true,
    });
  });
  await page.locator("#live").click();
  await page.waitForFunction(() => document.documentElement.dataset.state === "busy");
  await page.waitForFunction(() => globalThis.seen.length > 0);
  assert.equal(
    await page.evaluate(() => document.documentElement.dataset.state),
    "busy",
    "the card shows while the stream runs",
  );
  await page.waitForFunction(() => globalThis.seen.includes("failed"));
  assert.deepEqual(await page.evaluate(() => globalThis.seen), ["running", "failed"]);
  await idle(page);
  await page
    .locator("article", { has: page.locator(".card.tool.failed .title", { hasText: "pytest" }) })
    .locator(".title")
    .click();
  const shown = await page.locator("#inspector .record .bytes").allTextContents();
  const lines = (await sampleFile("codex-scale.jsonl")).toString().split("\n");
  const records = lines.filter((line) => line.includes('"item_6"'));
  assert.equal(records.length, 2);
  assert.equal(shown.length, 2, "started and completed");
  records.forEach((record, at) => assert.ok(shown[at].includes(record), `record ${at} is shown to the byte`));
  assert.match(
    await page.locator("#inspector .record").last().locator(".event").first().textContent(),
    /tool_call_update/,
  );
  assert.deepEqual(problems, []);
  await close();
});

test("the live stream can be stopped; what came stays", async () => {
  const { page, problems, close } = await visit("#pace=0.2&seed=3");
  await page.locator("#live-sample").selectOption("claude-hive");
  await page.locator("#live").click();
  await page.waitForFunction(() => document.documentElement.dataset.state === "busy");
  await page.locator("#items article").first().waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await idle(page);
  assert.ok((await page.locator("#items article").count()) > 0);
  assert.ok(await page.getByRole("button", { name: "Connect", exact: true }).isVisible());
  assert.deepEqual(problems, []);
  await close();
});

test("markup and script addresses in a trace stay text", async () => {
  const { page, problems, close } = await visit("#sample=broken");
  await page.getByText("<img src=x onerror=alert(1)>", { exact: false }).first().waitFor();
  for (const number of [4, 5]) {
    assert.ok(
      (await page.getByText(`onerror=alert(${number})`, { exact: false }).count()) > 0,
      `alert(${number}) stands there as text`,
    );
  }
  assert.ok((await page.getByText("javascript:alert(7)", { exact: false }).count()) > 0);
  // Open everything there is, then look again.
  for (const tab of ["Events", "Report", "Usage"]) await page.getByRole("tab", { name: tab }).click();
  await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
  for (const article of await page.locator("#items article").all()) {
    await article.evaluate((element) => element.focus());
    await page.keyboard.press("Enter");
  }
  const made = await page.evaluate(
    () =>
      document.querySelectorAll("main img, main script, main a, main iframe, aside img, aside script, aside a").length,
  );
  assert.equal(made, 0, "no element came out of the trace");
  assert.deepEqual(problems, []);
  await close();
});

test("images show only when asked, from their own bytes", async () => {
  const { page, problems, close } = await visit("#sample=evolve-report");
  assert.equal(await page.locator("main img").count(), 0);
  await page
    .getByRole("button", { name: /Show image/ })
    .first()
    .click();
  const image = page.locator("main img").first();
  await image.waitFor();
  assert.ok(await image.evaluate((element) => element.decode().then(() => element.naturalWidth)), "it decodes");
  assert.match(await image.getAttribute("src"), /^data:image\/png;base64,/);
  assert.deepEqual(problems, []);
  await close();
});

test("the keyboard alone reaches a card and its source", async () => {
  const { page, problems, close } = await visit("#sample=evolve-report");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the transcript");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.matches("article"));
  const number = () => page.evaluate(() => Number(document.activeElement.dataset.item));
  const first = await number();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const third = await number();
  assert.notEqual(third, first);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  assert.equal(await number(), third);
  await page.keyboard.press("End");
  assert.ok((await number()) > third);
  await page.keyboard.press("Home");
  assert.equal(await number(), first);
  while (!(await page.evaluate(() => document.activeElement.querySelector(":scope > .card.tool"))))
    await page.keyboard.press("ArrowDown");
  const card = await number();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: `Item ${card}` }).waitFor();
  assert.ok((await page.locator("#inspector .bytes").count()) > 0);
  assert.equal(await page.locator('article[tabindex="0"]').count(), 1, "one item in the tab order");
  assert.deepEqual(problems, []);
  await close();
});

test("cut to single bytes, every sample gives the same events", async () => {
  const { page, problems, close } = await visit();
  for (const { name } of JSON.parse(await sampleFile("index.json"))) {
    await choose(page, name);
    for (const step of ["4", "3", "2"]) {
      await page.locator("#cuts").fill(step);
      await page.waitForFunction(() => document.getElementById("cuts-result").dataset.verdict !== undefined);
      assert.match(await page.locator("#cuts-result").textContent(), /same \d+ events/, `${name}, step ${step}`);
      if (step === "4") assert.equal(await page.locator("#cuts").getAttribute("aria-valuetext"), "1 byte");
    }
  }
  assert.deepEqual(problems, []);
  await close();
});

test("an approval shows what an answer would send, and sends nothing", async () => {
  const { page, problems, close } = await visit("#sample=autohand-permission");
  const approval = page.locator(".card.interrupt").first();
  await approval.locator(".option").first().click();
  await approval.locator(".reply pre").waitFor();
  assert.match(await approval.locator(".reply pre").textContent(), /perm_4_902/);
  assert.deepEqual(problems, []);
  await close();
});

test("a long trace shows a window, and more when asked", async () => {
  const { page, problems, close } = await visit();
  const line = (number) => ({
    sessionId: "s",
    update: {
      sessionUpdate: "tool_call",
      toolCallId: `t${number}`,
      title: `ls ${number}`,
      kind: "execute",
      status: "pending",
    },
  });
  const text = Array.from({ length: 500 }, (_, number) => JSON.stringify(line(number))).join("\n");
  await page.setInputFiles("#file", {
    name: "long.jsonl",
    mimeType: "application/x-ndjson",
    buffer: Buffer.from(text),
  });
  await page.waitForFunction(() => document.getElementById("stream-title").textContent === "long.jsonl");
  await idle(page);
  const articles = page.locator("#items article");
  assert.equal(await articles.count(), 200);
  assert.equal(await articles.last().getAttribute("aria-setsize"), "500");
  await page.getByRole("button", { name: /Show more/ }).click();
  assert.equal(await articles.count(), 400);
  await page.getByRole("button", { name: /Show more/ }).click();
  assert.equal(await articles.count(), 500);
  assert.equal(await page.getByRole("button", { name: /Show more/ }).count(), 0);
  assert.deepEqual(problems, []);
  await close();
});

test("the theme can be chosen, and bytes can be read as hex", async () => {
  const { page, problems, close } = await visit("#sample=broken", { colorScheme: "light" });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByRole("button", { name: "Theme: auto" }).click();
  assert.equal(await ground(), light);
  await page.getByRole("button", { name: "Theme: light" }).click();
  assert.notEqual(await ground(), light);
  await page.locator("#items").getByText("binary", { exact: false }).first().click();
  assert.ok(
    (await page.locator("#inspector .byte").allTextContents()).includes("FF"),
    "a byte that is no UTF-8 is marked",
  );
  await page.getByRole("button", { name: "Show as hex" }).click();
  assert.match(await page.locator("#inspector .bytes.hex").first().textContent(), /00 01 FF FE 20 62 69 6E/);
  assert.deepEqual(problems, []);
  await close();
});

test("a stream of no known agent says so", async () => {
  const { page, problems, close } = await visit();
  await page.locator("#paste").fill('{"hello":"world"}\n{"hello":"again"}\n');
  await page.getByRole("button", { name: "Read it" }).click();
  await page.getByText("Nothing to show", { exact: false }).waitFor();
  await page.getByText("Unknown records, hooks", { exact: false }).click();
  await page.locator("#inspector .event", { hasText: "world" }).first().waitFor();
  assert.deepEqual(problems, []);
  await close();
});

for (const [colorScheme, width, height] of [
  ["light", 1280, 800],
  ["dark", 1280, 800],
  ["light", 390, 844],
  ["dark", 390, 844],
]) {
  test(`it fits ${width} pixels in ${colorScheme}, with a card selected`, async () => {
    const { page, problems, close } = await visit("#sample=claude-hive", { colorScheme, viewport: { width, height } });
    await page.screenshot({ path: join(SCREENSHOTS, `page-${colorScheme}-${width}.png`) });
    await page.locator(".card.tool.failed").first().locator(".title").click();
    await page.waitForFunction(() => document.getElementById("inspector").getAnimations().length === 0);
    assert.ok(await page.locator("#inspector .bytes").first().isVisible());
    await page.screenshot({ path: join(SCREENSHOTS, `selected-${colorScheme}-${width}.png`) });
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      "nothing sticks out sideways",
    );
    assert.deepEqual(problems, []);
    await close();
  });
}
