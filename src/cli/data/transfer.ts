import { textOf } from '../../wire/json/json.js';
import type { Output } from '../terminal/output.js';
import type { ProgressKind } from '../terminal/progress.js';
import { safe, safeJson, sizeOf, spanOf } from '../terminal/text.js';
import { cut, widthOf } from '../terminal/width.js';

/** The display of one file's progress on stderr. */
export interface Transfer {
  advance(bytes: number): void;
  /** Ends and erases the display. Must be called. */
  end(): Promise<void>;
}

export interface TransferOptions {
  readonly output: Output;
  readonly kind: ProgressKind;
  /** The activity, such as `Uploading`. */
  readonly verb: string;
  readonly name: string;
  /** Undefined if unknown, as for a pipe. */
  readonly totalBytes: number | undefined;
  /** Milliseconds from an arbitrary origin. */
  readonly nowMs?: () => number;
}

const frameMs = 100;
/** Shorter transfers show no progress. */
const quietMs = 500;
/** The interval of lines, without a terminal. */
const lineMs = 10_000;

/** Shows progress: a moving bar on a terminal, elsewhere a line at intervals for long transfers. */
export function showTransfer(options: TransferOptions): Transfer {
  const { output, kind, nowMs = () => performance.now() } = options;
  const isSilent = kind === 'none' || (kind === 'auto' && (output.isJson || output.isQuiet));
  if (isSilent) return { advance: () => undefined, end: () => Promise.resolve() };
  const begunMs = nowMs();
  const isDrawn = kind === 'auto' && output.isAnimated;
  let sentBytes = 0;
  let isShown = false;
  let writing = Promise.resolve();
  const show = () => {
    const spentMs = nowMs() - begunMs;
    if (spentMs < quietMs) return;
    isShown = true;
    const state = { ...options, sentBytes, spentMs };
    writing = writing.then(() =>
      isDrawn
        ? output.draw([barText(state, output)])
        : output.err.write(`${kind === 'json' ? recordText(state) : lineText(state)}\n`),
    );
  };
  const timer = setInterval(show, isDrawn ? frameMs : lineMs);
  const first = isDrawn ? undefined : setTimeout(show, quietMs + frameMs);
  return {
    advance: (bytes) => {
      sentBytes += bytes;
    },
    end: async () => {
      clearInterval(timer);
      clearTimeout(first);
      await writing;
      if (isShown && isDrawn) await output.draw([]);
    },
  };
}

interface State {
  readonly verb: string;
  readonly name: string;
  readonly totalBytes: number | undefined;
  readonly sentBytes: number;
  readonly spentMs: number;
}

const barCells = 20;
/** Minimum widths of the name and the bar. */
const minNameCells = 12;
const minBarCells = 5;
const gap = '  ';

/** Name, bar, amount and rate in one line. On a narrow terminal the name is shortened first, then the bar. */
function barText(state: State, { err }: Output): string {
  const { name, totalBytes, sentBytes } = state;
  const figures = [amountText(state), rateText(state)].join(gap);
  const room = err.width - widthOf(figures) - gap.length;
  if (totalBytes === undefined || totalBytes === 0) {
    return cut([cut(safe(name), Math.max(minNameCells, room)), figures].join(gap), err.width);
  }
  const shown = cut(safe(name), Math.max(minNameCells, room - barCells - gap.length));
  const cells = Math.min(barCells, room - widthOf(shown) - gap.length);
  if (cells < minBarCells) return cut([shown, figures].join(gap), err.width);
  const full = Math.min(cells, Math.floor((sentBytes / totalBytes) * cells));
  const bar = err.paint('cyan', '█'.repeat(full)) + err.paint('dim', '░'.repeat(cells - full));
  return [shown, bar, figures].join(gap);
}

function lineText(state: State): string {
  return `${state.verb} ${safe(state.name)}: ${amountText(state)}, ${rateText(state)}`;
}

function recordText({ verb, name, sentBytes, totalBytes, spentMs }: State): string {
  const durationMs = Math.round(spentMs);
  return safeJson(textOf({ transfer: verb.toLowerCase(), name, sentBytes, totalBytes, durationMs }));
}

/** `2.1 GB of 5.0 GB, 42 %` */
function amountText({ sentBytes, totalBytes }: State): string {
  if (totalBytes === undefined) return sizeOf(sentBytes);
  const percent = totalBytes === 0 ? 100 : Math.min(100, Math.floor((sentBytes / totalBytes) * 100));
  return `${sizeOf(sentBytes)} of ${sizeOf(totalBytes)}, ${percent} %`;
}

/** `312 MB/s, 9 s left` */
function rateText({ sentBytes, totalBytes, spentMs }: State): string {
  const bytesPerMs = sentBytes / Math.max(1, spentMs);
  const rate = `${sizeOf(bytesPerMs * 1_000)}/s`;
  if (totalBytes === undefined || bytesPerMs === 0) return rate;
  const leftMs = Math.max(0, totalBytes - sentBytes) / bytesPerMs;
  return `${rate}, ${spanOf(Math.ceil(leftMs / 1_000) * 1_000)} left`;
}
