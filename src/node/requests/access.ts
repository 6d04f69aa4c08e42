import type { IncomingMessage } from 'node:http';
import type { Authentication, Caller } from '../../http/access/auth.js';
import type { MaySign } from '../../pipeline/deliver/webhooks/reply.js';
import { ServiceError } from '../../wire/errors/error.js';
import { type Grant, keyGrant } from '../../wire/route.js';

/** Resolves the name of a namespace. @throws ServiceError unknown_namespace, forbidden */
export type NamespaceResolver = (name: string | undefined) => string;

/** The rights of a node's callers. */
export interface Access {
  /** Returns the resolver for one request, or for all frames of one socket. */
  resolverFor(request: IncomingMessage): NamespaceResolver;
  /** The namespaces that a caller may see. */
  visibleTo(request: IncomingMessage): readonly string[];
  /** Whether a caller may see the records of a namespace, also of one that this node no longer has. */
  mayRead(request: IncomingMessage, namespace: string): boolean;
  /** Checks that a caller may use all namespaces, for operations that concern all. @throws ServiceError forbidden */
  requireAll(request: IncomingMessage, what: string): void;
  /** Whether a caller has a grant; one who may use all namespaces has every grant. */
  isGranted(request: IncomingMessage, grant: Grant): boolean;
  /** Checks that a caller has a grant; `what` names the refused operation. @throws ServiceError forbidden */
  requireGrant(request: IncomingMessage, grant: Grant, what?: string): void;
  /** Whether a caller is restricted to the namespaces and grants of its credential. */
  isLimited(request: IncomingMessage): boolean;
  /** Checks that a caller may have this node sign with a key of its wallet. @throws ServiceError forbidden */
  requireKey(request: IncomingMessage, key: string): void;
  /** The name of a caller's credential; undefined without authentication. */
  nameOf(request: IncomingMessage): string | undefined;
  /**
   * Whether the credential that created a subscription may now have messages signed for it. A credential that no longer
   * exists may not. If none is known, the organisation's key may be used, as by every credential of the namespace.
   */
  readonly maySign: MaySign;
}

export interface AccessParts {
  /** All namespaces of the node. */
  readonly namespaces: readonly string[];
  /** The namespace of a request that names none. */
  readonly fallback: string;
  /** Undefined: every caller may use everything. */
  readonly authentication: Pick<Authentication, 'callerOf' | 'callerNamed'> | undefined;
}

const grantedWork: Readonly<Record<Grant, string>> = {
  invoke: 'calls of contracts',
  deploy: 'deployments of contracts',
  tokens: 'new token pools and approvals',
  identities: 'custom identities',
};

/**
 * Creates the rights by namespace (docs/api.md §7). A caller with limited rights gets the same error for an unknown
 * namespace and for one without access.
 */
export function createAccess({ namespaces, fallback, authentication }: AccessParts): Access {
  const callerOf = (request: IncomingMessage) => authentication?.callerOf(request);
  const mayRead = (request: IncomingMessage, namespace: string): boolean =>
    callerOf(request)?.namespaces?.includes(namespace) ?? true;
  const visibleTo = (request: IncomingMessage): readonly string[] =>
    namespaces.filter((namespace) => mayRead(request, namespace));
  const isGranted = (request: IncomingMessage, grant: Grant): boolean => hasGrant(callerOf(request), grant);
  return {
    visibleTo,
    mayRead,
    isGranted,
    isLimited: (request) => callerOf(request)?.namespaces !== undefined,

    resolverFor(request) {
      const caller = callerOf(request);
      const visible = visibleTo(request);
      return (name) => {
        // FireFly's SDK sends `undefined` if it was created without a namespace (docs/api.md §1).
        const isUnnamed = name === undefined || (name === 'undefined' && !namespaces.includes(name));
        const wanted = isUnnamed ? fallback : name;
        if (visible.includes(wanted)) return wanted;
        const list = visible.join(', ');
        if (caller?.namespaces === undefined || caller.namespaces.includes(wanted))
          throw new ServiceError('unknown_namespace', { namespace: wanted, hint: `; it has ${list}` });
        const hint = `; it may use ${list || 'none of this node'}`;
        throw new ServiceError('forbidden', { name: caller.name, what: `the namespace "${wanted}"`, hint });
      };
    },

    requireAll(request, what) {
      const caller = callerOf(request);
      if (caller?.namespaces === undefined) return;
      const hint = ', which tell of all namespaces';
      throw new ServiceError('forbidden', { name: caller.name, what, hint });
    },

    requireGrant(request, grant, what = grantedWork[grant]) {
      if (isGranted(request, grant)) return;
      const hint = `, which the organisation's key signs for all namespaces; it needs "grants": ["${grant}"]`;
      throw new ServiceError('forbidden', { name: callerOf(request)?.name ?? '', what, hint });
    },

    requireKey(request, key) {
      const caller = callerOf(request);
      const grant = keyGrant(key);
      if (caller === undefined || hasGrant(caller, grant)) return;
      const hint = `, which belongs to the organisation; it needs "grants": ["${grant}"]`;
      throw new ServiceError('forbidden', { name: caller.name, what: `the key ${key}`, hint });
    },

    nameOf: (request) => callerOf(request)?.name,

    maySign(maker, { namespace, key }) {
      if (authentication === undefined) return true;
      if (maker === null) return key === undefined;
      const caller = authentication.callerNamed(maker);
      if (caller === undefined) return false;
      const isHere = caller.namespaces?.includes(namespace) ?? true;
      return isHere && (key === undefined || hasGrant(caller, keyGrant(key)));
    },
  };
}

/** A caller without limits, or without authentication, has every grant. */
function hasGrant(caller: Caller | undefined, grant: string): boolean {
  return caller?.namespaces === undefined || (caller.grants ?? []).includes(grant);
}
