// `cargo xtask bench`: measures in Node and in Chromium, prints tables, and with --write keeps them.

import { execFileSync, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, platform } from "node:os";
import { execPath, versions } from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { launch, root, serveFolder } from "../tests/browser/browser.mjs";
import { markdown, table } from "./report.mjs";
import { plot } from "./plot.mjs";
import { FORMS, lonely, measureTogether, median } from "./suite.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

const { values: options } = parseArgs({
  options: {
    short: { type: "boolean" },
    tiny: { type: "boolean" },
    node: { type: "boolean" },
    chromium: { type: "boolean" },
    "own-process": { type: "boolean" },
    write: { type: "boolean" },
    only: { type: "string" },
  },
});
const form = options.tiny ? "tiny" : options.short ? "short" : "full";
const only = options.only?.split(",");
if (options.write && (only || options.tiny)) throw new Error("--write keeps whole measurements: not with --only or --tiny");
const say = (line) => console.log(line);

/** Asks `alone.mjs` one question in a process of its own. */
function alone(kind, question = {}) {
  const child = spawn(execPath, ["--expose-gc", here("alone.mjs"), kind, form, JSON.stringify(question)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (data) => (output += data));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(JSON.parse(output.trimEnd().split("\n").at(-1)));
      else reject(new Error(`${kind} ${JSON.stringify(question)} ended with ${code}`));
    });
  });
}

/** The middle of several fresh processes, member by member. */
async function startup() {
  const runs = [];
  for (let run = 0; run < 7; run++) runs.push(await alone("startup"));
  return Object.fromEntries(Object.keys(runs[0]).map((key) => [key, median(runs.map((run) => run[key]))]));
}

async function memory() {
  const rows = [];
  for (const variant of ["simple", "best", "ours"]) rows.push(await alone("memory", { variant }));
  return rows;
}

/** Forms that ask for it, member by member. */
async function growth() {
  const answers = {};
  for (const which of Object.keys(FORMS[form].growth ?? {})) {
    say(`growth: ${which}`);
    answers[which] = await alone("growth", { which });
  }
  return answers;
}

async function inNode() {
  if (!options["own-process"]) {
    const rows = await measureTogether(form, { only, say });
    if (only) return { rows, startup: await startup() };
    return { rows, startup: await startup(), memory: await memory(), growth: await growth() };
  }
  const rows = [];
  for (const question of lonely(form, only)) {
    rows.push(...(await alone("measure", question)));
    say(`${question.workload}, ${question.mode}, ${question.variant} alone: done`);
  }
  return { rows };
}

async function inChromium() {
  const browser = await launch({ args: ["--js-flags=--expose-gc"] });
  const server = await serveFolder(root, { pages: { "/bench.html": "<!doctype html><title>bench</title>" } });
  // A context is a renderer process of its own.
  const ask = async (method, ...given) => {
    const page = await browser.newPage();
    page.on("console", (message) => say(message.text()));
    await page.goto(`${server.url}bench.html`);
    const answer = await page.evaluate(
      async ([method, given]) => {
        const suite = await import("/benches/suite.mjs");
        const [form, question] = given;
        const talk = method === "measureTogether" ? { say: (line) => console.log(line) } : {};
        return await suite[method](form, { ...question, ...talk });
      },
      [method, given],
    );
    await page.close();
    return answer;
  };
  try {
    const rows = [];
    if (!options["own-process"]) rows.push(...(await ask("measureTogether", form, { only })));
    else {
      for (const question of lonely(form, only)) {
        rows.push(...(await ask("measureAlone", form, question)));
        say(`${question.workload}, ${question.mode}, ${question.variant} alone: done`);
      }
    }
    return { rows, version: browser.version() };
  } finally {
    await browser.close();
    await server.close();
  }
}

function revision() {
  const git = (...words) => execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim();
  try {
    return `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain", "src", "pkg/src") ? " and changes" : ""}`;
  } catch {
    return "unknown";
  }
}

/** What every table needs to be worth anything. */
function circumstances(engine) {
  const { version } = JSON.parse(readFileSync(new URL("../pkg/package.json", import.meta.url)));
  return {
    engine,
    date: new Date().toISOString().slice(0, 10),
    version: `${version} (${revision()})`,
    machine: `${cpus().length} shared cores, ${platform()} ${process.arch}`,
    form,
    size: FORMS[form].size,
    runs: FORMS[form].runs,
  };
}

const both = !options.node && !options.chromium;
const results = {};
const suffix = options["own-process"] ? ", a process per variant" : "";
if (options.node || both) {
  say(`-- Node ${versions.node}${suffix}, ${form}`);
  results[`Node${suffix}`] = { ...circumstances(`Node ${versions.node}`), ...(await inNode()) };
}
if (options.chromium || both) {
  say(`-- Chromium${suffix}, ${form}`);
  const { rows, version } = await inChromium();
  results[`Chromium${suffix}`] = { ...circumstances(`Chromium ${version}`), rows };
}
for (const [name, result] of Object.entries(results)) say(`\n${table(name, result)}`);

if (options.write) {
  const file = here("results.json");
  let kept = {};
  try {
    kept = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  const all = { ...kept, ...results };
  // A row a line: a new measurement shows as changed lines, not as one.
  const text = Object.entries(all).map(([name, { rows, ...rest }]) => {
    const short = (list) => list.map((time) => Number(time.toPrecision(4)));
    const lines = rows.map((row) => JSON.stringify({ ...row, times: short(row.times), cpu: short(row.cpu) }));
    return `${JSON.stringify(name)}: {"rows": [\n${lines.join(",\n")}\n], ${JSON.stringify(rest).slice(1)}`;
  });
  writeFileSync(file, `{${text.join(",\n")}}\n`);
  writeFileSync(here("RESULTS.md"), markdown(all));
  writeFileSync(here("results.svg"), plot(all));
  say("-- wrote benches/RESULTS.md, results.svg, results.json");
}
