// A project that has installed the packed tarball, offline, the way a user's project has it from the registry.

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execPath, platform } from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const npm = platform === "win32" ? "npm.cmd" : "npm";
const pkg = fileURLToPath(new URL("../../pkg/", import.meta.url));

/**
 * Packs pkg and installs the tarball into a new folder.
 *
 * @returns {Promise<Consumer>} the project; its `close` deletes it
 */
export async function consumer() {
  // The real path: bundlers compare paths, and a temporary folder may be a link.
  const folder = await realpath(await mkdtemp(join(tmpdir(), "agent-ui-events-consumer-")));
  try {
    const packed = await execute(npm, ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], { cwd: pkg });
    const [described] = [JSON.parse(packed.stdout)].flatMap((list) => (Array.isArray(list) ? list : Object.values(list)));
    await writeFile(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
    const quiet = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
    await execute(npm, ["install", ...quiet, `./${described.filename}`], { cwd: folder });
    return new Consumer(folder, described.files.map((file) => file.path));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

class Consumer {
  constructor(folder, packed) {
    /** Where the project lies. */
    this.folder = folder;
    /** The paths inside the tarball. */
    this.packed = packed;
  }

  /** Writes a file of the project and gives its path. */
  async write(name, text) {
    const path = join(this.folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  }

  /** Runs a file of the project in Node and gives what it printed. */
  async node(name) {
    const { stdout } = await execute(execPath, [name], { cwd: this.folder });
    return stdout.trim();
  }

  close() {
    return rm(this.folder, { recursive: true, force: true });
  }
}
