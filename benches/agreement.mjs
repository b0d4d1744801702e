// Before anything is timed: do all variants say the same, in full?

/** Reads a workload with a variant and gives everything it said, in the common shape. */
export function everything(variant, workload, chunks) {
  const reader = new variant.Reader(workload);
  const said = [];
  const take = (events) => {
    for (const event of events) {
      const common = variant.common ? variant.common(event) : event;
      if (common !== undefined) said.push(common);
    }
  };
  for (const chunk of chunks) {
    const events = reader.push(chunk);
    if (variant.mode === "events") take(events);
    // As in the timed run: windows read on the way must not change what the end looks like.
    else reader.window(50);
  }
  const events = reader.end();
  take(variant.mode === "events" ? events : reader.items());
  reader.close?.();
  return said;
}

/** Where two values differ first, as a path with both sides; nothing when they are equal. Absent is `undefined`. */
export function difference(left, right, path = "") {
  if (Object.is(left, right)) return undefined;
  const both = typeof left === "object" && typeof right === "object" && left !== null && right !== null;
  if (!both || Array.isArray(left) !== Array.isArray(right)) return `${path}: ${shown(left)} against ${shown(right)}`;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  for (const key of keys) {
    const found = difference(left[key], right[key], `${path}/${key}`);
    if (found) return found;
  }
  return undefined;
}

function shown(value) {
  const json = JSON.stringify(value) ?? "nothing";
  return json.length > 200 ? `${json.slice(0, 200)}… (${json.length})` : json;
}

/** Throws with the first difference between the variants. Gives the number of things they all said. */
export function demandAgreement(variants, workload, chunks, chunkName) {
  const [first, ...others] = variants;
  const expected = everything(first, workload, chunks);
  if (expected.length === 0) throw new Error(`${workload.name}: ${first.name} says nothing at all`);
  for (const variant of others) {
    const said = everything(variant, workload, chunks);
    const found = difference(said, expected);
    if (found) {
      const where = `${workload.name}, chunks ${chunkName}, ${first.mode}`;
      throw new Error(`${where}: ${variant.name} against ${first.name} differs at ${found}`);
    }
  }
  return expected.length;
}
