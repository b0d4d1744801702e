// The package under test: pkg/dist, or the one whose folder TESTED_PACKAGE names (`cargo xtask test without-simd`).

import { pathToFileURL } from "node:url";

const folder = process.env.TESTED_PACKAGE;
const dist = folder ? pathToFileURL(`${folder}/`) : new URL("../dist/", import.meta.url);

export const { Normalizer, Transcript, checkNormalForm, read } = await import(new URL("index.js", dist));
