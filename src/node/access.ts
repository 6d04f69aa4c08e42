import type { IncomingMessage } from 'node:http';
import type { Authentication } from '../http/auth.js';
import { ServiceError } from '../wire/error.js';
import type { Grant } from '../wire/route.js';

/** The namespace that a name means. @throws ServiceError unknown_namespace, forbidden */
export type NamespaceResolver = (name: string | undefined) => string;

/** What of a node its callers may use. */
export interface Access {
  /** For all that one request, or one socket, asks for. */
  resolverFor(request: IncomingMessage): NamespaceResolver;
  /** The namespaces that a caller sees. */
  visibleTo(request: IncomingMessage): readonly string[];
  /** What concerns all namespaces is for those who may use all. @throws ServiceError forbidden */
  requireAll(request: IncomingMessage, what: string): void;
  /** Whether a caller may do what a grant is for: who may use all namespaces needs none. */
  isGranted(request: IncomingMessage, grant: Grant): boolean;
  /** @throws ServiceError forbidden, unless it is granted; `what` is refused */
  requireGrant(request: IncomingMessage, grant: Grant, what?: string): void;
}

export interface AccessParts {
  /** All of the node. */
  readonly namespaces: readonly string[];
  /** What a name means that nobody has given. */
  readonly fallback: string;
  /** Undefined: everybody may use everything. */
  readonly authentication: Pick<Authentication, 'callerOf'> | undefined;
}

const grantedWork: Readonly<Record<Grant, string>> = {
  invoke: 'calls of contracts',
  deploy: 'deployments of contracts',
  tokens: 'new token pools and approvals',
  identities: 'custom identities',
};

/**
 * Rights by namespace (S §1.8). A caller who is limited hears the same of a namespace that is not there and of one
 * that is not for him.
 */
export function createAccess({ namespaces, fallback, authentication }: AccessParts): Access {
  const callerOf = (request: IncomingMessage) => authentication?.callerOf(request);
  const visibleTo = (request: IncomingMessage): readonly string[] => {
    const granted = callerOf(request)?.namespaces;
    return granted === undefined ? namespaces : namespaces.filter((name) => granted.includes(name));
  };
  const isGranted = (request: IncomingMessage, grant: Grant): boolean => {
    const caller = callerOf(request);
    return caller?.namespaces === undefined || (caller.grants ?? []).includes(grant);
  };
  return {
    visibleTo,
    isGranted,

    resolverFor(request) {
      const caller = callerOf(request);
      const visible = visibleTo(request);
      return (name) => {
        // `undefined` is what FireFly's SDK sends when it was made without a namespace (S §1.1).
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
  };
}
