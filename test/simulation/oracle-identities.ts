import { createHash } from 'node:crypto';
import type { LogPage } from '../../src/ports/blockchain.js';
import type { Simulator } from './life.js';
import type { Judged } from './oracle-datatypes.js';

/** An organisation, a node or a custom identity in the registry. */
export interface Registered {
  readonly id: string;
  readonly did: string;
  readonly type: 'org' | 'node' | 'custom';
  readonly name: string;
  /** DID of the organisation that it belongs to. */
  readonly parent: string | null;
  /** Its signing key; a node has none. */
  readonly key: string | null;
}

/** The description and profile that the updates of an identity have set for one namespace. */
export interface Profile {
  readonly namespace: string;
  readonly identity: string;
  readonly description: string | null;
  readonly profile: string | null;
  /** The ids of its first and its last update. */
  readonly claim: string;
  readonly message: string;
}

/** The identities and their profiles, derived only from the order of the chain (docs/protocol.md §4.2, §8.3, §9.6). */
export interface IdentityOracle {
  /** Processes the next change of the registry. */
  register(log: LogPage['logs'][number]): void;
  /** Judges an update or a claim; undefined for any other message. */
  judge(message: Judged): boolean | undefined;
  /** Whether the author of a payload is the identity that now owns the signer's key. */
  isAuthor(signer: string, payload: string): boolean;
  /** Returns the name of an identity's organisation, also if the identity is not registered any more. */
  memberOf(did: string): string;
  registered(): readonly Registered[];
  profiles(): readonly Profile[];
  /** Returns the confirmed updates for a namespace in their order, as `<message id>/<hash>`. */
  updates(namespace: string): readonly string[];
  /** Clears everything but ownership: a chain that replaces blocks keeps the registrations. */
  restart(): void;
}

interface Update {
  readonly did: string;
  readonly namespace: string;
  readonly description?: string;
  readonly profile?: object;
}

const fields: ReadonlySet<string> = new Set(['did', 'namespace', 'description', 'profile']);

export function createIdentityOracle(sometimes: Simulator['sometimes']): IdentityOracle {
  const byDid = new Map<string, Registered>();
  const byKey = new Map<string, Registered>();
  const members = new Map<string, string>();
  const profiles = new Map<string, Profile>();
  const updates: { readonly namespace: string; readonly message: string }[] = [];

  function add(member: string, identity: Omit<Registered, 'id'>): void {
    const registered = { ...identity, id: idOf(identity.did) };
    byDid.set(identity.did, registered);
    if (identity.key !== null) byKey.set(identity.key, registered);
    members.set(identity.did, member);
  }

  function update({ id, hash, author }: Judged, { did, namespace, description, profile }: Update): boolean {
    const identity = byDid.get(did);
    if (identity === undefined) sometimes('profile changed before the registration');
    if (identity === undefined) return false;
    if (members.get(author) !== members.get(did)) sometimes('profile changed by another member');
    if (members.get(author) !== members.get(did)) return false;
    const before = profiles.get(`${namespace} ${did}`);
    const said = {
      description: description ?? before?.description ?? null,
      profile: profile === undefined ? (before?.profile ?? null) : JSON.stringify(profile),
    };
    profiles.set(`${namespace} ${did}`, { namespace, identity: did, ...said, claim: before?.claim ?? id, message: id });
    updates.push({ namespace, message: `${id}/${hash}` });
    if (identity.type === 'custom') sometimes('profile changed');
    return true;
  }

  return {
    register(log) {
      if (log.type === 'member_added') {
        const did = `did:parley:org/${log.organization}`;
        const node = `did:parley:node/${log.node}`;
        add(log.organization, { did, type: 'org', name: log.organization, parent: null, key: log.key });
        add(log.organization, { did: node, type: 'node', name: log.node, parent: did, key: null });
      } else if (log.type === 'key_added') {
        const isBelow = log.isOrganization === true;
        const did = `did:parley:${isBelow ? 'org/' : ''}${log.name}`;
        const parent = `did:parley:org/${log.organization}`;
        add(log.organization, { did, type: isBelow ? 'org' : 'custom', name: log.name, parent, key: log.key });
        sometimes(isBelow ? 'organisation registered below a member' : 'identity registered');
      }
    },
    judge(message) {
      const { tag, topics, items } = message;
      if (tag === 'svc_identity_claim') sometimes('claim of what is taken');
      if (tag === 'svc_identity_claim') return false;
      if (tag !== 'svc_identity_update') return undefined;
      const [item, ...others] = items;
      const value = item?.value;
      if (others.length > 0 || !isUpdate(value)) return false;
      return topics.join() === `svc_ns_${value.namespace}` && update(message, value);
    },
    isAuthor(signer, payload) {
      const { author } = JSON.parse(payload) as { readonly author: string };
      const owner = byKey.get(signer);
      if (owner?.did !== author) sometimes('author does not own the key');
      if (owner?.did !== author) return false;
      const isPrivate = payload.includes('"type":"private"');
      if (owner.type === 'custom') {
        sometimes(isPrivate ? 'private message of a custom identity' : 'message of a custom identity');
      }
      return true;
    },
    memberOf: (did) => members.get(did) ?? did.replace('did:parley:org/', ''),
    registered: () => [...byDid.values()],
    profiles: () => [...profiles.values()],
    updates: (namespace) => updates.flatMap((each) => (each.namespace === namespace ? [each.message] : [])),
    restart() {
      for (const derived of [byDid, byKey, profiles]) derived.clear();
      updates.length = 0;
    },
  };
}

function isUpdate(value: unknown): value is Update {
  if (typeof value !== 'object' || value === null || Object.keys(value).some((key) => !fields.has(key))) return false;
  const { did, namespace, description, profile } = value as Readonly<Record<string, unknown>>;
  if (typeof did !== 'string' || typeof namespace !== 'string') return false;
  if (description === undefined && profile === undefined) return false;
  const isObject = typeof profile === 'object' && profile !== null && !Array.isArray(profile);
  return (description === undefined || typeof description === 'string') && (profile === undefined || isObject);
}

/** The first 16 bytes of SHA-256(DID) with version 8 and the RFC variant (docs/protocol.md §2.2). */
function idOf(did: string): string {
  const hash = createHash('sha256').update(did).digest('hex');
  const variant = (8 + (Number.parseInt(hash.charAt(16), 16) % 4)).toString(16);
  const hex = `${hash.slice(0, 12)}8${hash.slice(13, 16)}${variant}${hash.slice(17, 32)}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
