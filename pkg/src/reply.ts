// Answering an interrupt: the value to send back. Nothing is sent here.

import { sharedEngine } from "./engine.js";
import type { Interrupt, UiEvent } from "./generated/events.js";
import { AgentUiEventsError } from "./errors.js";
import type { InterruptItem } from "./items.js";

/** What the user chose. */
export type Answer =
  | {
      /** One of the interrupt's options. */
      optionId: string;
      /** Text of the user, e.g. a reason. */
      message?: string;
      /** Full replacement of the arguments, where the interrupt is `editable`. */
      editedInput?: unknown;
    }
  | {
      /** Texts by question id. */
      answers: Record<string, string[]>;
    }
  | {
      /** No answer: the user turned away. */
      cancel: true;
    };

export interface ReplyOptions {
  /** Dialect of the stream: `report().dialect`. */
  dialect: string;
}

/**
 * The value to send back for an interrupt, as the dialect wants it. A choice that does not fit throws `reply.*`; it
 * never becomes an approval.
 */
export function reply(
  interrupt: UiEvent | InterruptItem | { update: Interrupt; extra?: unknown },
  answer: Answer,
  options: ReplyOptions,
): unknown {
  if (typeof options?.dialect !== "string") {
    throw new AgentUiEventsError("option.value", "reply needs { dialect }: the report's dialect");
  }
  const event =
    "interrupt" in interrupt ? { update: interrupt.interrupt, extra: interrupt.extra } : interrupt;
  const engine = sharedEngine();
  const json = engine.call(() =>
    engine.glue.reply(options.dialect, JSON.stringify(event), JSON.stringify(answer)),
  );
  return JSON.parse(json);
}
