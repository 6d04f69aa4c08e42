import type { NetworkRules } from '../../../domain/network/network-rules.js';
import type { Unit } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { MessageRow, NewRow } from '../../../ports/tables/tables.js';
import type { TokenConnector } from '../../../ports/token-connector.js';
import type { EventType } from '../../../wire/events/event.js';
import type { JsonText } from '../../../wire/scalar.js';
import type { OwnIdentity } from '../../state/identities/own-identity.js';
import type { UnitJudge } from '../../judging/unit-judge.js';
import type { TypedVerdicts } from '../typed.js';
import type { KnownDatatypes } from './known.js';
import type { KnownPools } from './tokens/known-pools.js';

export interface FactParts {
  readonly unit: Unit;
  readonly rules: NetworkRules;
  readonly unitJudge: UnitJudge;
  readonly verdicts: TypedVerdicts;
  readonly known: KnownDatatypes;
  readonly pools: KnownPools;
  /** Keys of other definitions of this step that are not written yet. */
  readonly noted: Set<string>;
  readonly connectors: ReadonlyMap<string, TokenConnector>;
  readonly own: Pick<OwnIdentity, 'keys'>;
  readonly now: string;
  readonly random: Random;
}

export interface Definition {
  readonly message: MessageRow;
  readonly text: JsonText;
  readonly place: number;
}

/** The reason of a refusal, or a note to take on confirmation, or the condition that it waits for. */
export type Judged =
  | { readonly refusal: string; readonly note?: undefined; readonly waits?: undefined }
  | { readonly refusal?: undefined; readonly note: () => void; readonly waits?: undefined }
  | { readonly refusal?: undefined; readonly note?: undefined; readonly waits: string };

export interface Subject {
  readonly id: string;
  readonly namespace: string;
  /** Applies the definition in the unit that confirms it. */
  readonly write: () => Promise<void>;
  /** Removes what was prepared, in the unit that rejects it. */
  readonly drop?: () => Promise<void>;
  /** Topic of the confirmation event; by default that of all definitions. */
  readonly topic?: string;
  /** The transaction of the confirmation event; by default that of the batch with the definition. */
  readonly transaction?: Pick<NewRow<'events'>, 'tx' | 'txtype'>;
}

/** Judges and applies the definitions of one tag (docs/protocol.md §9.1). */
export interface DefinitionRule {
  /**
   * All earlier definitions of the namespace are decided, since they share one topic; so every node judges by the same
   * state.
   */
  judge(parts: FactParts, definition: Definition & { readonly block: number }): Promise<Judged>;
  /** Undefined if the definition cannot be parsed. */
  apply(
    unit: Unit,
    definition: Definition & Pick<FactParts, 'now' | 'own' | 'rules' | 'unitJudge'>,
  ): Promise<Subject | undefined>;
  readonly event: EventType;
}
