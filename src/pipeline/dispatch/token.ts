import { assert } from '../../domain/invariant.js';
import type { Receipt } from '../../ports/blockchain.js';
import type { Clock } from '../../ports/clock.js';
import type { Database, Unit } from '../../ports/database.js';
import type { Random } from '../../ports/random.js';
import type { OperationRow } from '../../ports/tables.js';
import type { ConnectorCall, TokenConnector } from '../../ports/token-connector.js';
import { check } from '../../wire/check.js';
import { isServiceError } from '../../wire/error.js';
import { among, equal } from '../../wire/query.js';
import { ApprovalInput, TransferInput } from '../../wire/token.js';
import type { Outcome, RunOperation, Settlement } from '../attempt.js';
import type { Bell, Bus } from '../bus.js';
import { readCursor } from '../cursor.js';
import { newEvent } from '../rows.js';
import { cancelMessages } from '../staged.js';
import type { CallChain } from './chain-call.js';

export interface TokenCallParts {
  readonly database: Database;
  /** By name. */
  readonly connectors: ReadonlyMap<string, TokenConnector>;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly callChain: CallChain;
}

/** Mints, transfers and burns: done when the chain's own event is recorded here (S §15.4, 4). */
export function createTransferTokens(parts: TokenCallParts): RunOperation {
  return createTokenCall(parts, (connector, { input }) => {
    assert(check(TransferInput, input), 'the input of a transfer says all of it');
    return connector.transfer({ tokenIndex: undefined, uri: undefined, config: undefined, ...input });
  });
}

/** Approvals of operators, in the same way. */
export function createApproveTokens(parts: TokenCallParts): RunOperation {
  return createTokenCall(parts, (connector, { input }) => {
    assert(check(ApprovalInput, input), 'the input of an approval says all of it');
    return connector.approve({ config: undefined, ...input });
  });
}

type ToCall = (connector: TokenConnector, operation: OperationRow) => ConnectorCall;

function createTokenCall(parts: TokenCallParts, toCall: ToCall): RunOperation {
  const { connectors, callChain, clock, random } = parts;
  return async (operation, signal) => {
    const failed = (): Settlement['write'] => (unit) => recordFailure(unit, operation, { now: clock.now(), random });
    const connector = connectors.get(operation.plugin);
    if (connector === undefined) {
      return { status: 'later', error: `This node has no token connector ${operation.plugin} now.` };
    }
    const call = callOf(() => toCall(connector, operation));
    if (call.status === 'refused') return { status: 'failed', error: call.error, write: failed() };
    return callChain(operation, {
      call: () => Promise.resolve({ type: 'contract', ...call.call }),
      mined: (receipt) => untilRecorded(parts, operation, { receipt, signal, failed }),
      failed,
    });
  };
}

type Callable =
  | { readonly status: 'possible'; readonly call: ConnectorCall }
  | { readonly status: 'refused'; readonly error: string };

/** What was accepted may be refused now, by a connector that has been changed since. */
function callOf(make: () => ConnectorCall): Callable {
  try {
    return { status: 'possible', call: make() };
  } catch (error) {
    if (isServiceError(error)) return { status: 'refused', error: error.message };
    throw error;
  }
}

/** A ring may be lost, and the blocks of a call without an event ring for nobody. */
const lookMs = 1_000;

interface Mined {
  readonly receipt: Extract<Receipt, { status: 'success' }>;
  readonly signal: AbortSignal;
  readonly failed: () => Settlement['write'];
}

/** The unit that records the event of a call ends the operation; one that is read past and open has brought none. */
async function untilRecorded(
  { database, bus, clock }: TokenCallParts,
  operation: OperationRow,
  { receipt, signal, failed }: Mined,
): Promise<Outcome<Settlement>> {
  const listening = bus.listen('operations');
  try {
    while (!signal.aborted) {
      // First how far the chain is read: what that brought is then in the row that is read behind it.
      const cursor = await readCursor(database);
      if (!(await isOpen(database, operation))) return { status: 'settled' };
      if (cursor !== undefined && cursor.block >= receipt.block) {
        const error = `The transaction ${receipt.transactionHash} has brought no event of such an operation.`;
        return { status: 'failed', error, write: failed() };
      }
      const looked = new AbortController();
      const either = AbortSignal.any([signal, looked.signal]);
      await Promise.race([listening.wait(either), clock.sleep(lookMs, either)]);
      looked.abort('looked');
    }
    return { status: 'later', error: 'The node has stopped before the event was read.' };
  } finally {
    listening.close();
  }
}

async function isOpen(database: Database, { namespace, id }: OperationRow): Promise<boolean> {
  const where = [equal('id', id), among('status', ['Initialized', 'Pending'])];
  return (await database.count('operations', { namespace, where })) > 0;
}

interface FailureParts {
  readonly now: string;
  readonly random: Random;
}

/** In the unit that ends it: its message is cancelled with it, and everybody here may know (S §15.4, 6). */
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
