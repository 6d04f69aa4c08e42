import { readdir, readFile, readlink } from 'node:fs/promises';

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
