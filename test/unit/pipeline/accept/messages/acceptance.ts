import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSilentLog } from '../../../../../src/adapters/log/silent.js';
import { createSilentMetrics } from '../../../../../src/adapters/metrics/silent.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { createDirectJudge } from '../../../../../src/adapters/judge/direct.js';
import { createJudgeRequest } from '../../../../../src/pipeline/judging/requests.js';
import { identityId, nodeDid, organizationDid } from '../../../../../src/domain/network/identity.js';
import type { OwnIdentity } from '../../../../../src/pipeline/state/identities/own-identity.js';
import { createSender } from '../../../../../src/pipeline/accept/messages/message.js';
import { createValidate } from '../../../../../src/pipeline/accept/data/validate.js';
import { createBus } from '../../../../../src/pipeline/bus.js';
import type { Database } from '../../../../../src/ports/database.js';
import { rowsOf } from '../../../../support/pipelines-check.js';
import { keyOf, register, registerCustom } from '../../../../support/registry.js';
import { rulebookOf } from '../../../../support/rulebook.js';

/** The members of the network that the node of alice knows, with alice's custom identity alice-desk. */
export const organizations = ['alice', 'bob', 'carol'] as const;
export const deskKey = keyOf(0xde5c);

export const own: OwnIdentity = {
  organization: 'alice',
  did: organizationDid('alice'),
  key: keyOf(1),
  keys: [keyOf(1), deskKey],
};

/** Returns a member of a group as records show it. */
export function member(organization: string) {
  return { identity: organizationDid(organization), node: identityId(nodeDid(`${organization}-node`)) };
}

/** Creates a database with the members in its registry. */
export async function aRegisteredDatabase(): Promise<Database> {
  const database = createMemoryDatabase();
  await register(database, organizations);
  await registerCustom(database, { organization: 'alice', name: 'alice-desk', key: deskKey });
  await registerCustom(database, { organization: 'bob', name: 'bob-desk', key: keyOf(0xb0b) });
  return database;
}

/** Creates the sender of alice's node. */
export async function anAcceptance() {
  const database = await aRegisteredDatabase();
  const bus = createBus();
  const sender = createSender({
    database,
    own,
    bus,
    clock: createManualClock(),
    random: createSeededRandom(1),
    metrics: createSilentMetrics(),
    log: createSilentLog(),
    failpoint: { reach: () => Promise.resolve() },
    // Accepted messages stay unsealed; test/unit/pipeline/batch tests sealing.
    sealer: { sealAlone: () => Promise.resolve(undefined) },
    validate: createValidate({
      database,
      judgeRequest: createJudgeRequest(createDirectJudge()),
      rulebook: rulebookOf(),
    }),
  });
  const rows = async () => [await rowsOf(database, 'messages'), await rowsOf(database, 'data')] as const;
  return { ...sender, rows, database, bus };
}
