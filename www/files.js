// Which of several files is the main one of a run, and what a drop carries, folders included.

// Of a dropped folder only what may be a stream is read, and not the whole disk of somebody who slipped.
const STREAM_NAME = /^[^.].*\.(jsonl|ndjson|json|sse|log|txt)$/i;
const MOST_FILES = 100;

const baseName = (name) => name.slice(name.lastIndexOf("/") + 1);
const isMeta = (name) => name.endsWith(".meta.json");
const hangsOnAnother = (name) => isMeta(name) || /^agent-.*\.jsonl$/.test(baseName(name));
const isRollout = (name) => /^rollout-.*\.jsonl$/.test(baseName(name));

const byBaseName = (a, b) => {
  const [one, other] = [baseName(a.name), baseName(b.name)];
  return one < other ? -1 : one > other ? 1 : 0;
};

/**
 * The files of one run, the main one first: no subagent's file and no meta file; of several rollouts the earliest, which
 * their names tell; else the one the user named first. A meta file follows the file it is about, which is how its
 * dialect knows whose it is. `files`: anything with a `name`; names are made different from each other.
 */
export function inReadingOrder(files) {
  if (files.length === 0) return [];
  const mains = files.filter((file) => !hangsOnAnother(file.name));
  const rollouts = mains.filter((file) => isRollout(file.name)).sort(byBaseName);
  const first = mains.find((file) => !isRollout(file.name)) ?? rollouts[0] ?? files.find((file) => !isMeta(file.name));
  const main = first ?? files[0];
  const metas = files.filter((file) => file !== main && isMeta(file.name));
  const rest = files.filter((file) => file !== main && !isMeta(file.name) && !isRollout(file.name));
  const ordered = [main, ...rollouts.filter((file) => file !== main), ...rest].flatMap((file) => {
    const about = file.name.replace(/\.jsonl$/, ".meta.json");
    return [file, ...metas.filter((meta) => meta.name === about)];
  });
  return withOwnNames([...ordered, ...metas.filter((meta) => !ordered.includes(meta))]);
}

function withOwnNames(files) {
  const taken = new Map();
  return files.map((file) => {
    const times = (taken.get(file.name) ?? 0) + 1;
    taken.set(file.name, times);
    return times === 1 ? file : { ...file, name: `${file.name} (${times})` };
  });
}

const opened = (file, name = file.name) => ({ name, body: () => file.stream() });

/** Files of a picker. */
export const pickedFiles = (list) => [...list].map((file) => opened(file));

/**
 * What was dropped, as `[{name, body()}]`; files of a folder are named by their path in it. Call it within the event:
 * the browser takes its list away afterwards.
 */
export async function droppedFiles(transfer) {
  const plain = pickedFiles(transfer.files);
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some((entry) => entry.isDirectory)) return plain;
  const files = [];
  for (const entry of entries) {
    if (entry.isFile) files.push(opened(await fileOf(entry)));
    else await collect(entry, files);
  }
  return files;
}

async function collect(folder, files) {
  const waiting = [folder];
  while (waiting.length > 0) {
    for (const entry of await entriesOf(waiting.shift())) {
      if (entry.isDirectory) waiting.push(entry);
      else if (STREAM_NAME.test(entry.name)) {
        if (files.length === MOST_FILES) throw new Error(`more than ${MOST_FILES} files: drop the files of one run`);
        files.push(opened(await fileOf(entry), entry.fullPath.slice(folder.fullPath.length + 1)));
      }
    }
  }
}

const fileOf = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));

/** A folder's reader gives some entries at a time, and none at the end. */
async function entriesOf(folder) {
  const reader = folder.createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}
