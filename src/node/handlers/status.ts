import type { IncomingMessage } from 'node:http';
import type { NetworkRules } from '../../domain/network/network-rules.js';
import { type Blockchain, ChainError } from '../../ports/blockchain.js';
import type { Clock } from '../../ports/clock.js';
import type { Database } from '../../ports/database.js';
import type { Registration } from '../../pipeline/announce.js';
import { detailOf, readAttempts } from '../../pipeline/judging/attempts.js';
import type { Pipeline } from '../../pipeline/pipeline.js';
import { countBlocked } from '../../pipeline/state/messages/waiting.js';
import type { statusRoutes } from '../../wire/routes/status.js';
import type { Status } from '../../wire/network/status.js';
import { failedCalls } from '../chain/failed-calls.js';
import type { Access } from '../requests/access.js';
import type { Handler } from '../requests/handler.js';
import {
  activeContract,
  type FollowedContract,
  findMember,
  namespaceRecord,
  nodeDidOf,
} from '../network/own-network.js';
import { servicesAway } from '../network/services-away.js';
import { readPeers } from './peers.js';

type StatusHandlers = { readonly [N in keyof typeof statusRoutes]: Handler<(typeof statusRoutes)[N]> };

export interface StatusHandlerParts {
  readonly database: Database;
  readonly blockchain: Blockchain;
  readonly pipeline: Pipeline;
  readonly clock: Clock;
  readonly access: Pick<Access, 'isLimited' | 'mayRead'>;
  readonly node: string;
  readonly contract: FollowedContract;
  /** Token connectors by name. */
  readonly connectors: ReadonlyMap<string, unknown>;
}

/** Creates the handler for the node's status. */
export function createStatusHandlers(parts: StatusHandlerParts): StatusHandlers {
  const { database, blockchain, pipeline, clock, node, contract, connectors } = parts;
  const tokens = [...connectors.keys()].map((name) => ({ name, pluginType: 'fftokens' }));
  const { own } = pipeline;
  return {
    async getStatus({ namespace, http }) {
      const registration = pipeline.registration();
      const [member, memberNode, pending, blocked, lastSequence, chain, failed, peers, rules] = await Promise.all([
        findMember(database, own.did),
        findMember(database, nodeDidOf(own, node)),
        database.count('messages', { namespace, state: 'ready' }),
        countBlocked(database),
        pipeline.eventLog.newest(),
        headsOf(blockchain, clock),
        unfinishedOf(parts, http.message, registration),
        readPeers({ database, node, lastContact: pipeline.lastContact }),
        pipeline.rulebook.find(database),
      ]);
      return {
        namespace: namespaceRecord(namespace, member?.created),
        node: {
          name: node,
          registered: memberNode !== undefined,
          ...(memberNode !== undefined && { id: memberNode.id }),
        },
        org: {
          name: own.organization,
          registered: member !== undefined,
          ...(member !== undefined && { did: member.did, id: member.id }),
          ...(member !== undefined && { verifiers: [{ type: 'ethereum_address' as const, value: own.key }] }),
        },
        plugins: { ...plugins, tokens },
        multiparty: {
          enabled: true,
          contract: {
            active: activeContract(contract),
          },
        },
        parley: {
          pending,
          blocked,
          lastSequence,
          chain: { ...chain.heads, processed: pipeline.processedBlock() },
          keys: [...own.keys],
          damaged: pipeline.integrity.count(),
          rules: shownRules(rules),
          peers,
          registration,
          waiting: [
            ...servicesAway(pipeline.away()),
            ...chain.waiting,
            ...registryWaiting(registration, clock),
            ...failed,
          ],
        },
      };
    },
  };
}

const plugins: Omit<Status['plugins'], 'tokens'> = {
  blockchain: [{ name: 'chain', pluginType: 'ethereum' }],
  database: [{ name: 'database', pluginType: 'sqlite3' }],
  dataExchange: [{ name: 'peers', pluginType: 'mtls' }],
  events: [{ pluginType: 'websockets' }],
  identity: [{ name: 'registry', pluginType: 'onchain' }],
  sharedStorage: [{ name: 'store', pluginType: 'ipfs' }],
};

function shownRules(rules: NetworkRules | undefined): Status['parley']['rules'] {
  if (rules === undefined) return null;
  const { recorded, absent, profile } = rules;
  const guard = absent.length === 0 ? 'limits' : 'watch';
  return { limits: { ...recorded }, absent: [...absent], guard, ...(profile !== undefined && { profile }) };
}

async function headsOf(
  blockchain: Blockchain,
  clock: Clock,
): Promise<{ heads: Pick<Status['parley']['chain'], 'head' | 'confirmed'>; waiting: Status['parley']['waiting'] }> {
  try {
    const { head, confirmed } = await blockchain.status();
    return { heads: { head, confirmed }, waiting: [] };
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return { heads: { head: null }, waiting: [{ service: 'chain', since: clock.now(), error: error.message }] };
  }
}

/** Until the registry has this node's own entry again, members reach another node, or none. */
function registryWaiting({ matches, found }: Registration, clock: Clock): Status['parley']['waiting'] {
  const error = 'The registry names another endpoint or key for this node than its own; it is told again.';
  return matches ? [] : [{ service: 'registry', since: found?.time ?? clock.now(), error }];
}

/**
 * Judgements that have not ended at the first attempt, and failed calls of this node that need attention. A limited
 * caller does not see what is judged.
 */
async function unfinishedOf(
  { database, pipeline, access }: Pick<StatusHandlerParts, 'database' | 'pipeline' | 'access'>,
  caller: IncomingMessage,
  registration: Registration,
): Promise<Status['parley']['waiting']> {
  const rows = (await readAttempts(database)).filter(({ attempts }) => attempts > 1);
  const slow = rows.map((row) => {
    const subject = access.isLimited(caller) ? 'a datatype or value' : row.subject;
    return { service: 'judgement', since: row.since, error: detailOf({ ...row, subject }) };
  });
  const mayRead = (namespace: string) => access.mayRead(caller, namespace);
  return [...slow, ...(await failedCalls(database, pipeline.own.keys, registration, mayRead))];
}
