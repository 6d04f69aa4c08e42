import { fstatSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import type { Log } from '../ports/log.js';

/** A started program, as its process needs to know it. */
export interface Running {
  readonly port?: number;
  readonly url?: string;
  /** Ends everything that was started; to be called once. */
  stop(): Promise<void>;
}

/** The exit code of a program that the same files and the same surroundings would always end again (`EX_CONFIG`). */
export const finalExitCode = 78;

/** How a program that is starting, or works, speaks to its keeper. */
export interface Keeper {
  /** Says how far a start is that may take long, in words, so that nobody takes it for one that is stuck. */
  tellProgress(text: string): void;
  /** Ends the process for good: its keeper hears why and does not start it again. */
  endForGood(error: Error): void;
}

export interface ProgramOptions {
  /** What the process is called in its log: `chain`, `store`, `node`, `supervisor`. */
  readonly name: string;
  readonly log: Log;
  /**
   * Starts the program. The signal is aborted when the process is asked to end before that has come about.
   */
  readonly start: (signal: AbortSignal, keeper: Keeper) => Promise<Running>;
  /** False for a program that outlives whoever started it. Default true: the end of standard input ends the program. */
  readonly stopsWithInput?: boolean;
  /** How long a stop by signal may take; after that the process ends at once with code 1. */
  readonly maxStopMs?: number;
}

const maxSignalStopMs = 9_000;
const maxInputStopMs = 1_800;
/** Bytes of bytecode that a function runs before V8 optimises it; left alone, V8 takes a quarter of that. */
const patienceBytes = 250_000;

/**
 * The life of each of our processes. Ready: one log line, and `{type:'ready',port,url}` to a parent that listens.
 * SIGTERM, SIGINT or the end of standard input (the keeper holds its other end and may be killed): stop in good order
 * and exit 0, within 10 s or, when the keeper is gone, 2 s (cli 17.5, assurance section 1). A failure to start: one log
 * line, `{type:'failed',message}` to the parent, exit 1; the same with exit 78 at any time when to start it again would
 * change nothing. On the way there: `{type:'progress',text}`. A defect that nobody caught ends the process with code 1;
 * its keeper starts it again from what is on disk.
 *
 * V8 is told to be patient: a program has many functions that grow warm and few that are hot, and to optimise them
 * early was still a quarter of a node's CPU minutes after its start, more than it saved.
 */
export async function runProgram(options: ProgramOptions): Promise<void> {
  const { name, log } = options;
  setFlagsFromString(`--interrupt-budget=${patienceBytes}`);
  process.on('uncaughtException', (error) => {
    log.error('Ended by a defect', { program: name, error });
    process.exit(1);
  });
  const asked = listenForEnd(options);
  const running = await startOrExit(options, asked.signal);
  await tellParent({ type: 'ready', port: running.port, url: running.url });
  log.info('Ready', { program: name, pid: process.pid, port: running.port, url: running.url });
  const reason = await asked.end;
  log.info('Stopping', { program: name, reason });
  await running.stop();
  log.info('Stopped', { program: name });
  process.exit(0);
}

async function startOrExit({ name, log, start }: ProgramOptions, signal: AbortSignal): Promise<Running> {
  try {
    return await start(signal, {
      tellProgress: (text) => void tellParent({ type: 'progress', text }),
      endForGood: (error) => {
        log.error('Ended for good', { program: name, error });
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
  /** Resolves with the reason when the process is asked to end. */
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

/** Only a pipe has a keeper at its other end; a terminal, a file or /dev/null says nothing. */
function onInputEnd(ended: () => void): void {
  const input = fstatSync(0);
  if (!input.isFIFO() && !input.isSocket()) return;
  process.stdin.once('end', ended);
  process.stdin.once('error', ended);
  process.stdin.resume();
}

type Report =
  | { readonly type: 'ready'; readonly port: number | undefined; readonly url: string | undefined }
  | { readonly type: 'progress'; readonly text: string }
  | { readonly type: 'failed'; readonly message: string };

/** Resolves when the report is sent. A parent that has gone or has stopped listening is no reason to fail. */
function tellParent(report: Report): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve();
    else process.send(report, undefined, {}, () => resolve());
  });
}
