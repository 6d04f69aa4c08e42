import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { WebhookError } from '../../ports/webhook.js';
import { bytesOf, isIn, kindOf, type Range, readRange } from './address.js';

/** A listening address. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export interface TargetRules {
  /** Ranges of private addresses, including loopback, that may be called, in CIDR notation. */
  readonly allow: readonly string[];
  /** Returns the current addresses of the stack itself, which are never called. */
  readonly closed: () => readonly Endpoint[];
  /** The node's own address: only if it is loopback may other loopback addresses be called. */
  readonly host: string;
  /** Whether it requires credentials: then loopback must be allowed like a private range. */
  readonly hasCredentials?: boolean;
}

/** A resolved address. */
export interface Address {
  readonly address: string;
  readonly family: number;
}

export type Resolve = (host: string) => Promise<readonly Address[]>;

/** Returns the addresses of a target, all of them checked, to which the connection is then limited. */
export type CheckTarget = (url: URL) => Promise<readonly Address[]>;

/**
 * Creates the check of targets (docs/architecture.md §12.4). It throws WebhookError `refused` if one of the addresses
 * is forbidden, since any could be used; `unreachable` if the name is unknown.
 *
 * @throws Error for an invalid rule
 */
export function createTargetCheck(rules: TargetRules, resolve: Resolve = resolveBySystem): CheckTarget {
  const allowed = rules.allow.map(readAllowed);
  const isOnLoopback = rules.host === 'localhost' || kindOf(rules.host) === 'loopback';
  const loopback = !isOnLoopback ? 'closed' : rules.hasCredentials === true ? 'allowed ranges' : 'open';
  return async (url) => {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new WebhookError('refused', `A webhook may not call ${url.protocol}: only http and https are possible.`);
    }
    if (url.username !== '' || url.password !== '') {
      throw new WebhookError('refused', 'A webhook may not call a URL with credentials in it.');
    }
    const addresses = await addressesOf(url.hostname, resolve);
    for (const { address } of addresses) {
      const problem = problemOf(address, allowed, loopback);
      if (problem !== undefined) throw refusal(url, problem);
    }
    const port = portOf(url);
    for (const closed of rules.closed()) {
      if (closed.port === port && (await isSame(addresses, closed.host, resolve))) {
        throw refusal(url, 'the stack itself listens there');
      }
    }
    return addresses;
  };
}

/** The address of a service that is called by this URL. */
export function endpointOf(url: string): Endpoint {
  const parsed = new URL(url);
  return { host: parsed.hostname, port: portOf(parsed) };
}

/** The port of a URL, or the default of its scheme. */
function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

function problemOf(
  address: string,
  allowed: readonly Range[],
  loopback: 'closed' | 'allowed ranges' | 'open',
): string | undefined {
  const kind = kindOf(address);
  switch (kind) {
    case 'public':
      return undefined;
    case 'forbidden':
      return `${address} is link-local, of a metadata service, or no address of a server`;
    case 'loopback':
    case 'private': {
      if (kind === 'loopback' && loopback === 'open') return undefined;
      if (kind === 'loopback' && loopback === 'closed')
        return `${address} is loopback, and this node listens elsewhere`;
      const bytes = bytesOf(address) ?? [];
      if (allowed.some((range) => isIn(bytes, range))) return undefined;
      return `${address} is ${kind}; name its range in webhooks.allow of the configuration if it is yours`;
    }
  }
}

function readAllowed(text: string): Range {
  const range = readRange(text);
  if (range === undefined)
    throw new Error(`webhooks.allow: "${text}" is neither an address nor a range such as 10.0.0.0/8`);
  return range;
}

async function addressesOf(hostname: string, resolve: Resolve): Promise<readonly Address[]> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const bytes = bytesOf(host);
  if (bytes !== undefined) return [{ address: host, family: host.includes(':') ? 6 : 4 }];
  const addresses = await resolve(host).catch((cause: unknown) => {
    throw new WebhookError('unreachable', `The name ${host} is not known.`, { cause });
  });
  if (addresses.length === 0) throw new WebhookError('unreachable', `The name ${host} has no address.`);
  return addresses;
}

/** Whether a target is at `host`. All addresses of this machine count as one. */
async function isSame(addresses: readonly Address[], host: string, resolve: Resolve): Promise<boolean> {
  const known = await addressesOf(host, resolve).catch(() => []);
  const own = known.map(({ address }) => nameOf(address));
  const isHere = known.some(({ address }) => isOfThisMachine(address) || isUnspecified(address));
  return addresses.some(({ address }) => own.includes(nameOf(address)) || (isHere && isOfThisMachine(address)));
}

function nameOf(address: string): string {
  return (bytesOf(address) ?? []).join('.');
}

function isUnspecified(address: string): boolean {
  return (bytesOf(address) ?? [1]).every((byte) => byte === 0);
}

function isOfThisMachine(address: string): boolean {
  if (kindOf(address) === 'loopback') return true;
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return own.some((each) => nameOf(each.address) === nameOf(address));
}

function refusal(url: URL, problem: string): WebhookError {
  return new WebhookError('refused', `A webhook may not call ${url.host}: ${problem}.`);
}

async function resolveBySystem(host: string): Promise<readonly Address[]> {
  return lookup(host, { all: true });
}
