import type { ProgressListener } from '../../stack/running/readiness.js';
import { textOf } from '../../wire/json/json.js';
import type { Output } from './output.js';
import { safe, safeJson } from './text.js';

type View = Parameters<ProgressListener>[0];

/** The form of progress on stderr: animated at a terminal, a line for each step, NDJSON, or none. */
export type ProgressKind = 'auto' | 'plain' | 'json' | 'none';

export interface Progress {
  readonly listener: ProgressListener;
  /** Erases the drawn progress. Must be called. */
  end(): Promise<void>;
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 80;

/** Does work with its progress shown, and resolves or rejects as the work does once the display has ended. */
export async function withProgress<T>(
  output: Output,
  kind: ProgressKind,
  work: (onProgress: ProgressListener) => Promise<T>,
): Promise<T> {
  const progress = showProgress(output, kind);
  try {
    return await work(progress.listener);
  } finally {
    await progress.end();
  }
}

/** Shows the progress of each service until it is healthy. */
export function showProgress(output: Output, kind: ProgressKind): Progress {
  const isSilent = kind === 'none' || (kind === 'auto' && (output.isJson || output.isQuiet));
  if (isSilent) return { listener: () => undefined, end: () => Promise.resolve() };
  return kind === 'auto' && output.isAnimated ? drawProgress(output) : writeProgress(output, kind === 'json');
}

function drawProgress(output: Output): Progress {
  const rows = new Map<string, { readonly view: View; readonly sinceMs: number }>();
  const begunMs = performance.now();
  let frame = 0;
  let drawing = Promise.resolve();
  const draw = () => {
    const lines = [...rows.values()].map(({ view, sinceMs }) => rowText(output, view, sinceMs, frames[frame] ?? ''));
    drawing = drawing.then(() => output.draw(lines));
    frame = (frame + 1) % frames.length;
  };
  const timer = setInterval(draw, frameMs);
  return {
    listener: (view) => {
      if (view.type === 'task' && view.state === 'pending') return;
      const before = rows.get(view.name);
      const isRunning = view.state === 'starting' || view.state === 'pending';
      rows.set(view.name, { view, sinceMs: isRunning ? (before?.sinceMs ?? begunMs) : performance.now() });
    },
    end: async () => {
      clearInterval(timer);
      await drawing;
      await output.draw([]);
    },
  };
}

function rowText(output: Output, view: View, sinceMs: number, frame: string): string {
  const { paint } = output.err;
  const name = view.name.padEnd(10);
  if (view.state === 'healthy' || view.state === 'completed') {
    return `${paint('green', '✓')} ${name} ${secondsText(view.readyAfterMs ?? 0)}`;
  }
  if (view.state === 'failed' || view.state === 'unhealthy') return `${paint('red', '✗')} ${name} ${view.state}`;
  const activity = safe(view.progress ?? view.state);
  return `${paint('cyan', frame)} ${name} ${secondsText(performance.now() - sinceMs)}   ${paint('dim', activity)}`;
}

function writeProgress(output: Output, isJson: boolean): Progress {
  let writing = Promise.resolve();
  const printed = new Map<string, string>();
  return {
    listener: (view) => {
      const { name, state, message, progress = null } = view;
      const now = `${state} ${progress ?? ''}`;
      if (printed.get(name) === now) return;
      printed.set(name, now);
      const isPrinted = progress !== null || (state !== 'pending' && state !== 'starting');
      const reason = state === 'failed' && message !== null ? `: ${safe(message)}` : '';
      const spent = view.readyAfterMs === null ? '' : ` after ${secondsText(view.readyAfterMs)}`;
      const what = progress === null ? `is ${state}${spent}${reason}` : `has ${safe(progress)}`;
      const line = isJson ? safeJson(textOf({ service: name, state, progress, message })) : `${name} ${what}`;
      if (isJson || isPrinted) writing = writing.then(() => output.err.write(`${line}\n`));
    },
    end: () => writing,
  };
}

/** `0.5s` */
export function secondsText(ms: number): string {
  return `${(ms / 1_000).toFixed(1)}s`;
}
