import { type PostgresAddress, serverOf } from './address.js';

/**
 * The reason why a database cannot be used now: nothing answers, it refuses the user, it is not suitable, it holds
 * something else, or another process uses it.
 */
export type PostgresReason = 'unreachable' | 'refused' | 'unsuitable' | 'foreign' | 'in_use';

/** A database that cannot be used; the message is a sentence without its end, and without any secret. */
export class PostgresProblem extends Error {
  constructor(
    readonly reason: PostgresReason,
    message: string,
    /** The next step for the user. */
    readonly remedy: string,
  ) {
    super(message);
    this.name = 'PostgresProblem';
  }
}

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ENOENT',
  'EACCES',
]);

/** Whether an error of the driver says that the connection is lost, or that the server is not there now. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  // 57P01 to 57P03: the server shuts down, has crashed, or starts; 08…: connection exceptions; 53300: no place is free.
  if (code !== undefined) return networkCodes.has(code) || /^(?:57P0[1-5]|08\w{3}|53300)$/.test(code);
  return /Connection terminated|timeout expired|Client has encountered a connection error|not queryable/.test(
    error.message,
  );
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Quotes a name for SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Converts the error of an attempt to connect. */
export function connectProblem(error: unknown, address: PostgresAddress): PostgresProblem {
  const code = codeOf(error) ?? '';
  const server = serverOf(address);
  if (code === '28000' && /no encryption/.test(String(error))) {
    return new PostgresProblem(
      'unsuitable',
      `the server at ${server} requires an encrypted connection`,
      'End the address with ?sslmode=verify-full, or with ?sslmode=require for a server without a known certificate.',
    );
  }
  if (code === '28P01' || code === '28000') {
    return new PostgresProblem(
      'refused',
      `the server at ${server} refuses the user ${address.user}: wrong password, or no right to connect`,
      'Put the right user and password into the file, or let the user connect (pg_hba.conf).',
    );
  }
  if (code === '42501') {
    const [database, user] = [address.database, address.user].map(quoteName);
    return new PostgresProblem(
      'refused',
      `the user ${address.user} may not connect to the database ${address.database} at ${server}`,
      `Let an administrator say: grant connect on database ${database} to ${user};`,
    );
  }
  if (code === '53300') {
    return new PostgresProblem(
      'unreachable',
      `the server at ${server} has no connection left for the user ${address.user}`,
      'A node keeps five: end others, or raise max_connections, or the limit of the user or the database.',
    );
  }
  if (code === '3D000') {
    return new PostgresProblem(
      'unsuitable',
      `the server at ${server} has no database ${address.database}`,
      `Create it, with createdb ${address.database}, or name another.`,
    );
  }
  const said = error instanceof Error ? error.message : String(error);
  if (code === '08P01') {
    return new PostgresProblem(
      'unsuitable',
      `the server at ${server} refuses the connection: ${said}`,
      'Name the PostgreSQL server itself: a pooler such as PgBouncer does not keep the sessions that hold the locks.',
    );
  }
  if (code === '57P03') {
    const message = `the server at ${server} is starting or stopping`;
    return new PostgresProblem('unreachable', message, 'Try again when it is up.');
  }
  if (isConnectionLost(error)) {
    const message = `nothing answers at ${server}: ${code === '' ? said : code}`;
    return new PostgresProblem('unreachable', message, 'Start the server, or name its address.');
  }
  if (/SSL|certificate|self.signed/i.test(`${said} ${code}`)) {
    return new PostgresProblem(
      'unsuitable',
      `no encrypted connection to ${server}: ${said}`,
      'Give the server a certificate of its name, or choose an sslmode in the address: disable, require, verify-full.',
    );
  }
  return new PostgresProblem('unsuitable', `no connection to ${server}: ${said}`, 'Name a PostgreSQL server.');
}
