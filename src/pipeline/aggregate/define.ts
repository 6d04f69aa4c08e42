import {
  apiTag,
  datatypeTag,
  type DefinitionTag,
  identityClaimTag,
  identityUpdateTag,
  interfaceTag,
  poolTag,
} from '../../domain/definition.js';
import { assert } from '../../domain/invariant.js';
import type { NetworkRules } from '../../domain/network/network-rules.js';
import type { Verdict } from '../../domain/messages/verdict.js';
import type { Unit } from '../../ports/database.js';
import type { Random } from '../../ports/random.js';
import type { BatchRow, MessageRow, NewRow, PinRow } from '../../ports/tables/tables.js';
import { ServiceError } from '../../wire/errors/error.js';
import { type JsonText, noValue } from '../../wire/scalar.js';
import type { OwnIdentity } from '../state/identities/own-identity.js';
import type { UnitJudge } from '../judging/unit-judge.js';
import { exactItems, referenceKey } from '../state/messages/exact.js';
import { newDefinitionEvent } from '../state/events/event-row.js';
import { apiRule } from './define/api.js';
import { claimRule } from './define/claim.js';
import { datatypeRule } from './define/datatype.js';
import { identityRule } from './define/identity.js';
import { interfaceRule } from './define/interface.js';
import { poolRule } from './define/tokens/pool.js';
import type { DefinitionRule, FactParts, Judged } from './define/rule.js';

export interface JudgedDefinition {
  readonly message: MessageRow;
  readonly batch?: BatchRow;
  readonly place?: number | undefined;
  readonly verdict: Verdict;
}

/** The effects of a decided definition, in addition to its verdict (docs/protocol.md §9, docs/api.md §13.2). */
export interface Defined {
  readonly correlator: string;
  readonly events: readonly NewRow<'events'>[];
}

const ruleOfTag: Readonly<Record<DefinitionTag, DefinitionRule>> = {
  [datatypeTag]: datatypeRule,
  [identityUpdateTag]: identityRule,
  [identityClaimTag]: claimRule,
  [poolTag]: poolRule,
  [interfaceTag]: interfaceRule,
  [apiTag]: apiRule,
};
const rules: ReadonlyMap<string | null, DefinitionRule> = new Map(Object.entries(ruleOfTag));

export async function judgeDefinition(parts: FactParts, message: MessageRow, pin: PinRow | undefined): Promise<Judged> {
  assert(pin !== undefined, 'a definition is pinned');
  const rule = rules.get(message.tag);
  if (rule === undefined) {
    return { refusal: new ServiceError('unknown_definition', { tag: message.tag ?? '' }).message };
  }
  const text = await readText(parts.unit, message);
  if (text !== undefined) return rule.judge(parts, { message, text, place: pin.sequence, block: pin.block });
  return {
    refusal: new ServiceError('definition_payload', { problem: 'it must have one item, with a value' }).message,
  };
}

export interface ApplyParts {
  readonly now: string;
  readonly random: Random;
  readonly own: Pick<OwnIdentity, 'keys'>;
  readonly rules: NetworkRules;
  readonly unitJudge: UnitJudge;
}

/**
 * Writes the records of the decided definitions, in the unit that decides them. Returns their events by message
 * sequence.
 */
export async function applyDefinitions(
  unit: Unit,
  decided: readonly JudgedDefinition[],
  { now, random, own, rules: network, unitJudge }: ApplyParts,
): Promise<ReadonlyMap<number, Defined>> {
  const defined = new Map<number, Defined>();
  for (const { message, batch, place, verdict } of decided) {
    const rule = message.type === 'definition' ? rules.get(message.tag) : undefined;
    const text = rule === undefined ? undefined : await readText(unit, message);
    if (rule === undefined || text === undefined) continue;
    assert(place !== undefined, 'a definition is pinned');
    const subject = await rule.apply(unit, { message, text, place, now, own, rules: network, unitJudge });
    if (subject === undefined) continue;
    const ofBatch = { tx: batch?.txid ?? message.txid, txtype: message.txtype };
    const { id: correlator, namespace, write, drop, topic, transaction = ofBatch } = subject;
    if (verdict.state === 'confirmed') await write();
    else await drop?.();
    // The message's hash distinguishes several changes of one record.
    const subjectOf = { reference: correlator, referenceHash: message.hash };
    const event = newDefinitionEvent({
      namespace,
      id: random.uuid(),
      type: rule.event,
      ...subjectOf,
      ...transaction,
      created: now,
      topic,
    });
    defined.set(message.sequence, { correlator, events: verdict.state === 'confirmed' ? [event] : [] });
  }
  return defined;
}

/** Returns the record of a definition, if it has exactly one item with a value. */
async function readText(unit: Unit, { data }: MessageRow): Promise<JsonText | undefined> {
  const [reference, ...others] = data;
  const rows = await exactItems(unit, data);
  const item = reference === undefined ? undefined : rows.get(referenceKey(reference));
  return item === undefined || others.length > 0 || item.value === noValue ? undefined : item.value;
}
