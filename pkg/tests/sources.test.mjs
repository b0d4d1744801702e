// Reading from everything that gives bytes, and live connections.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { Normalizer, NormalizerStream, Transcript, connect, read } from "../dist/index.js";
import { named } from "./cases.mjs";

const { bytes } = named("evolve/content-of-one-message");
const expected = () => {
  const normalizer = new Normalizer({ dialect: "evolve" });
  return [...normalizer.push(bytes), ...normalizer.end()];
};
const pieces = () => [bytes.subarray(0, 100), bytes.subarray(100, 101), bytes.subarray(101)];

async function collect(batches) {
  const events = [];
  for await (const batch of batches) {
    assert.ok(batch.length > 0, "no batch is empty");
    events.push(...batch);
  }
  return events;
}

const stream = (chunks, cancelled = () => {}) =>
  new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
    cancel: cancelled,
  });

test("every kind of source gives the same events", async () => {
  async function* asynchronous() {
    yield* pieces();
  }
  const sources = {
    response: new Response(bytes),
    blob: new Blob([bytes]),
    file: new File([bytes], "trace.jsonl"),
    stream: stream(pieces()),
    async: asynchronous(),
    iterable: pieces(),
    text: new TextDecoder().decode(bytes),
    chunk: bytes,
  };
  for (const [name, source] of Object.entries(sources)) {
    const batches = read(source, { dialect: "evolve" });
    assert.deepEqual(await collect(batches), expected(), name);
    assert.equal(batches.report().records, 11, name);
  }
});

test("a Blob larger than a slice arrives whole", async () => {
  const text = "x".repeat(2_500_000);
  const [notice] = await collect(read(new Blob([text])));
  assert.equal(notice.update.text.length, text.length);
});

test("what is no source is refused at once", () => {
  for (const wrong of [7, null, undefined, {}]) assert.throws(() => read(wrong), { code: "misuse.source" });
  assert.throws(() => read([], { dialekt: 1 }), { code: "option.unknown" });
});

test("leaving the loop cancels the source", async () => {
  let cancelled = false;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(bytes),
    cancel: () => void (cancelled = true),
  });
  for await (const batch of read(endless)) if (batch.length > 0) break;
  assert.ok(cancelled);
});

test("a signal ends the reading with conn.aborted", async () => {
  const controller = new AbortController();
  const silent = new ReadableStream({ pull: () => new Promise(() => {}) });
  const reading = collect(read(silent, { signal: controller.signal }));
  controller.abort();
  await assert.rejects(reading, { code: "conn.aborted" });
  const response = new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
  const second = new AbortController();
  const waiting = collect(read(response, { signal: second.signal }));
  await Promise.resolve();
  second.abort();
  await assert.rejects(waiting, { code: "conn.aborted" });
});

test("a refused response is an error with status and body", async () => {
  const refused = new Response("too many", { status: 429 });
  await assert.rejects(collect(read(refused)), { code: "conn.status", status: 429, body: "too many" });
  assert.deepEqual(await collect(read(new Response(null, { status: 204 }))), []);
});

test("NormalizerStream makes batches of a piped body", async () => {
  const normalizing = new NormalizerStream({ dialect: "evolve" });
  const reader = new Response(bytes).body.pipeThrough(normalizing).getReader();
  const events = [];
  for (let read = await reader.read(); !read.done; read = await reader.read()) events.push(...read.value);
  assert.deepEqual(events, expected());
  assert.equal(normalizing.report().dialect, "evolve");
});

test("a transcript reads a whole source", async () => {
  const transcript = new Transcript({ dialect: "evolve" });
  await transcript.read(new Blob([bytes]));
  assert.equal(transcript.getSnapshot().ended, true);
  assert.ok(transcript.length > 0);
});

// A server whose answers a test sets by path.
let server;
let base;
const answers = new Map();
const requests = [];

