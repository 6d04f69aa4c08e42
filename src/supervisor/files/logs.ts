import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { isErrno } from './json-file.js';

export interface LogLine {
  readonly service: string;
  /** One NDJSON record, without the line break. */
  readonly line: string;
}

/** The end of a service's log at some moment. The file keeps its inode when it is rotated. */
export interface LogEnd {
  readonly service: string;
  readonly inode: number;
  readonly sizeBytes: number;
}

export interface Logs {
  /** Appends a record to the file of a service. A line that is not a JSON object becomes the `msg` of one. */
  write(service: string, line: string, stream: 'stdout' | 'stderr'): void;
  /** Calls the listener with every further line until the returned function is called. */
  follow(listener: (line: LogLine) => void): () => void;
  /** The current ends of the logs of some services, without those that have no log yet. */
  ends(services: readonly string[]): LogEnd[];
  /** Number of lines since the start that could not be written to the disk. */
  lost(): number;
  close(): void;
}

interface OpenFile {
  descriptor: number;
  sizeBytes: number;
}

/**
 * Creates the NDJSON log files of a stack's services, rotated by size without copying: `<service>.ndjson`, then `.1`
 * (the youngest) to `.<maxFiles>`. Writing is synchronous, so that no line of a crash is lost; a full disk loses lines,
 * never a service.
 */
export function createLogs(options: {
  readonly directory: string;
  readonly maxBytes: number;
  readonly maxFiles: number;
  readonly now: () => string;
}): Logs {
  const { directory, maxBytes, maxFiles, now } = options;
  const files = new Map<string, OpenFile>();
  const listeners = new Set<(line: LogLine) => void>();
  let lost = 0;
  mkdirSync(directory, { recursive: true, mode: 0o700 });

  const append = (service: string, line: string): void => {
    const bytes = Buffer.from(`${line}\n`);
    try {
      const path = logFile(directory, service);
      let file = files.get(service) ?? openForAppend(path);
      files.set(service, file);
      if (file.sizeBytes > 0 && file.sizeBytes + bytes.length > maxBytes) {
        closeSync(file.descriptor);
        files.delete(service);
        rotate(path, maxFiles);
        file = openForAppend(path);
        files.set(service, file);
      }
      const written = writeSync(file.descriptor, bytes);
      if (written === bytes.length) file.sizeBytes += written;
      else {
        // The next record would continue the part that a full disk has taken.
        ftruncateSync(file.descriptor, file.sizeBytes);
        lost += 1;
      }
    } catch {
      // The error cannot be logged; the count is in the supervisor's status.
      lost += 1;
    }
  };

  return {
    write: (service, line, stream) => {
      const record = isRecord(line) ? line : wrap(line, stream, now());
      append(service, record);
      for (const listener of listeners) listener({ service, line: record });
    },
    follow: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    ends: (services) =>
      services.flatMap((service) => {
        const file = statSync(logFile(directory, service), { throwIfNoEntry: false });
        return file === undefined ? [] : [{ service, inode: file.ino, sizeBytes: file.size }];
      }),
    lost: () => lost,
    close: () => {
      for (const file of files.values()) closeSync(file.descriptor);
      files.clear();
    },
  };
}

export function logFile(directory: string, service: string): string {
  return join(directory, `${service}.ndjson`);
}

/** Selects records. Reading stops at the first one before `since`, an ISO time. */
export interface LogFilter {
  readonly isWanted: (line: string) => boolean;
  readonly since?: string | undefined;
}

const everything: LogFilter = { isWanted: () => true };

/**
 * The last `count` wanted records of a service over all of its files, oldest first; empty if there are none. With `end`
 * only records before that end of its log are read.
 */
export function readTail(
  directory: string,
  service: string,
  count: number,
  filter = everything,
  end?: LogEnd,
): string[] {
  const lines: string[] = [];
  if (count === 0) return lines;
  for (const line of newestFirst(logFile(directory, service), end)) {
    if (filter.since !== undefined && timeOf(line, filter.since) < filter.since) break;
    if (filter.isWanted(line) && lines.push(line) === count) break;
  }
  return lines.reverse();
}

/** The last `count` records of each service, in order of time; one without a time keeps its place. */
export function readTails(
  directory: string,
  services: readonly (string | LogEnd)[],
  count: number,
  filter = everything,
): LogLine[] {
  const timed = services.flatMap((log) => {
    const [service, end] = typeof log === 'string' ? [log] : [log.service, log];
    let time = '';
    return readTail(directory, service, count, filter, end).map((line) => {
      time = timeOf(line, time);
      return { service, line, time };
    });
  });
  timed.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  return timed.map(({ service, line }) => ({ service, line }));
}

function timeOf(line: string, otherwise: string): string {
  return /"time":"([^"]*)"/.exec(line)?.[1] ?? otherwise;
}

const maxFiles = 100;
const blockBytes = 65_536;
const lineBreak = 10;

function* newestFirst(path: string, end: LogEnd | undefined): Generator<string> {
  // All files are opened before the first is read, since a rotation renames them.
  const descriptors = openAll(path);
  try {
    let isBefore = end === undefined;
    for (const descriptor of descriptors) {
      const { ino, size } = fstatSync(descriptor);
      const isLast = ino === end?.inode;
      isBefore ||= isLast;
      if (isBefore) yield* backwards(descriptor, isLast ? end.sizeBytes : size);
    }
  } finally {
    descriptors.forEach(closeSync);
  }
}

/** Opens the files of a log, newest first. During a rotation the newest is missing. */
function openAll(path: string): number[] {
  const descriptors: number[] = [];
  for (let number = 0; number <= maxFiles; number += 1) {
    const descriptor = openIfThere(number === 0 ? path : `${path}.${number}`);
    if (descriptor !== undefined) descriptors.push(descriptor);
    else if (number > 0) break;
  }
  return descriptors;
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function* backwards(descriptor: number, sizeBytes: number): Generator<string> {
  // The rest of a line that begins in the block before.
  let begun = Buffer.alloc(0);
  for (let position = sizeBytes; position > 0;) {
    const length = Math.min(blockBytes, position);
    position -= length;
    const block = Buffer.alloc(length);
    readSync(descriptor, block, 0, length, position);
    const bytes = Buffer.concat([block, begun]);
    const whole = position === 0 ? 0 : bytes.indexOf(lineBreak) + 1;
    const isWhole = position === 0 || whole > 0;
    const lines = isWhole ? bytes.subarray(whole).toString('utf8').split('\n').reverse() : [];
    begun = isWhole ? bytes.subarray(0, whole) : bytes;
    yield* lines.filter((line) => line !== '');
  }
}

function openForAppend(path: string): OpenFile {
  const descriptor = openSync(path, 'a', 0o600);
  return { descriptor, sizeBytes: fstatSync(descriptor).size };
}

function rotate(path: string, maxFiles: number): void {
  for (let i = maxFiles - 1; i >= 0; i--) {
    const from = i === 0 ? path : `${path}.${i}`;
    if (existsSync(from)) renameSync(from, `${path}.${i + 1}`);
  }
}

function isRecord(line: string): boolean {
  return line.startsWith('{') && line.endsWith('}');
}

function wrap(line: string, stream: 'stdout' | 'stderr', time: string): string {
  return JSON.stringify({ level: stream === 'stderr' ? 'error' : 'info', time, msg: line });
}
