// The cases of tests/cases, as every JavaScript test reads them.

import { readFileSync, readdirSync } from "node:fs";

const root = new URL("../../tests/cases/", import.meta.url);
const folders = (url) =>
  readdirSync(url, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();

/** A folder `any` holds what is not one dialect's: there it is detected. */
const options = (dialect) => (dialect === "any" ? {} : { dialect });

function load(dialect, name) {
  const folder = new URL(`${dialect}/${name}/`, root);
  const file = readdirSync(folder).find((entry) => entry.startsWith("input."));
  const expected = readFileSync(new URL("expected.jsonl", folder), "utf8");
  return {
    name: `${dialect}/${name}`,
    options: options(dialect),
    bytes: new Uint8Array(readFileSync(new URL(file, folder))),
    expected: expected.split("\n").filter(Boolean).map((line) => JSON.parse(line)),
  };
}

/** All cases: name, options, bytes of the input, expected events as the files show them. */
export const cases = folders(root).flatMap((dialect) =>
  folders(new URL(`${dialect}/`, root)).map((name) => load(dialect, name)),
);

/** One case by name. */
export const named = (name) => cases.find((each) => each.name === name);

/** An event as a case shows it: without `seq`, with `source` as the line number. */
export function shown({ seq, source, ...event }) {
  return { ...event, source: source.line };
}
