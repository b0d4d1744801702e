// Sizes of what ships: a table on the terminal, and pkg/size.snap for the history.
//
// usage: node pkg/scripts/size.mjs [--check | --of <file>...]
// Without --check the snapshot is written; with it, a size that left the snapshot by more than TOLERANCE fails. --of only
// shows the sizes of the files it names.

import { readFile, readdir, writeFile } from "node:fs/promises";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const TOLERANCE = 0.05;
// Below this a percentage says nothing.
const FEW_BYTES = 256;
const root = new URL("../../", import.meta.url);
const snapshot = new URL("pkg/size.snap", root);
const columns = ["raw", "gzip", "brotli"];

async function files() {
  if (process.argv[2] === "--of") return process.argv.slice(3);
  const shipped = ["core.wasm", "index.js", "index.cjs", "slim.js"].map((file) => `pkg/dist/${file}`);
  const page = (await readdir(new URL("www/", root)).catch(() => []))
    .filter((file) => /\.(html|css|js)$/.test(file))
    .sort()
    .map((file) => `www/${file}`);
  return [...shipped, ...page];
}

async function measure(file) {
  const bytes = await readFile(new URL(file, root));
  const gzip = gzipSync(bytes, { level: 9 }).length;
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
  return { file, raw: bytes.length, gzip, brotli };
}

const line = ({ file, ...sizes }) => file.padEnd(24) + columns.map((name) => String(sizes[name]).padStart(12)).join("");

function parse(text) {
  const rows = text.split("\n").slice(1).filter(Boolean);
  return new Map(
    rows.map((row) => {
      const [file, raw, gzip, brotli] = row.trim().split(/\s+/);
      return [file, { raw: Number(raw), gzip: Number(gzip), brotli: Number(brotli) }];
    }),
  );
}

function compare(rows, before) {
  const complaints = [];
  for (const row of rows) {
    const old = before.get(row.file);
    if (!old) complaints.push(`${row.file} is not in the snapshot`);
    else
      for (const name of columns) {
        const change = row[name] - old[name];
        if (Math.abs(change) > Math.max(old[name] * TOLERANCE, FEW_BYTES)) {
          complaints.push(`${row.file} ${name}: ${old[name]} -> ${row[name]} (${((100 * change) / old[name]).toFixed(1)} %)`);
        }
      }
  }
  for (const file of before.keys()) {
    if (!rows.some((row) => row.file === file)) complaints.push(`${file} is in the snapshot, but no longer there`);
  }
  return complaints;
}

const rows = [];
for (const file of await files()) rows.push(await measure(file));
const head = line({ file: "file", raw: "raw", gzip: "gzip", brotli: "brotli" });
const table = [head, ...rows.map(line)].join("\n") + "\n";
process.stdout.write(table);
if (process.argv.includes("--check")) {
  const complaints = compare(rows, parse(await readFile(snapshot, "utf8").catch(() => "")));
  for (const complaint of complaints) console.error(complaint);
  if (complaints.length > 0) {
    console.error("sizes left pkg/size.snap: if that is meant, run `cargo xtask size` and commit it");
    process.exitCode = 1;
  }
} else if (process.argv[2] !== "--of") {
  await writeFile(snapshot, table);
}
