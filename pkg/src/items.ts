// The items of a transcript: what a UI draws, told apart by `type`.

import type {
  AgentStatus,
  Artifact,
  Citations,
  ContentBlock,
  ErrorUpdate,
  Evidence,
  Interrupt,
  InterruptResolved,
  Lifecycle,
  Location,
  Notice,
  OutputStream,
  PlanEntry,
  Role,
  RunOutcome,
  RunPhase,
  RunScope,
  SlashCommand,
  Source,
  ToolContent,
  ToolKind,
  ToolStatus,
} from "./generated/events.js";

/** What all items have. */
export interface ItemBase {
  /** Its place in the list, never changed. */
  readonly item: number;
  /** The transcript's revision when it changed last. */
  readonly revision: number;
  readonly sessionId?: string;
  /** Key of the agent; absent for the main agent. */
  readonly agentId?: string;
  /** The card it stands under, late links included. */
  readonly parentToolCallId?: string;
  readonly messageId?: string;
  readonly model?: string;
  readonly timestamp?: string;
  /** Why the wire took it back: it is no output and not open any more. */
  readonly withdrawn?: string;
  /** A limit cut some of its content off. */
  readonly truncated?: true;
  /** The record that made it; absent where `type` is `missing`. `transcript.sources(item)` gives those after it. */
  readonly source?: Source;
  /** How many records touched it. */
  readonly sourceCount: number;
}

/** Text of the agent, a thought, or text of the user. */
export interface TextItem extends ItemBase {
  readonly type: "text";
  readonly role: Role;
  readonly text: string;
  /** Its blocks that are not text. */
  readonly blocks?: readonly ContentBlock[];
  /** The wire closed it: stop the caret. */
  readonly ended?: true;
  readonly aborted?: true;
  readonly stopReason?: string;
}

/** A tool call, its progress and its result. */
export interface ToolItem extends ItemBase {
  readonly type: "tool";
  readonly toolCallId: string;
  readonly wireToolCallId?: string;
  readonly title: string;
  readonly toolName?: string;
  readonly kind: ToolKind;
  readonly status: ToolStatus;
  /** The status is concluded, not stated by the wire. */
  readonly statusInferred?: true;
  /** The card came before its call, or the call never came. */
  readonly inferred?: true;
  readonly rawInput?: unknown;
  /** In place of `rawInput` above 16 KiB; `transcript.rawInput(item)` gives it. */
  readonly rawInputBytes?: number;
  /** Argument text as it streamed in. */
  readonly inputText?: string;
  readonly rawOutput?: unknown;
  /** In place of `rawOutput` above 1 KiB; `transcript.rawOutput(item)` gives it. Mostly it repeats what `content` shows. */
  readonly rawOutputBytes?: number;
  /** What it printed while it ran. */
  readonly outputText?: string;
  /** Which stream each stretch of `outputText` came from, and where it ends; absent when the wire named none. */
  readonly outputStreams?: readonly { readonly stream?: OutputStream; readonly end: number }[];
  /** Input side: diffs, prompts. */
  readonly inputContent?: readonly ToolContent[];
  /** Result side. */
  readonly content?: readonly ToolContent[];
  readonly locations?: readonly Location[];
}

export interface PlanItem extends ItemBase {
  readonly type: "plan";
  readonly entries: readonly PlanEntry[];
}

/** An approval, a question or a notice to the user. It waits while `resolved` is absent. */
export interface InterruptItem extends ItemBase {
  readonly type: "interrupt";
  readonly interrupt: Interrupt;
  readonly resolved?: InterruptResolved;
  /** The wire's other words about it. */
  readonly extra?: Record<string, unknown>;
}

export interface NoticeItem extends ItemBase {
  readonly type: "notice";
  readonly notice: Notice;
}

export interface ErrorItem extends ItemBase {
  readonly type: "error";
  readonly error: ErrorUpdate;
}

export interface CitationsItem extends ItemBase {
  readonly type: "citations";
  readonly citations: Citations;
}

/** A download. Its URL is untrusted. */
export interface ArtifactItem extends ItemBase {
  readonly type: "artifact";
  readonly artifact: Artifact;
}

/** A number that stands empty: nothing came for it, yet a higher one did. */
export interface MissingItem extends ItemBase {
  readonly type: "missing";
}

export type Item =
  | TextItem
  | ToolItem
  | PlanItem
  | InterruptItem
  | NoticeItem
  | ErrorItem
  | CitationsItem
  | ArtifactItem
  | MissingItem;

/** The newest start or end of a run, turn, step or agent. */
export interface RunState {
  readonly scope: RunScope;
  readonly phase: RunPhase;
  readonly outcome?: RunOutcome;
  readonly reason?: string;
  readonly durationMs?: number;
  readonly evidence?: Evidence;
}

/** A subagent or thread. The main agent is not listed. */
export interface AgentInfo {
  readonly agentId: string;
  readonly name?: string;
  readonly sessionId?: string;
  readonly parentToolCallId?: string;
  readonly status: AgentStatus;
  readonly run?: RunState;
}

/** What stands beside the list. What nobody told is absent. */
export interface Session {
  /** Of the main agent. */
  readonly runs: { readonly [scope in RunScope]?: RunState };
  /** The model's context window. */
  readonly context?: {
    readonly used?: number;
    readonly size?: number;
    /** 1 is full. */
    readonly usedRatio?: number;
    readonly cost?: unknown;
  };
  readonly mode?: string;
  readonly info?: {
    readonly title?: string;
    readonly updatedAt?: string;
    readonly cwd?: string;
    readonly meta?: unknown;
  };
  readonly commands?: readonly SlashCommand[];
  readonly config?: unknown;
  /** The newest compaction of the context. */
  readonly compaction?: {
    readonly compactionId?: string;
    readonly status: string;
    readonly summary?: string;
    readonly error?: string;
  };
  readonly lifecycle?: Lifecycle;
  /** Shared state: the last whole one, and the JSON patches since; nobody applied them. */
  readonly state?: { readonly snapshot?: unknown; readonly patches?: readonly unknown[] };
}