before(async () => {
  server = createServer((request, response) => {
    requests.push({ url: request.url, method: request.method, headers: request.headers });
    answers.get(request.url)(request, response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const events = (response, text) => {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  response.write(text);
};
const frame = (text, id) =>
  `${id ? `id: ${id}\n` : ""}data: ${JSON.stringify({
    messageId: "m",
    update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
  })}\n\n`;
const asked = (path) => requests.filter(({ url }) => url === path);

test("connect feeds a transcript from a POST, and never sends it twice", async () => {
  answers.set("/post", (request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      events(response, frame(`got ${body}`));
      response.end();
    });
  });
  const transcript = new Transcript({ dialect: "evolve" });
  const live = connect(`${base}/post`, { method: "post", body: "question", headers: { "x-key": "k" }, into: transcript });
  const { error, report } = await live.done;
  assert.equal(error, undefined);
  assert.equal(report.dialect, "evolve");
  assert.equal(transcript.item(0).text, "got question");
  assert.equal(live.state, "closed");
  const [{ method, headers }, ...more] = asked("/post");
  assert.deepEqual([method, headers["x-key"], more.length], ["POST", "k", 0]);
  assert.match(headers.accept, /text\/event-stream/);
});

test("a broken event stream is asked for again with its last id, and half an event is dropped", async () => {
  answers.set("/resume", (request, response) => {
    if (request.headers["last-event-id"] === undefined) {
      events(response, `retry: 1\n\n${frame("one ", "7ä")}data: {"half":`);
      response.end();
    } else {
      events(response, `${frame("two", "8")}data: [DONE]\n\n`);
      response.end();
    }
  });
  const batches = [];
  const { error, report } = await connect(`${base}/resume`, {
    onBatch: (batch) => batches.push(...batch),
    options: { dialect: "evolve" },
  }).done;
  assert.equal(error, undefined);
  assert.equal(batches.map(({ update }) => update.content?.text).join(""), "one two");
  assert.equal(asked("/resume").length, 2);
  assert.equal(Buffer.from(asked("/resume")[1].headers["last-event-id"], "latin1").toString("utf8"), "7ä");
  assert.ok(report.skipped.unterminatedBytes > 0);
});

test("retry: false takes the first end as the end", async () => {
  answers.set("/once", (_, response) => {
    events(response, frame("one"));
    response.end();
  });
  const { error } = await connect(`${base}/once`, { onBatch() {}, retry: false }).done;
  assert.equal(error, undefined);
  assert.equal(asked("/once").length, 1);
});

test("204 is the end, an error page is an error with its body", async () => {
  answers.set("/nothing", (_, response) => response.writeHead(204).end());
  assert.equal((await connect(`${base}/nothing`, { onBatch() {} }).done).error, undefined);
  answers.set("/broken", (_, response) => response.writeHead(500).end("it burns"));
  const { error } = await connect(`${base}/broken`, { onBatch() {} }).done;
  assert.deepEqual([error.code, error.status, error.body], ["conn.status", 500, "it burns"]);
  answers.set("/html", (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>login"));
  const page = (await connect(`${base}/html`, { onBatch() {} }).done).error;
  assert.deepEqual([page.code, page.body], ["conn.content-type", "<p>login"]);
});

test("nobody there is conn.network, a wrong URL conn.request", async () => {
  assert.equal((await connect("http://127.0.0.1:1/", { onBatch() {} }).done).error.code, "conn.network");
  assert.equal((await connect("http://", { onBatch() {} }).done).error.code, "conn.request");
});

test("silence ends in conn.idle when that is asked for", async () => {
  answers.set("/silent", (_, response) => events(response, frame("one")));
  const { error } = await connect(`${base}/silent`, { onBatch() {}, idleMs: 50, retry: false }).done;
  assert.equal(error.code, "conn.idle");
});

test("close and a signal end a waiting connection once", async () => {
  answers.set("/wait", (_, response) => events(response, frame("one")));
  const controller = new AbortController();
  for (const stop of [(live) => live.close(), () => controller.abort()]) {
    let live;
    const first = new Promise((resolve) => {
      live = connect(`${base}/wait`, { onBatch: resolve, signal: controller.signal, options: { dialect: "evolve" } });
    });
    await first;
    stop(live);
    const { error, report } = await live.done;
    assert.equal(error.code, "conn.aborted");
    assert.equal(report.records, 1);
    live.close();
  }
});

test("an onBatch that throws is reported, and the connection ends", async () => {
  answers.set("/throws", (_, response) => events(response, frame("one")));
  const reported = [];
  const original = globalThis.reportError;
  globalThis.reportError = (error) => reported.push(error.message);
  try {
    const onBatch = () => {
      throw new Error("mine");
    };
    const { error, report } = await connect(`${base}/throws`, { onBatch, options: { dialect: "evolve" } }).done;
    assert.equal(error.code, "conn.consumer");
    assert.deepEqual(reported, ["mine"]);
    assert.equal(report.events, 1);
  } finally {
    globalThis.reportError = original;
  }
});

test("options of connect are checked", () => {
  assert.throws(() => connect(base, {}), { code: "option.value" });
  assert.throws(() => connect(base, { onBatch() {}, mehtod: "GET" }), { code: "option.unknown" });
  assert.throws(() => connect(base, { onBatch() {}, body: { a: 1 } }), { code: "option.value" });
  assert.throws(() => connect(base, { onBatch() {}, options: { x: 1 } }), { code: "option.unknown" });
});
