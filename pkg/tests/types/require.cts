// What a CommonJS module sees: the .d.cts twins.
import root = require("agent-ui-events");

const version: string = root.version();
// @ts-expect-error nothing untyped is exported
root.doesNotExist;

export = version;
