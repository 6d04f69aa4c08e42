import { readdir, readFile, readlink } from 'node:fs/promises';
import { StackError } from '../error.js';

export interface PortOwner {
  readonly pid: number;
  readonly command: string;
}

const maxCommandCharacters = 120;
const listening = '0A';

/** Finds the process that listens on a TCP port, on Linux and for processes that this user may inspect. */
export async function findPortOwner(port: number): Promise<PortOwner | undefined> {
  if (process.platform !== 'linux') return undefined;
  const sockets = await listeningSockets(port);
  if (sockets.size === 0) return undefined;
  for (const entry of await readdir('/proc')) {
    if (/^\d+$/.test(entry) && (await holdsAny(entry, sockets))) {
      return { pid: Number(entry), command: await commandOf(entry) };
    }
  }
  return undefined;
}

/** The remedy for a port that another process has. */
export function portHint(stack: string): string {
  return `Free it, or: stack start ${stack} --reassign-ports`;
}

/** The error for a port that another process has; `named` is the beginning of the sentence. */
export async function portInUse(
  named: string,
  { port, service }: { readonly port: number; readonly service: string },
  hint: string,
): Promise<StackError> {
  const owner = await findPortOwner(port);
  const by = owner === undefined ? 'another process' : `pid ${owner.pid} ${owner.command}`;
  return new StackError('PORT_IN_USE', `${named} is used by ${by}.`, { hint, details: { port, service, ...owner } });
}

async function listeningSockets(port: number): Promise<Set<string>> {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readOrEmpty(path)));
  const rows = tables.flatMap((table) =>
    table
      .split('\n')
      .slice(1)
      .map((row) => row.trim().split(/\s+/)),
  );
  const ours = rows.filter((row) => row[1]?.endsWith(`:${hex}`) === true && row[3] === listening);
  return new Set(ours.map((row) => `socket:[${row[9]}]`));
}

async function holdsAny(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  try {
    const descriptors = await readdir(`/proc/${pid}/fd`);
    const links = await Promise.all(descriptors.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
    return links.some((link) => sockets.has(link));
  } catch {
    // Another user's process, or one that has just ended; it stays unknown.
    return false;
  }
}

async function commandOf(pid: string): Promise<string> {
  const text = (await readOrEmpty(`/proc/${pid}/cmdline`)).replaceAll('\0', ' ').trim();
  return text.length > maxCommandCharacters ? `${text.slice(0, maxCommandCharacters)}…` : text;
}

/** Reads a file of /proc; an unreadable one counts as empty. */
function readOrEmpty(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
