import assert from 'node:assert/strict';
import type {
  ChainCall,
  ContractCall,
  ContractLog,
  KeyCall,
  KeyLog,
  MemberLog,
  NetworkLog,
  NodeLog,
  PinCall,
} from '../../../ports/blockchain.js';

type Place = 'position' | 'transactionHash' | 'time';

export type NewMember = Omit<MemberLog, Place | 'type'>;
export type NewKey = Omit<KeyLog, Place | 'type'>;
export type NewNode = Omit<NodeLog, Place | 'type'>;

/** A log of this ledger. */
export type MemoryLog = NetworkLog | ContractLog;
/** A log without its position. */
export type NewLog = MemoryLog extends infer Each ? (Each extends MemoryLog ? Omit<Each, Place> : never) : never;

/** The outcome of a call: a log, or the contract's own error. */
export type CallResult = { readonly log: NewLog } | { readonly reason: string };

/** The state and rules of `Network.sol`. The caller acts as its operator. */
export interface MemoryContract {
  addMember(member: NewMember): CallResult;
  addKey(key: NewKey): CallResult;
  setNode(node: NewNode): CallResult;
  call(sender: string, call: Exclude<ChainCall, ContractCall>): CallResult;
  /** The signing key of a member. */
  memberKey(organization: string): string;
}

const maxContexts = 2_000;
const maxEndpointBytes = 256;
const maxPayloadRefBytes = 128;
const noPublicKeyHash = '0'.repeat(64);
const noAddress = `0x${'0'.repeat(40)}`;
const namePattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;

export function createMemoryContract(): MemoryContract {
  /** Signing key → organisation. */
  const members = new Map<string, string>();
  const memberKeys = new Map<string, string>();
  const names = new Set<string>();
  const nodes = new Set<string>();
  const keys = new Set<string>();
  const publicKeyOwners = new Map<string, string>();

  const nameError = (taken: ReadonlySet<string>, name: string): string | undefined => {
    if (!namePattern.test(name)) return `NameInvalid(${name.toLowerCase()})`;
    return taken.has(name) ? `NameTaken(${name.toLowerCase()})` : undefined;
  };

  const keyError = (key: string): string | undefined => {
    if (key === noAddress) return 'KeyIsZero()';
    return keys.has(key) ? `KeyTaken(${key})` : undefined;
  };

  const nodeError = ({ organization, endpoint, publicKeyHash }: NewNode): string | undefined => {
    const owner = publicKeyOwners.get(publicKeyHash);
    const isTaken = publicKeyHash !== noPublicKeyHash && owner !== undefined && owner !== organization;
    return tooLong(endpoint, maxEndpointBytes) ?? (isTaken ? `PublicKeyTaken(0x${publicKeyHash})` : undefined);
  };

  const contract: MemoryContract = {
    addMember(member) {
      const { organization, key, node, publicKeyHash } = member;
      const reason = keyError(key) ?? nameError(names, organization) ?? nameError(nodes, node) ?? nodeError(member);
      if (reason !== undefined) return { reason };
      keys.add(key);
      names.add(organization);
      members.set(key, organization);
      memberKeys.set(organization, key);
      nodes.add(node);
      publicKeyOwners.set(publicKeyHash, organization);
      return { log: { type: 'member_added', ...member } };
    },

    addKey(added) {
      const { organization, name, key } = added;
      const reason = memberKeys.has(organization) ? (keyError(key) ?? nameError(names, name)) : notMember;
      if (reason !== undefined) return { reason };
      keys.add(key);
      names.add(name);
      return { log: { type: 'key_added', ...added } };
    },

    setNode(node) {
      const reason = memberKeys.has(node.organization) ? nodeError(node) : notMember;
      if (reason !== undefined) return { reason };
      publicKeyOwners.set(node.publicKeyHash, node.organization);
      return { log: { type: 'node_changed', ...node } };
    },

    call(sender, call) {
      if (call.type === 'pin_batch')
        return keys.has(sender) ? pin(sender, call) : { reason: `NotRegistered(${sender})` };
      const organization = members.get(sender);
      if (organization === undefined) return { reason: `NotMember(${sender})` };
      return call.type === 'add_key'
        ? contract.addKey({ organization, name: call.name, key: call.key, ...whetherOrganization(call) })
        : contract.setNode({ organization, endpoint: call.endpoint, publicKeyHash: call.publicKeyHash });
    },

    memberKey: (organization) => memberKeyIn(memberKeys, organization),
  };
  return contract;
}

function whetherOrganization({ isOrganization }: KeyCall): Pick<KeyCall, 'isOrganization'> {
  return isOrganization === true ? { isOrganization } : {};
}

function memberKeyIn(memberKeys: ReadonlyMap<string, string>, organization: string): string {
  const key = memberKeys.get(organization);
  assert(key !== undefined, `${organization} is a member`);
  return key;
}

function pin(signer: string, call: PinCall): CallResult {
  const { transactionId, batchId, batchHash, payloadRef, contexts } = call;
  const { length } = contexts;
  if (length === 0) return { reason: 'NoContexts()' };
  if (length > maxContexts) return { reason: `TooManyContexts(${length}, ${maxContexts})` };
  const reason = tooLong(payloadRef, maxPayloadRefBytes);
  if (reason !== undefined) return { reason };
  const content = { transactionId, batchId, batchHash, payloadRef, contexts: [...contexts] };
  return { log: { type: 'batch_pin', signer, ...content } };
}

/** Members are identified by name here and by key in the contract, so the error names no key. */
const notMember = `NotMember(${noAddress})`;

function tooLong(text: string, maxBytes: number): string | undefined {
  const sizeBytes = Buffer.byteLength(text);
  return sizeBytes > maxBytes ? `TooLong(${sizeBytes}, ${maxBytes})` : undefined;
}
