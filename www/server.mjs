// The demo page's own server: node:http and nothing else.
//
// Serves www/ and, under /pkg/, the built package. /live sends a sample as if an agent were at work: in random cuts and
// at a human pace. It knows files and bytes; what the bytes say is the page's business.

import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";
import { argv, exit } from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const WWW = fileURLToPath(new URL("./", import.meta.url));
const PACKAGE = fileURLToPath(new URL("../pkg/dist/", import.meta.url));

// The same policy stands in index.html, so that the page is as closed behind any other static server.
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self' https: http://localhost:*",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".jsonl": "application/x-ndjson",
  ".sse": "text/event-stream",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** The file a path of the page means, or undefined where it would leave its folder. */
function fileOf(path) {
  const [folder, rest] = path.startsWith("/pkg/") ? [PACKAGE, path.slice("/pkg/".length)] : [WWW, path.slice(1)];
  const file = join(folder, rest === "" ? "index.html" : rest);
  const inside = file.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  return inside && extname(file) in TYPES ? file : undefined;
}

async function serveFile(path, response) {
  const file = fileOf(path);
  const found = file && (await stat(file).catch(() => undefined));
  if (!found?.isFile()) return refuse(response, 404, "no such file");
  response.writeHead(200, { ...HEADERS, "content-type": TYPES[extname(file)], "content-length": found.size });
  createReadStream(file).pipe(response);
}

function refuse(response, status, why) {
  response.writeHead(status, { ...HEADERS, "content-type": "text/plain; charset=utf-8" });
  response.end(`${why}\n`);
}

/** Numbers in [0, 1) from a seed, the same each time: a run that shows a fault can be had again. */
function numbersFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The sample as an SSE body: JSONL records become data frames, an SSE sample is sent as it is. */
function asEventStream(bytes, file) {
  if (file.endsWith(".sse")) return bytes;
  const frames = [];
  let start = 0;
  while (start < bytes.length) {
    const found = bytes.indexOf(10, start);
    const end = found < 0 ? bytes.length : found;
    if (end > start) frames.push(Buffer.from("data: "), bytes.subarray(start, end), Buffer.from("\n\n"));
    start = end + 1;
  }
  return Buffer.concat(frames);
}

/** `/live?sample=name&pace=1&seed=n`: pace 2 is twice as fast, 0 sends without pauses. */
async function serveLive(query, response) {
  const list = JSON.parse(await readFile(join(WWW, "samples/index.json"), "utf8"));
  const sample = list.find((entry) => entry.name === (query.get("sample") ?? list[0].name));
  if (!sample) return refuse(response, 404, "no such sample");
  const pace = Number(query.get("pace") ?? 1);
  const random = numbersFrom(Number(query.get("seed") ?? Date.now()) || 1);
  const bytes = asEventStream(await readFile(join(WWW, "samples", sample.file)), sample.file);
  response.writeHead(200, { ...HEADERS, "content-type": "text/event-stream", "x-accel-buffering": "no" });
  let gone = false;
  response.once("close", () => (gone = true));
  for (let sent = 0; sent < bytes.length && !gone;) {
    const length = 1 + Math.floor(random() ** 2 * 700);
    if (!response.write(bytes.subarray(sent, sent + length))) {
      await new Promise((resolve) => response.once("drain", resolve).once("close", resolve));
    }
    sent += length;
    if (pace > 0) await wait((8 + random() * 90) / pace);
  }
  response.end();
}

async function answer(request, response) {
  if (request.method !== "GET" && request.method !== "HEAD") return refuse(response, 405, "GET only");
  const url = new URL(request.url, "http://localhost");
  if (url.pathname === "/live") return serveLive(url.searchParams, response);
  return serveFile(decodeURIComponent(url.pathname), response);
}

function portFrom([flag, value, ...rest]) {
  const port = flag === undefined ? 4173 : flag === "--port" ? Number(value) : NaN;
  if (Number.isInteger(port) && port >= 0 && port < 65536 && rest.length === 0) return port;
  console.error("usage: node www/server.mjs [--port N]    (0: any free port)");
  exit(2);
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    // A malformed path, or a file that went away: the visitor's answer, never the server's end.
    if (!response.headersSent) refuse(response, error instanceof URIError ? 400 : 500, "cannot answer that");
    else response.destroy();
  });
});
server.once("error", (error) => {
  console.error(error.code === "EADDRINUSE" ? "the port is taken; try --port 0" : error.message);
  exit(1);
});
// Loopback only: the page is for the person at this machine.
server.listen(portFrom(argv.slice(2)), "localhost", () => {
  console.log(`ready http://localhost:${server.address().port}`);
});
