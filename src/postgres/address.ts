/** The place of a PostgreSQL database, and the credentials for it. */
export interface PostgresAddress {
  /** A host name or address, or the directory of the server's socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Whether the connection is encrypted, and whether the server must prove its name. */
  readonly tls: 'none' | 'encrypted' | 'verified';
}

const modes = { disable: 'none', require: 'encrypted', 'verify-full': 'verified' } as const;
const example = 'postgres://user:password@host:5432/database, with special characters as codes (# is %23, % is %25)';
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/**
 * Reads an address from its text. The text is a secret, so no part of it is in an error.
 *
 * @throws Error with what was expected
 */
export function parsePostgresAddress(text: string): PostgresAddress {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    throw new Error(`the file must hold one address such as ${example}`);
  }
  const database = decoded(url.pathname.slice(1));
  if (url.username === '' || database === '' || database.includes('/')) {
    throw new Error(`the address must name a user and a database, such as ${example}`);
  }
  const stranger = [...url.searchParams.keys()].find((name) => name !== 'sslmode' && name !== 'host');
  if (stranger !== undefined) throw new Error('of parameters the address may have sslmode and host');
  const mode = url.searchParams.get('sslmode');
  const host = url.searchParams.get('host') ?? decoded(url.hostname.replace(/^\[(.*)\]$/, '$1'));
  const isNear = loopback.test(host) || host.startsWith('/');
  const tls =
    mode === null ? (isNear ? 'none' : 'verified') : Object.entries(modes).find(([name]) => name === mode)?.[1];
  if (tls === undefined) throw new Error(`sslmode must be one of ${Object.keys(modes).join(', ')}`);
  return {
    host: host === '' ? 'localhost' : host,
    port: url.port === '' ? 5_432 : Number(url.port),
    user: decoded(url.username),
    password: decoded(url.password),
    database,
    tls,
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error(`the file must hold one address such as ${example}`);
  }
}

/** The server of an address in a sentence, without its credentials. */
export function serverOf({ host, port }: PostgresAddress): string {
  return host.startsWith('/') ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
