import type { NetworkRules } from '../../../domain/network-rules.js';
import type { Unit } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { MessageRow } from '../../../ports/tables.js';
import type { TokenConnector } from '../../../ports/token-connector.js';
import type { EventType } from '../../../wire/event.js';
import type { JsonText } from '../../../wire/scalar.js';
import type { OwnIdentity } from '../../accept/author.js';
import type { Look } from '../../judging/look.js';
import type { TypedVerdicts } from '../typed.js';
import type { KnownDatatypes } from './known.js';
import type { KnownPools } from './known-pools.js';

/** The dependencies of the code that finds facts. */
export interface FactParts {
  readonly unit: Unit;
  readonly rules: NetworkRules;
  readonly look: Look;
  readonly verdicts: TypedVerdicts;
  readonly known: KnownDatatypes;
  readonly pools: KnownPools;
  /** Names of what else is defined in this step and not written yet. */
  readonly noted: Set<string>;
  readonly connectors: ReadonlyMap<string, TokenConnector>;
  readonly own: Pick<OwnIdentity, 'keys'>;
  readonly now: string;
  readonly random: Random;
}

/** A definition whose turn it is; `block` is that of its pin. */
export interface Definition {
  readonly message: MessageRow;
  /** Its one item. */
  readonly text: JsonText;
  /** Sequence of its pin. */
  readonly place: number;
}

/** Why a definition is refused at its place, what is to be noted once it is confirmed, or what it waits for. */
export type Judged =
  | { readonly refusal: string; readonly note?: undefined; readonly waits?: undefined }
  | { readonly refusal?: undefined; readonly note: () => void; readonly waits?: undefined }
  | { readonly refusal?: undefined; readonly note?: undefined; readonly waits: string };

/** The subject of a definition. */
export interface Subject {
  readonly id: string;
  /** The namespace that it is for. */
  readonly namespace: string;
  /** Makes it so, in the unit in which it is confirmed. */
  readonly write: () => Promise<void>;
  /** Takes back what was prepared for it, in the unit in which it is rejected. */
  readonly drop?: () => Promise<void>;
  /** The topic of its confirmation event; by default that of all definitions. */
  readonly topic?: string;
}

/** How the definitions of one tag are judged and carried out (docs/protocol.md §9.1). */
export interface DefinitionRule {
  /** All earlier ones of its namespace are decided, since they share its one topic: "new" means the same everywhere. */
  judge(parts: FactParts, definition: Definition & { readonly block: number }): Promise<Judged>;
  /** Undefined when it cannot be read. */
  apply(
    unit: Unit,
    definition: Definition & Pick<FactParts, 'now' | 'own' | 'rules' | 'look'>,
  ): Promise<Subject | undefined>;
  /** The event of its namespace when it is confirmed. */
  readonly event: EventType;
}
