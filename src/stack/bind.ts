import { networkInterfaces } from 'node:os';
import type { StackSettings } from './definition.js';
import { StackError } from './error.js';

const loopback = ['127.0.0.1', '::1', 'localhost'];
/** Every address of the machine, and the loopback one at which the machine itself calls it. */
const wildcards: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * Beyond loopback a node listens only where it asks for credentials (assurance S2). `where` names the file or the flag
 * that has the address, `file` the definition in which `auth` can be switched on.
 *
 * @throws StackError BIND_REFUSED
 */
export function requireBindable({ bind, auth }: StackSettings, where: string, file = where): void {
  if (loopback.includes(bind) || auth.enabled) return;
  throw new StackError('BIND_REFUSED', `${where}: bind is ${bind}, and without auth only loopback is possible.`, {
    hint: `Write auth: {enabled: true} into ${file}, or bind to 127.0.0.1.`,
    details: { bind },
  });
}

/**
 * Whether the explorer of a party shows what other parties have: on loopback, and where no party asks for credentials,
 * one person has them all.
 */
export function hasStackView({ bind, auth }: StackSettings): boolean {
  return loopback.includes(bind) && !auth.enabled;
}

/** Where chain, store and the peers' listeners are: never beyond loopback. */
export function innerHost({ bind }: StackSettings): string {
  return loopback.includes(bind) ? bind : '127.0.0.1';
}

/** The host at which a node is called from this machine. */
export function nodeHost({ bind }: StackSettings): string {
  return wildcards[bind] ?? bind;
}

/**
 * The names, beside loopback and the address itself, by which callers may address a node. On all addresses that is each
 * of them: no foreign web page can take the form of a bare address (assurance S3).
 */
export function hostsOf({ bind }: StackSettings): string[] {
  if (wildcards[bind] === undefined) return [];
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const own = all.filter(({ internal, family }) => !internal && (bind === '::' || family === 'IPv4'));
  return own.map(({ address, family }) => (family === 'IPv6' ? `[${address.split('%', 1)[0] ?? ''}]` : address));
}
