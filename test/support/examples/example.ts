import type { Answer, Client } from '../../../src/client/client.js';
import type { Batch } from '../../../src/wire/messages/batch-record.js';
import type { Data } from '../../../src/wire/data/data.js';
import type { Datatype } from '../../../src/wire/data/datatype.js';
import type { Event } from '../../../src/wire/events/event-record.js';
import type { Identity, Verifier } from '../../../src/wire/identities/identity.js';
import { compact } from '../../../src/wire/json/json-reader.js';
import type { Message } from '../../../src/wire/messages/message.js';
import type { Subscription } from '../../../src/wire/events/subscription.js';
import type { TokenApproval, TokenPool, TokenTransfer } from '../../../src/wire/token.js';
import type { Failures } from '../failures.js';
import type { HeardBefore } from '../heard.js';
import type { ContractScene } from './contract-scene.js';
import type { Operation } from '../../../src/wire/chain/transaction.js';

/**
 * The records that examples use, including a confirmed broadcast and a private message of alice, whose node answers.
 */
export interface Scene {
  readonly client: Client;
  /** Confirmed, as alice's node returns it. */
  readonly message: Message;
  readonly event: Event;
  readonly batch: Batch;
  /** The operation of the batch's pin. */
  readonly operation: Operation;
  /** Between alice and bob. */
  readonly privateMessage: Message;
  /** An item with a blob that was never sent. */
  readonly file: Data;
  /** Returns the id of an item that may be deleted; a new one each time. */
  readonly spareData: () => string;
  /** A confirmed datatype for numbers, version 1.0. */
  readonly datatype: Datatype;
  readonly alice: Identity;
  /** A custom identity of alice that may be updated. */
  readonly desk: Identity;
  readonly verifier: Verifier;
  /** Matches all events about messages, from the oldest. */
  readonly subscription: Subscription;
  /** Returns the name of a subscription that may be deleted; a new one each time. */
  readonly spareSubscription: () => string;
  /** A pool of alice that all parties follow. */
  readonly pool: TokenPool;
  /** A mint to alice. */
  readonly transfer: TokenTransfer;
  /** An approval of bob for alice. */
  readonly approval: TokenApproval;
  /** Returns the name of an unpublished pool; a new one each time. */
  readonly spareDraft: () => string;
  /** Failures that can be cancelled or retried, once each. */
  readonly failures: Failures;
  readonly contracts: ContractScene;
  /** A contract API with a recorded event. */
  readonly contract: HeardBefore;
}

/** A call of a route and its expected answer. */
export interface Example {
  readonly call: (scene: Scene) => Promise<Answer<unknown>>;
  /** The expected content of the answer, beyond its shape. */
  readonly shows: (scene: Scene) => unknown;
  /** Path parameters, if any. */
  readonly parameters?: (scene: Scene) => Readonly<Record<string, string>>;
  /** The request body; a function if it can be used only once. */
  readonly body?: string | (() => string);
}

/** One example for each row. */
export type Examples<Rows> = Readonly<Record<keyof Rows, Example>>;

/** The content of the scene's file. */
export const exampleFile = 'hello parley\n';

/** The schema of the scene's datatype. */
export const exampleSchema = compact('{"type":"number"}');

/** A value whose spelling is preserved only as text. */
export const exampleValue = compact('{"price": 1.50, "b": 12345678901234567890, "a": "\\u0041"}');
