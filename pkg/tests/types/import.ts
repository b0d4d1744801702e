// What an ES module sees, by the package's own name: the exports map and the published declarations.
import * as root from "agent-ui-events";
import * as slim from "agent-ui-events/slim";

const fromRoot: string = root.version();
const fromSlim: string = slim.version();
const started: Promise<void> = slim.init(new Uint8Array());
// @ts-expect-error nothing untyped is exported
root.doesNotExist;

export { fromRoot, fromSlim, started };
