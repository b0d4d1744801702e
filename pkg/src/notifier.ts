// Tells subscribers at most once per frame, and survives those that throw.

import { report } from "./errors.js";

// A hidden page draws no frames; state must not stand still there.
const LONGEST_WAIT_MS = 100;

type Cancel = () => void;

function nextFrame(work: () => void): Cancel {
  let frame: number | undefined;
  const timer = setTimeout(run, typeof requestAnimationFrame === "function" ? LONGEST_WAIT_MS : 0);
  if (typeof requestAnimationFrame === "function") frame = requestAnimationFrame(run);
  function cancel() {
    clearTimeout(timer);
    if (frame !== undefined) cancelAnimationFrame(frame);
  }
  function run() {
    cancel();
    work();
  }
  return cancel;
}

export class Notifier {
  #listeners = new Set<{ notify: () => void }>();
  #cancel: Cancel | undefined;

  /** The same function may subscribe twice; each subscription ends by its own return value. */
  add(notify: () => void): () => void {
    const listener = { notify };
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.stop();
    };
  }

  /** Something changed. */
  schedule(): void {
    if (this.#listeners.size > 0) this.#cancel ??= nextFrame(() => this.#notify());
  }

  /** Nobody is told any more about what changed until now. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #notify(): void {
    this.#cancel = undefined;
    for (const listener of [...this.#listeners]) {
      if (!this.#listeners.has(listener)) continue;
      try {
        listener.notify();
      } catch (error) {
        this.#listeners.delete(listener);
        report(error);
      }
    }
  }
}
