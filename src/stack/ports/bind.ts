import { networkInterfaces } from 'node:os';
import type { StackSettings } from '../definition/definition.js';
import { StackError } from '../error.js';

const everyAddress = '0.0.0.0';
const loopback = ['127.0.0.1', '::1', 'localhost'];
/** Wildcard addresses, with the loopback address by which this machine calls each. */
const wildcards: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** How an address was given: with a flag, or at a place in a definition. */
export type BindOrigin = { readonly flag: '--host' | '--advertise' } | { readonly file: string; readonly at: string };

/**
 * Checks that a node listens beyond loopback only with authentication, and with keys that are not published
 * (docs/architecture.md §12.1).
 *
 * @throws StackError BIND_REFUSED
 */
export function requireBindable({ name, bind, auth, keys }: StackSettings, origin: BindOrigin): void {
  if (loopback.includes(bind)) return;
  const given = 'flag' in origin ? `${origin.flag} ${bind}` : `${origin.at}: bind is ${bind}`;
  const otherwise = 'flag' in origin ? `leave out ${origin.flag}` : 'bind to 127.0.0.1';
  if (!auth.enabled) {
    const enable =
      'flag' in origin
        ? `Enable it: stack config set auth.enabled=true -s ${name}`
        : `Write auth: {enabled: true} into ${origin.file}`;
    throw new StackError('BIND_REFUSED', `${given}, but listening beyond loopback requires auth.`, {
      hint: `${enable}, or ${otherwise}.`,
      details: { bind, reason: 'auth' },
    });
  }
  if (keys.source === 'test') {
    throw new StackError('BIND_REFUSED', `${given}, but the keys of keys.source test are published.`, {
      hint: `Make a stack with random keys: stack init NAME --set keys.source=random, or ${otherwise}.`,
      details: { bind, reason: 'keys' },
    });
  }
}

/**
 * Whether a party's explorer shows other parties' nodes: only on loopback and without authentication, where one person
 * controls them all; the socket of the supervisor is in no container.
 */
export function hasStackView({ bind, auth, docker }: StackSettings): boolean {
  return loopback.includes(bind) && !auth.enabled && docker === null;
}

/** Whether faults may be set: only if no other machine uses the network. */
export function allowsFaults({ bind }: Pick<StackSettings, 'bind'>): boolean {
  return loopback.includes(bind);
}

/**
 * Whether all services run in containers, which then have their own network. If only some do, the containers share the
 * network of this machine, since a process on loopback cannot be reached from another.
 */
export function hasOwnNetwork({ docker }: Pick<StackSettings, 'docker'>): boolean {
  return docker !== null && docker.services === null;
}

/** The host of a node's API. */
export function nodeHost({ bind, docker }: StackSettings): string {
  return hasOwnNetwork({ docker }) ? everyAddress : bind;
}

/** The name or address by which callers with TLS know the nodes, and which their certificates have. */
export function nodeName(settings: StackSettings): string {
  return settings.advertise ?? calledHost(nodeHost(settings));
}

/** The host by which services of the stack call one. */
export function hostWithin(settings: StackSettings, service: string): string {
  return hasOwnNetwork(settings) ? service : calledHost(serviceHost(settings));
}

/** The addresses of this machine on which a port of a container is published. */
export function publishedHosts({ bind }: Pick<StackSettings, 'bind'>): string[] {
  if (wildcards[bind] !== undefined) return [bind];
  return [...new Set(['127.0.0.1', ...(loopback.includes(bind) ? [] : [bind])])];
}

/** The host of chain and store: loopback, unless the network is trusted. */
export function serviceHost({ bind, trustedNetwork, docker }: StackSettings): string {
  if (hasOwnNetwork({ docker })) return everyAddress;
  return trustedNetwork ? bind : innerHost({ bind });
}

/** The host of a node's listener for its peers: beyond loopback only if `advertise` says how to reach it. */
export function peerHost({ bind, advertise, docker }: StackSettings): string {
  if (hasOwnNetwork({ docker })) return everyAddress;
  return advertise === null ? innerHost({ bind }) : bind;
}

/** Contradictions between settings of addresses: the member, and the remedy. */
export function addressProblems({
  bind = loopback[0] ?? '',
  advertise,
  trustedNetwork = false,
}: {
  readonly bind?: string | undefined;
  readonly advertise?: string | undefined;
  readonly trustedNetwork?: boolean | undefined;
}): { readonly path: string; readonly message: string }[] {
  if (!loopback.includes(bind)) return [];
  const needs = (key: string) =>
    `${key} is for other machines, which cannot reach bind ${bind}: set bind to another address, or remove ${key}.`;
  return [
    ...(advertise === undefined ? [] : [{ path: '/advertise', message: needs('advertise') }]),
    ...(trustedNetwork ? [{ path: '/trustedNetwork', message: needs('trustedNetwork') }] : []),
  ];
}

/** The loopback address of a stack: `bind` if that is one. */
function innerHost({ bind }: Pick<StackSettings, 'bind'>): string {
  return loopback.includes(bind) ? bind : '127.0.0.1';
}

/** The address by which this machine calls a listener on a host. */
export function calledHost(host: string): string {
  return wildcards[host] ?? host;
}

/** The host names, besides loopback, by which callers may use a listener on loopback. */
export function innerHostsOf(
  { hosts, advertise, docker }: Pick<StackSettings, 'hosts' | 'advertise' | 'docker'>,
  service?: 'chain' | 'store',
): string[] {
  const inNetwork = service !== undefined && hasOwnNetwork({ docker }) ? [service] : [];
  const names = [...hosts, ...(advertise === null ? [] : [inUrl(advertise)]), ...inNetwork];
  return names.map((name) => name.toLowerCase());
}

/**
 * The host names, besides loopback and the address itself, that callers may use. With a wildcard address every numeric
 * address is accepted: a foreign web page cannot have a bare address as its name (docs/architecture.md §12.1).
 */
export function hostsOf({ bind, hosts, advertise, docker }: StackSettings): string[] {
  const named = innerHostsOf({ hosts, advertise, docker });
  if (wildcards[bind] === undefined) return named;
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const own = all.filter(({ internal, family }) => !internal && (bind === '::' || family === 'IPv4'));
  const addresses = own.map(({ address, family }) =>
    family === 'IPv6' ? `[${address.split('%', 1)[0] ?? ''}]` : address,
  );
  return [...named, ...addresses];
}

/** A host as part of a URL. */
export function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
