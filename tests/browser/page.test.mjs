// The demo page in a real Chromium, driven the way a visitor does. Waits are conditions of the page, never time.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { root } from "./browser.mjs";
import { FACTS } from "./facts.mjs";
import { choose, idle, openDemo, sampleFile, titled } from "./visit.mjs";

const SCREENSHOTS = join(root, "target/screenshots");

let demo;
before(async () => {
  await mkdir(SCREENSHOTS, { recursive: true });
  demo = await openDemo();
});
after(() => demo?.close());
const visit = (...how) => demo.visit(...how);

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
  await page.locator("#url").fill(`${demo.url}samples/codex-scale.jsonl`);
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
  await titled(page, "long.jsonl");
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
