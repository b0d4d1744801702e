// What an ES module sees, by the package's own name: the exports map and the published declarations.
import * as root from "agent-ui-events";
import * as slim from "agent-ui-events/slim";
import type { Item, SessionUpdate, UiEvent } from "agent-ui-events";

const fromRoot: string = root.version();
const fromSlim: string = slim.version();
const started: Promise<void> = slim.init(new Uint8Array());
// @ts-expect-error nothing untyped is exported
root.doesNotExist;

// A switch over all updates leaves nothing.
function title(update: SessionUpdate): string {
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
    case "agent_thought_chunk":
    case "user_message_chunk":
      return update.content.type === "text" ? update.content.text : update.content.type;
    case "tool_call":
      return update.title;
    case "tool_call_update":
      return update.title ?? update.toolCallId;
    case "plan":
      return update.entries.map((entry) => entry.content).join();
    case "error":
      return update.message;
    case "usage":
      return String(update.usage.promptTokens ?? 0);
    case "message_end":
    case "withdrawn":
    case "agent":
    case "run":
    case "lifecycle":
    case "interrupt":
    case "interrupt_resolved":
    case "notice":
    case "hook":
    case "citations":
    case "artifact":
    case "usage_update":
    case "compaction_update":
    case "available_commands_update":
    case "current_mode_update":
    case "config_option_update":
    case "session_info_update":
    case "shared_state":
    case "harness_event":
    case "unknown":
      return update.sessionUpdate;
    default: {
      const nothing: never = update;
      return nothing;
    }
  }
}

// The same for items.
function label(item: Item): string {
  switch (item.type) {
    case "text":
      return item.text;
    case "tool":
      return `${item.title} ${item.status}`;
    case "plan":
      return item.entries.map((entry) => entry.content).join();
    case "interrupt":
      return item.interrupt.message ?? item.resolved?.outcome ?? "waits";
    case "notice":
      return item.notice.text;
    case "error":
      return item.error.message;
    case "citations":
    case "artifact":
    case "missing":
      return item.type;
    default: {
      const nothing: never = item;
      return nothing;
    }
  }
}

const normalizer = new root.Normalizer({ dialect: "auto", updates: "core", raw: "text", limits: { maxRecordBytes: 1 } });
const events: UiEvent[] = normalizer.push(new Uint8Array());
// @ts-expect-error no such option
new root.Normalizer({ dialekt: "auto" });
// @ts-expect-error no such word
new root.Normalizer({ updates: "some" });
// @ts-expect-error a transcript always takes all updates
new root.Transcript({ updates: "core" });
// @ts-expect-error a chunk is bytes or text
normalizer.push(1);

async function sources(response: Response, file: File): Promise<number> {
  let count = 0;
  for await (const batch of root.read(response, { raw: "none" })) count += batch.length;
  const transcript = new root.Transcript();
  await transcript.read(file);
  const live = root.connect("/events", { into: transcript, headers: { authorization: "Bearer x" }, retry: false });
  const { error, report } = await live.done;
  const stop: () => void = transcript.subscribe(() => {});
  stop();
  for (const batch of [...(response.body ? [response.body.pipeThrough(new root.NormalizerStream())] : [])]) void batch;
  return error ? -1 : count + (report?.events ?? 0) + transcript.getSnapshot().length;
}

export { events, fromRoot, fromSlim, label, sources, started, title };
