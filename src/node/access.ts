import type { IncomingMessage } from 'node:http';
import type { Authentication } from '../http/auth.js';
import { ServiceError } from '../wire/error.js';

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
}

export interface AccessParts {
  /** All of the node. */
  readonly namespaces: readonly string[];
  /** What a name means that nobody has given. */
  readonly fallback: string;
  /** Undefined: everybody may use everything. */
  readonly authentication: Pick<Authentication, 'callerOf'> | undefined;
}

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
  return {
    visibleTo,

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
  };
}
