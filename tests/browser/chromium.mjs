// Finds a Chromium on this machine: $CHROMIUM, then the usual names and places. As a program it prints the path.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { argv, env, exit } from "node:process";
import { pathToFileURL } from "node:url";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const FOLDERS = ["/usr/bin", "/usr/local/bin", "/snap/bin"];
const PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a Chromium, or undefined. A $CHROMIUM that does not exist is an error, not a reason to search on. */
export function findChromium() {
  if (env.CHROMIUM) {
    if (isExecutable(env.CHROMIUM)) return env.CHROMIUM;
    throw new Error(`CHROMIUM names ${env.CHROMIUM}, which is not an executable file`);
  }
  const folders = [...FOLDERS, ...(env.PATH ?? "").split(delimiter).filter(Boolean)];
  return [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...PLACES].find(isExecutable);
}

if (argv[1] && import.meta.url === pathToFileURL(argv[1]).href) {
  try {
    const found = findChromium();
    if (found) console.log(found);
    exit(found ? 0 : 1);
  } catch (error) {
    console.error(error.message);
    exit(1);
  }
}
