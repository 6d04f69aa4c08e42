import { systemNamespace } from '../../src/domain/network/identity.js';

/** The namespace of most seeds, and the one that some have besides, with the same names. */
export const mainNamespace = 'default';
export const otherNamespace = 'other';

/** Returns the namespaces of every node. */
export function namespacesOf(hasOther: boolean): readonly string[] {
  return hasOther ? [mainNamespace, systemNamespace, otherNamespace] : [mainNamespace, systemNamespace];
}

const definitionTopicPrefix = 'svc_ns_';

/** The topic of all definitions for a namespace. */
export function definitionTopicOf(namespace: string): string {
  return `${definitionTopicPrefix}${namespace}`;
}

/** The namespace that definitions with these topics are for. */
export function definedNamespace([topic = '']: readonly string[]): string {
  return topic.slice(definitionTopicPrefix.length);
}
