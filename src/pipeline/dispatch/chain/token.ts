import type { AbiEntry } from '../../../domain/contracts/abi.js';
import { assert } from '../../../domain/invariant.js';
import { readEntries } from '../../../domain/tokens/methods.js';
import type { Clock } from '../../../ports/clock.js';
import type { Database, Unit } from '../../../ports/database.js';
import type { Metrics } from '../../../ports/metrics.js';
import type { Random } from '../../../ports/random.js';
import type { OperationRow } from '../../../ports/tables/tables.js';
import type { ConnectorCall, TokenConnector } from '../../../ports/token-connector.js';
import { present } from '../../../ports/tables/where.js';
import { check } from '../../../wire/check.js';
import { isServiceError } from '../../../wire/errors/error.js';
import { textOf } from '../../../wire/json/json.js';
import { secondsBetween } from '../../../wire/time.js';
import { ApprovalInput, TransferInput } from '../../../wire/token.js';
import type { RunOperation, Settlement } from '../../operations/attempt.js';
import type { Bell } from '../../bus.js';
import { afterField } from '../../state/chain/stored-call.js';
import { newEvent } from '../../state/events/event-row.js';
import { cancelMessages } from '../../state/messages/staged.js';
import type { CallChain } from './chain-call.js';
import type { UntilRecorded } from '../recorded.js';

export interface TokenCallParts {
  readonly database: Database;
  readonly connectors: ReadonlyMap<string, TokenConnector>;
  readonly clock: Clock;
  readonly random: Random;
  readonly callChain: CallChain;
  readonly untilRecorded: UntilRecorded;
  readonly metrics: Metrics;
}

/** Runs mints, transfers and burns; they end when the chain's event is recorded (docs/api.md §19.3). */
export function createTransferTokens(parts: TokenCallParts): RunOperation {
  return createTokenCall(parts, (connector, { input }) => {
    assert(check(TransferInput, input), 'the input of a transfer says all of it');
    const methods = methodsOf(input);
    return connector.transfer({ tokenIndex: undefined, uri: undefined, config: undefined, ...input, methods });
  });
}

/** Runs approvals; they end like transfers. */
export function createApproveTokens(parts: TokenCallParts): RunOperation {
  return createTokenCall(parts, (connector, { input }) => {
    assert(check(ApprovalInput, input), 'the input of an approval says all of it');
    return connector.approve({ config: undefined, ...input, methods: methodsOf(input) });
  });
}

/** The methods of the pool's contract when the operation was accepted. */
function methodsOf({ methods = [] }: Pick<TransferInput, 'methods'>): readonly AbiEntry[] {
  return methods.length === 0 ? [] : (readEntries(textOf(methods)) ?? []);
}

type ToCall = (connector: TokenConnector, operation: OperationRow) => ConnectorCall;

function createTokenCall(parts: TokenCallParts, toCall: ToCall): RunOperation {
  const { database, connectors, callChain, clock, random, untilRecorded, metrics } = parts;

  /**
   * Returns why the event of a call may still be recorded, if a reorganisation had removed the call: its pool may be
   * read again, or defined again, unless another pool is defined at its place on the chain.
   */
  async function whyNotYet({ namespace, input }: OperationRow, connector: TokenConnector): Promise<string | undefined> {
    if (!(afterField in input)) return undefined;
    const pool = await database.first('pools', { namespace, id: String(input['pool']) });
    if (pool !== undefined) {
      return pool.state === 'followed' ? undefined : 'Its pool is read again from the chain first.';
    }
    const chainKey = connector.locate(String(input['locator']))?.key ?? '';
    const place = { namespace, connector: connector.name, chainKey };
    if (await database.has('pools', { ...place, pin: present })) return undefined;
    return 'Its pool is no longer defined since the chain was reorganised; the party of the pool may define it again.';
  }

  return async (operation, signal) => {
    const kind = operation.type === 'token_transfer' ? String(operation.input['kind']) : undefined;
    const failed = (): Settlement['write'] => {
      if (kind !== undefined) metrics.count(`ff_${kind}_rejected_total`);
      return (unit) => recordFailure(unit, operation, { now: clock.now(), random });
    };
    const connector = connectors.get(operation.plugin);
    if (connector === undefined) {
      return { status: 'later', error: `This node has no token connector ${operation.plugin} now.` };
    }
    // A signed call may already be mined, so a refusal now does not count.
    const made = operation.raw === null ? callOrRefusal(() => toCall(connector, operation)) : undefined;
    if (typeof made === 'string') return { status: 'failed', error: made, write: failed() };
    return callChain(operation, {
      call: () => Promise.resolve({ type: 'contract', ...(made ?? toCall(connector, operation)) }),
      mined: async ({ transactionHash, block }) => {
        switch (await untilRecorded(operation, block, signal)) {
          case 'recorded':
            if (kind !== undefined) {
              metrics.observe(`ff_${kind}_histogram`, secondsBetween(operation.created, clock.now()));
            }
            return { status: 'settled' };
          case 'stopped':
            return { status: 'later', error: 'The node has stopped before the event was read.' };
          case 'absent': {
            const notYet = await whyNotYet(operation, connector);
            if (notYet !== undefined) return { status: 'later', error: notYet };
            const error = `The transaction ${transactionHash} has brought no event of such an operation.`;
            return { status: 'absent', error };
          }
        }
      },
      failed,
    });
  };
}

/** Returns the call, or the reason for a refusal: the connector may have changed since the request was accepted. */
function callOrRefusal(make: () => ConnectorCall): ConnectorCall | string {
  try {
    return make();
  } catch (error) {
    if (isServiceError(error)) return error.message;
    throw error;
  }
}

interface FailureParts {
  readonly now: string;
  readonly random: Random;
}

/** Cancels the operation's message and records the failure (docs/api.md §19.3), in the unit that ends the operation. */
async function recordFailure(
  unit: Unit,
  operation: OperationRow,
  { now, random }: FailureParts,
): Promise<readonly Bell[]> {
  const { id, namespace, tx, type, input } = operation;
  assert(type === 'token_transfer' || type === 'token_approval', 'it is an operation of tokens');
  const bells = await cancelMessages(unit, { type, id: tx }, { namespace, now });
  const pool = String(input['pool']);
  const subject = { namespace, id: random.uuid(), reference: id, topic: pool, correlator: String(input['localId']) };
  await unit.insert('events', [newEvent({ ...subject, type: `${type}_op_failed`, tx, txtype: type, created: now })]);
  return ['events', ...bells];
}
