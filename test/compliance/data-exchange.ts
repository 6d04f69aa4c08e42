import { afterEach, beforeEach, describe } from 'vitest';
import type { Peer, DataExchange } from '../../src/ports/data-exchange.js';
import { describeAdmission } from './data-exchange/admission.js';
import { describeBlobs } from './data-exchange/blobs.js';
import { describeEnvelopes } from './data-exchange/envelopes.js';
import { describeRequests } from './data-exchange/requests.js';

export interface DataExchangeUnderTest {
  readonly alice: Peer;
  readonly bob: Peer;
  readonly carol: Peer;
  /** Opens one of the nodes; a later call is the same node after a restart. */
  connect(own: Peer): Promise<DataExchange>;
  dispose(): Promise<void>;
}

/** The fixture of each obligation: three open nodes that admit one another. */
export interface Scene {
  readonly peers: Pick<DataExchangeUnderTest, 'alice' | 'bob' | 'carol'>;
  readonly alice: DataExchange;
  readonly bob: DataExchange;
  readonly carol: DataExchange;
  /** Closes a node and opens it again; it then admits all others. */
  restart(name: 'alice' | 'bob' | 'carol'): Promise<DataExchange>;
}

/** The obligations of `ports/data-exchange.ts`. */
export function describeDataExchange(adapter: string, create: () => Promise<DataExchangeUnderTest>): void {
  describe(`data exchange: ${adapter}`, () => {
    let subject: DataExchangeUnderTest;
    let ends: Record<'alice' | 'bob' | 'carol', DataExchange>;

    async function open(name: 'alice' | 'bob' | 'carol'): Promise<DataExchange> {
      const end = await subject.connect(subject[name]);
      end.admit(new Set([subject.alice, subject.bob, subject.carol].map(({ publicKeyHash }) => publicKeyHash)));
      return end;
    }

    beforeEach(async () => {
      subject = await create();
      ends = { alice: await open('alice'), bob: await open('bob'), carol: await open('carol') };
    });
    afterEach(async () => {
      await Promise.all(Object.values(ends).map((end) => end.close()));
      await subject.dispose();
    });

    const scene = (): Scene => ({
      peers: subject,
      ...ends,
      async restart(name) {
        await ends[name].close();
        ends[name] = await open(name);
        return ends[name];
      },
    });
    describeEnvelopes(scene);
    describeAdmission(scene);
    describeBlobs(scene);
    describeRequests(scene);
  });
}
