import { EventFragment, Interface } from 'ethers';
import type { ContractLog } from '../../../ports/blockchain.js';
import { encodeCall, uuidsOf } from '../abi.js';
import type { MemoryLog } from './contract.js';

/** A log of `Network.sol` in this ledger. */
export type MemoryNetworkLog = Exclude<MemoryLog, ContractLog>;

const events = {
  network_created: EventFragment.from('NetworkCreated(address indexed operator, string limits)'),
  member_added: EventFragment.from(
    'MemberAdded(address indexed key, string org, string node, string endpoint, bytes32 publicKeyHash)',
  ),
  key_added: EventFragment.from('KeyAdded(address indexed member, address indexed key, string name)'),
  organization_added: EventFragment.from('OrganizationAdded(address indexed member, address indexed key, string name)'),
  node_changed: EventFragment.from('NodeChanged(address indexed member, string endpoint, bytes32 publicKeyHash)'),
  batch_pin: EventFragment.from(
    'BatchPin(address indexed author, bytes32 uuids, bytes32 batchHash, string payloadRef, bytes32[] contexts)',
  ),
} as const;

/** The first topic of a log. */
export function networkTopicOf(log: MemoryNetworkLog): string {
  return eventOf(log).topicHash;
}

/** The operator of memory networks, an address without a key. */
const operator = '0x00000000000000000000000000000000000000ff';

const network = new Interface([
  ...Object.values(events),
  'function addMember(string org, address key, string node, string endpoint, bytes32 publicKeyHash)',
]);

/**
 * Encodes the log as `Network.sol` emits it, for a source that follows it like any other contract. `memberKey` returns
 * the signing keys of members.
 */
export function rawLogOf(
  log: MemoryNetworkLog,
  memberKey: (organization: string) => string,
): Pick<ContractLog, 'topics' | 'data'> {
  return network.encodeEventLog(eventOf(log), valuesOf(log, memberKey));
}

function eventOf(log: MemoryNetworkLog): EventFragment {
  return log.type === 'key_added' && log.isOrganization === true ? events.organization_added : events[log.type];
}

function valuesOf(log: MemoryNetworkLog, memberKey: (organization: string) => string): readonly unknown[] {
  switch (log.type) {
    case 'network_created':
      return [operator, log.limits];
    case 'member_added':
      return [log.key, log.organization, log.node, log.endpoint, `0x${log.publicKeyHash}`];
    case 'key_added':
      return [memberKey(log.organization), log.key, log.name];
    case 'node_changed':
      return [memberKey(log.organization), log.endpoint, `0x${log.publicKeyHash}`];
    case 'batch_pin':
      return [
        log.signer,
        uuidsOf(log.transactionId, log.batchId),
        `0x${log.batchHash}`,
        log.payloadRef,
        log.contexts.map((context) => `0x${context}`),
      ];
  }
}

/** The sender of the log's transaction. `Network.sol` accepts a member's calls from its own key only. */
export function senderOf(log: MemoryNetworkLog, memberKey: (organization: string) => string): string {
  switch (log.type) {
    case 'network_created':
    case 'member_added':
      return operator;
    case 'key_added':
    case 'node_changed':
      return memberKey(log.organization);
    case 'batch_pin':
      return log.signer;
  }
}

/** The input of the log's transaction, which the log determines. */
export function inputOf(log: MemoryNetworkLog): string {
  switch (log.type) {
    // A deployment; its code is not known here.
    case 'network_created':
      return '0x';
    case 'member_added': {
      const { organization, key, node, endpoint, publicKeyHash } = log;
      return network.encodeFunctionData('addMember', [organization, key, node, endpoint, `0x${publicKeyHash}`]);
    }
    case 'key_added':
      return encodeCall({ ...log, type: 'add_key' });
    case 'node_changed':
      return encodeCall({ type: 'set_node', endpoint: log.endpoint, publicKeyHash: log.publicKeyHash });
    case 'batch_pin':
      return encodeCall({ ...log, type: 'pin_batch' });
  }
}
