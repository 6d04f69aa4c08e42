import type { Datatypes } from '../../../domain/datatype.js';
import type { Unit } from '../../../ports/database.js';
import type { MessageRow } from '../../../ports/tables.js';
import type { EventType } from '../../../wire/event.js';
import type { JsonText } from '../../../wire/scalar.js';
import type { KnownDatatypes } from './known.js';

/** What facts are found with. */
export interface FactParts {
  readonly unit: Unit;
  readonly datatypes: Datatypes;
  readonly known: KnownDatatypes;
}

/** A definition whose turn it is. */
export interface Definition {
  readonly message: MessageRow;
  /** Its one item. */
  readonly text: JsonText;
  /** Sequence of its pin. */
  readonly place: number;
}

/** Why a definition is refused at its place, or what is to be noted once it is confirmed. */
export type Judged =
  { readonly refusal: string; readonly note?: undefined } | { readonly refusal?: undefined; readonly note: () => void };

/** What a definition is about. */
export interface Subject {
  readonly id: string;
  /** The namespace that it is for. */
  readonly namespace: string;
  /** Makes it so, in the unit in which it is confirmed. */
  readonly write: () => Promise<void>;
}

/** How the definitions of one tag are judged and carried out (S §8.8). */
export interface DefinitionRule {
  /** All earlier ones of its namespace are decided, since they share its one topic: "new" means the same everywhere. */
  judge(parts: FactParts, definition: Definition): Promise<Judged>;
  /** Undefined when it cannot be read. */
  apply(unit: Unit, definition: Definition & { readonly now: string }): Promise<Subject | undefined>;
  /** The event of its namespace when it is confirmed. */
  readonly event: EventType;
}
