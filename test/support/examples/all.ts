import type { RouteName } from '../../../src/wire/routes.js';
import { contractExamples } from './contracts.js';
import { dataExamples } from './data.js';
import { datatypeExamples } from './datatypes.js';
import { eventExamples } from './events.js';
import type { Example } from './example.js';
import { identityExamples } from './identities.js';
import { listenerExamples } from './listeners.js';
import { messageExamples } from './messages.js';
import { networkExamples } from './network.js';
import { sequenceExamples } from './sequence.js';
import { subscriptionExamples } from './subscriptions.js';
import { tokenExamples } from './tokens.js';
import { transactionExamples } from './transactions.js';
import { websocketExamples } from './websockets.js';

/** One example for every row of the table: a row without one does not compile. */
export const examples: Readonly<Record<RouteName, Example>> = {
  ...messageExamples,
  ...dataExamples,
  ...datatypeExamples,
  ...sequenceExamples,
  ...eventExamples,
  ...subscriptionExamples,
  ...transactionExamples,
  ...tokenExamples,
  ...contractExamples,
  ...listenerExamples,
  ...identityExamples,
  ...networkExamples,
  ...websocketExamples,
};
