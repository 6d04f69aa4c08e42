import type { Answer, Client } from '../../../src/client/client.js';
import type { Batch } from '../../../src/wire/batch-record.js';
import type { Data } from '../../../src/wire/data.js';
import type { Datatype } from '../../../src/wire/datatype.js';
import type { Event } from '../../../src/wire/event-record.js';
import type { Identity, Verifier } from '../../../src/wire/identity.js';
import { compact } from '../../../src/wire/json-reader.js';
import type { Message } from '../../../src/wire/message.js';
import type { Subscription } from '../../../src/wire/subscription.js';
import type { TokenApproval, TokenPool, TokenTransfer } from '../../../src/wire/token.js';
import type { Failures } from '../failures.js';
import type { HeardBefore } from '../heard.js';
import type { ContractScene } from './contract-scene.js';
import type { Operation } from '../../../src/wire/transaction.js';

/** What an example may stand on: a confirmed broadcast and a private message of alice, whose node is asked. */
export interface Scene {
  readonly client: Client;
  /** As alice's node shows it, confirmed. */
  readonly message: Message;
  readonly event: Event;
  readonly batch: Batch;
  /** The pin of the batch. */
  readonly operation: Operation;
  /** Of alice and bob. */
  readonly privateMessage: Message;
  /** An item with a file, which nobody has sent. */
  readonly file: Data;
  /** Id of an item that may be deleted, another one each time. */
  readonly spareData: () => string;
  /** A number, version 1.0, confirmed. */
  readonly datatype: Datatype;
  readonly alice: Identity;
  /** A custom identity of alice, of which something may be said. */
  readonly desk: Identity;
  readonly verifier: Verifier;
  /** Of all events of messages, from the oldest. */
  readonly subscription: Subscription;
  /** Name of a subscription that may be deleted, another one each time. */
  readonly spareSubscription: () => string;
  /** Of coins, which alice has made and all follow. */
  readonly pool: TokenPool;
  /** A mint to alice. */
  readonly transfer: TokenTransfer;
  /** For bob to act for alice. */
  readonly approval: TokenApproval;
  /** Name of an unpublished pool, another one each time. */
  readonly spareDraft: () => string;
  /** What can be given up or tried again, once each. */
  readonly failures: Failures;
  readonly contracts: ContractScene;
  /** A contract API, and what was heard of it. */
  readonly contract: HeardBefore;
}

/** One call of a route, and what it must answer. */
export interface Example {
  readonly call: (scene: Scene) => Promise<Answer<unknown>>;
  /** What the answer must show, beside its shape. */
  readonly shows: (scene: Scene) => unknown;
  /** Values of the parameters of the path; none where they are left out. */
  readonly parameters?: (scene: Scene) => Readonly<Record<string, string>>;
  /** Of its request; anew for each where it can be used once. */
  readonly body?: string | (() => string);
}

/** The examples of some rows: one for each of them. */
export type Examples<Rows> = Readonly<Record<keyof Rows, Example>>;

/** What is in the file of the scene. */
export const exampleFile = 'hello parley\n';

/** The schema of the datatype of the scene. */
export const exampleSchema = compact('{"type":"number"}');

/** A value that only its text keeps. */
export const exampleValue = compact('{"price": 1.50, "b": 12345678901234567890, "a": "\\u0041"}');
