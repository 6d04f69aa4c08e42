import { fstatSync } from 'node:fs';
import type { Log } from '../ports/log.js';
import { textOf } from '../wire/json/json.js';
import { reportsToOutput } from './config.js';
import { releaseWhenIdle } from './idle-memory.js';

/** A started program, as the process needs it. */
export interface Running {
  readonly port?: number;
  readonly url?: string;
  /** A note for the process that waits for the start. */
  readonly note?: string;
  /** Stops everything that was started; must be called once. */
  stop(): Promise<void>;
}

/** The exit code of a program that would fail again with the same files and environment (`EX_CONFIG`). */
export const finalExitCode = 78;

/** Reports from a program to its parent process. */
export interface Keeper {
  /** Reports the progress of a long start, so that it is not taken for a hang. The text continues "the node has". */
  tellProgress(text: string): void;
  /** Ends the process permanently: the parent gets the reason and does not restart it. */
  endPermanently(error: Error): void;
}

export interface ProgramOptions {
  /** Name of the process in its log: `chain`, `store`, `node`, `supervisor`. */
  readonly name: string;
  readonly log: Log;
  /** Starts the program. The signal is aborted if the process is asked to stop before the start has finished. */
  readonly start: (signal: AbortSignal, keeper: Keeper) => Promise<Running>;
  /** False for a program that outlives its parent. By default the end of standard input ends the program. */
  readonly stopsWithInput?: boolean;
  /** Limit for a stop by signal; after that the process exits at once with code 1. */
  readonly maxStopMs?: number;
}

const maxSignalStopMs = 9_000;
const maxInputStopMs = 1_800;

/**
 * Runs the life cycle that all programs share. Ready: one log line, and `{type:'ready',port,url}` to the parent, if it
 * listens. SIGTERM, SIGINT or the end of standard input (whose other end the parent holds): orderly stop and exit 0,
 * within 10 s or, if the parent is gone, 2 s (docs/operations.md §5). Failed start: one log line,
 * `{type:'failed',message}` to the parent, exit 1; the same with exit 78, at any time, if a restart would change
 * nothing. Meanwhile: `{type:'progress',text}`. An uncaught exception ends the process with code 1; the parent restarts
 * it from what is on disk.
 */
export async function runProgram(options: ProgramOptions): Promise<void> {
  const { name, log } = options;
  process.on('uncaughtException', (error) => {
    log.error('Ended because of a defect', { program: name, error });
    process.exit(1);
  });
  const asked = listenForEnd(options);
  const running = await startOrExit(options, asked.signal);
  await tellParent({ type: 'ready', port: running.port, url: running.url, note: running.note });
  log.info('Ready', { program: name, pid: process.pid, port: running.port, url: running.url });
  const endReleasing = releaseWhenIdle();
  const reason = await asked.end;
  endReleasing();
  log.info('Stopping', { program: name, reason });
  await running.stop();
  log.info('Stopped', { program: name });
  process.exit(0);
}

async function startOrExit({ name, log, start }: ProgramOptions, signal: AbortSignal): Promise<Running> {
  try {
    return await start(signal, {
      tellProgress: (text) => void tellParent({ type: 'progress', text }),
      endPermanently: (error) => {
        log.error('Ended permanently', { program: name, error });
        void tellParent({ type: 'failed', message: error.message }).then(() => process.exit(finalExitCode));
      },
    });
  } catch (error) {
    if (signal.aborted) {
      log.info('Stopped before it was ready', { program: name });
      process.exit(0);
    }
    log.error('Failed to start', { program: name, error });
    await tellParent({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
    process.exit(1);
  }
}

interface Asked {
  readonly signal: AbortSignal;
  /** Resolves with the reason when the process is asked to stop. */
  readonly end: Promise<string>;
}

function listenForEnd({ name, log, stopsWithInput = true, maxStopMs = maxSignalStopMs }: ProgramOptions): Asked {
  const controller = new AbortController();
  const end = new Promise<string>((resolve) => {
    const ask = (reason: string, limitMs: number): void => {
      setTimeout(() => {
        log.error('Did not stop in time', { program: name, limitMs });
        process.exit(1);
      }, limitMs).unref();
      controller.abort();
      resolve(reason);
    };
    process.once('SIGTERM', () => ask('SIGTERM', maxStopMs));
    process.once('SIGINT', () => ask('SIGINT', maxStopMs));
    if (stopsWithInput) onInputEnd(() => ask('end of input', maxInputStopMs));
  });
  return { signal: controller.signal, end };
}

/**
 * Calls back when the parent is gone. Only a pipe or socket has the parent at its other end; a terminal, a file or
 * /dev/null is ignored.
 */
export function onInputEnd(ended: () => void): void {
  const input = fstatSync(0);
  if (!input.isFIFO() && !input.isSocket()) return;
  process.stdin.once('end', ended);
  process.stdin.once('error', ended);
  process.stdin.resume();
}

type Report =
  | {
      readonly type: 'ready';
      readonly port: number | undefined;
      readonly url: string | undefined;
      readonly note: string | undefined;
    }
  | { readonly type: 'progress'; readonly text: string }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'result'; readonly value: Readonly<Record<string, unknown>> };

/** The first character of a line with a report, which no line of a log begins with. */
export const reportMark = '\u001e';

/** Resolves when the report is sent, and also if the parent is gone or does not listen. */
export function tellParent(report: Report): Promise<void> {
  return new Promise((resolve) => {
    if (reportsToOutput()) process.stdout.write(`${reportMark}${textOf(report)}\n`, () => resolve());
    else if (process.send === undefined || !process.connected) resolve();
    else process.send(report, undefined, {}, () => resolve());
  });
}
