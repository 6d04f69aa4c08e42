import { profileRulesOf } from '../../src/domain/network/profile.js';
import { createSeededRandom } from '../../src/adapters/random/seeded.js';
import { applyMembership } from '../../src/pipeline/receive/member.js';
import type { KeyLog } from '../../src/ports/blockchain.js';
import type { Database } from '../../src/ports/database.js';

/** The signing key of a test's n-th organisation, from 1. */
export function keyOf(number: number): string {
  return `0x${number.toString(16).padStart(40, '0')}`;
}

const place = {
  position: { block: 1, transactionIndex: 0, logIndex: 0 },
  transactionHash: `0x${'0'.repeat(64)}`,
  time: '2026-01-15T10:00:00.000Z',
} as const;

/** Without namespaces, so that no events are inserted besides those of the test. */
const quietly = {
  namespaces: [],
  random: createSeededRandom(0),
  contract: '0xc',
  profileRules: profileRulesOf(undefined),
};

/** Registers these organisations, each with a key and a node named after it. */
export async function register(database: Database, organizations: readonly string[]): Promise<void> {
  const logs = organizations.map((organization, index) => ({
    ...place,
    type: 'member_added' as const,
    organization,
    key: keyOf(index + 1),
    node: `${organization}-node`,
    endpoint: `https://${organization}`,
    publicKeyHash: (index + 1).toString(16).padStart(64, '0'),
  }));
  await database.transaction((unit) => applyMembership(unit, logs, quietly));
}

export async function registerCustom(
  database: Database,
  identity: Pick<KeyLog, 'organization' | 'name' | 'key' | 'isOrganization'>,
): Promise<void> {
  await database.transaction((unit) => applyMembership(unit, [{ ...place, type: 'key_added', ...identity }], quietly));
}
