import { networkInterfaces } from 'node:os';
import type { StackSettings } from './definition.js';
import { StackError } from './error.js';

const loopback = ['127.0.0.1', '::1', 'localhost'];
/** Wildcard addresses, with the loopback address by which this machine calls each. */
const wildcards: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * Checks that a node listens beyond loopback only with authentication (docs/architecture.md §12.1). `where` names the
 * file or flag with the address, `file` the definition in which `auth` can be enabled.
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
 * Whether a party's explorer shows other parties' nodes: only on loopback and without authentication, where one person
 * controls them all.
 */
export function hasStackView({ bind, auth }: StackSettings): boolean {
  return loopback.includes(bind) && !auth.enabled;
}

/** Whether a person may disturb the network: not where others than this machine's users depend on it. */
export function allowsFaults({ bind }: Pick<StackSettings, 'bind'>): boolean {
  return loopback.includes(bind);
}

/** The host of chain, store and peer listeners: always loopback. */
export function innerHost({ bind }: StackSettings): string {
  return loopback.includes(bind) ? bind : '127.0.0.1';
}

/** The host by which a node is called from this machine. */
export function nodeHost({ bind }: StackSettings): string {
  return wildcards[bind] ?? bind;
}

/** The host names, besides loopback, by which callers may use what listens on loopback. */
export function innerHostsOf({ hosts }: Pick<StackSettings, 'hosts'>): string[] {
  return hosts.map((name) => name.toLowerCase());
}

/**
 * The host names, besides loopback and the address itself, that callers may use. With a wildcard address every numeric
 * address is accepted: a foreign web page cannot have a bare address as its name (docs/architecture.md §12.1).
 */
export function hostsOf({ bind, hosts }: StackSettings): string[] {
  const named = innerHostsOf({ hosts });
  if (wildcards[bind] === undefined) return named;
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const own = all.filter(({ internal, family }) => !internal && (bind === '::' || family === 'IPv4'));
  const addresses = own.map(({ address, family }) =>
    family === 'IPv6' ? `[${address.split('%', 1)[0] ?? ''}]` : address,
  );
  return [...named, ...addresses];
}
