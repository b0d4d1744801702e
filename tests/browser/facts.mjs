// What must be seen of the demo page's samples, by name.

/** Of each sample its dialect, how it says its run ended, and what must stand in its list: selector and words. */
export const FACTS = {
  "claude-hive": {
    dialect: "claude",
    ending: ["Run completed", "the stream says so"],
    shows: [
      [".card.tool.failed .title", "python -m hivewatch.replay"],
      [".card.tool.failed .output", "no readings for hive 7"],
      ["article:has(> .card :text('Explain the gap')) > .nest .nest-name", "Subagent scout, completed"],
      [".nest .card.tool .title", "cat deploy/collector.timer"],
      [".card.plan", "4 of 4"],
      [".diff-line.in", "return 33.0 - (5 - outside) * 0.05"],
    ],
  },
  "claude-lamp": {
    dialect: "claude-transcript",
    ending: ["Run cancelled", "interrupted", "the stream says so"],
    shows: [
      [".nest .card.user", "TaskRead log/night.txt"],
      [".card.banner.passing", "529 Overloaded"],
      [".diff-line.out", "return PERIOD"],
      [".card.agent .tag.bad", "broke off"],
    ],
  },
  broken: {
    dialect: "claude",
    ending: ["Run cut: the stream stops before its end", "concluded, the stream does not say so"],
    shows: [
      [".card.tool.failed .tag", "call not seen"],
      [".card.notice", "502 Bad Gateway"],
    ],
  },
  "evolve-report": {
    dialect: "evolve",
    ending: ["Run completed", "run_complete", "the stream says so"],
    shows: [
      [".card.tool.completed .tag", "came before its call"],
      [".card.tool.failed .output", "EROFS"],
      [".nest .card.tool .title", "Fetch http://localhost:8000/report/"],
      [".card.plan li.pending", "Ask the beekeeper"],
    ],
  },
  "vent-approval": {
    dialect: "vent",
    ending: ["Run completed", "the stream says so"],
    shows: [
      [".card.tool.failed .output", "房间 1 没有窗户"],
      [".card.interrupt.open .options", "AllowDeny"],
      [".card.interrupt.open .question", "报告给谁看"],
      [".card.citations li", "https://example.invalid/norm/3"],
      [".card.artifact", "蜂房通风.docx"],
      [".nest .nest-name", "Subagent 撰写员"],
    ],
  },
  "autohand-permission": {
    dialect: "autohand",
    ending: ["Run completed", "the stream says so"],
    shows: [
      [".card.interrupt.over .status", "allowed (inferred)"],
      [".card.interrupt.open .title", "Apply the changes"],
      [".card.banner.passing .tag", "429"],
      [".diff-line.out", "import old_collector"],
    ],
  },
  "codex-scale": {
    dialect: "codex",
    ending: ["Run completed", "the stream says so"],
    shows: [
      [".card.tool.failed .title", "python -m pytest"],
      [".card.plan", "2 of 3"],
      [".card.tool .locations", "units.py"],
      [".card.banner.passing", "Reconnecting"],
    ],
  },
  "codex-queens": {
    dialect: "codex",
    ending: ["Run completed", "the stream says so"],
    shows: [
      ["article:has(> .card :text('spawn_agent')) > .nest .card.tool.failed .title", "hivewatch photo"],
      [".card.interrupt.over .status", "rejected"],
      [".card.interrupt .title code", "rm label.txt"],
      [".diff-line.out", "see label.txt"],
    ],
  },
  "gemini-fans": {
    dialect: "gemini",
    ending: ["Run completed", "success", "the stream says so"],
    shows: [
      [".card.tool.failed .output", "Could not find an exact match"],
      [".card.notice", "Attempt 1 failed with status 503"],
      [".card.plan", "4 of 4"],
    ],
  },
  "copilot-lamp": {
    dialect: "copilot",
    ending: ["Run completed", "the stream says so"],
    shows: [
      [".card.tool.failed .status", "failed (inferred)"],
      [".nest .nest-name", "Subagent Explorer, completed"],
      [".card.plan li.in_progress", "Give the lamp a gap"],
      [".card.tool .output", "completed with exit code 1"],
    ],
  },
  "opencode-frost": {
    dialect: "opencode",
    ending: ["Run completed", "idle", "concluded, the stream does not say so"],
    shows: [
      [".card.tool.failed .output", "Could not find oldString"],
      [".card.interrupt.over .status", "allowed, once"],
      [".nest .nest-name", "Subagent general, completed"],
      [".nest .card.agent", "Only the pond sensor logs"],
      [".card.plan", "2 of 3"],
    ],
  },
  "goose-shed": {
    dialect: "goose",
    ending: ["Run completed", "the stream says so"],
    shows: [
      [".card.tool.completed .title", "ls shed"],
      [".card.tool.failed .output", "no match for old_str"],
      [".card.plan", "Oil the rake"],
    ],
  },
  "kimi-hedge": {
    dialect: "kimi",
    ending: ["Run cancelled", "the stream says so"],
    shows: [
      [".card.tool.completed .title", "cut"],
      [".nest .nest-name", "Subagent coder, completed"],
      [".card.plan, .card.interrupt", "Which side?"],
    ],
  },
};
