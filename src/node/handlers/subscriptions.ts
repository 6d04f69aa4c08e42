import { withoutUnknown } from '../../domain/unknown-members.js';
import { findSubscription, type SubscriptionAcceptance } from '../../pipeline/accept/events/subscription.js';
import type { Database } from '../../ports/database.js';
import type { subscriptionRoutes } from '../../wire/routes/subscriptions.js';
import { equal, readFlag } from '../../wire/lists/query.js';
import type { SubscriptionRequest } from '../../wire/events/subscription.js';
import type { HttpRequest } from '../data/binary.js';
import type { Access } from '../requests/access.js';
import type { HandlerRequest, HandlersOf } from '../requests/handler.js';
import type { Reading } from '../lists/read.js';
import { embedReferences } from '../lists/embed.js';
import { listPastEvents } from '../events/past-events.js';
import { subscriptionRecord } from '../events/subscription-list.js';

export interface SubscriptionHandlerParts extends SubscriptionAcceptance {
  readonly database: Database;
  readonly reading: Reading;
  readonly access: Pick<Access, 'nameOf'>;
}

/** Creates the handlers for durable subscriptions. */
export function createSubscriptionHandlers(parts: SubscriptionHandlerParts): HandlersOf<typeof subscriptionRoutes> {
  const { database, reading, access } = parts;
  const makerOf = ({ http }: { readonly http: HttpRequest }) => access.nameOf(http.message);
  return {
    async createSubscription(request) {
      const row = await parts.createSubscription(request.namespace, requested(request), makerOf(request));
      return subscriptionRecord(row);
    },

    async replaceSubscription(request) {
      const row = await parts.replaceSubscription(request.namespace, requested(request), makerOf(request));
      return subscriptionRecord(row);
    },

    async getSubscription({ namespace, params: { subid }, query }) {
      const { id } = await findSubscription(database, namespace, subid);
      const where = [equal('id', id)];
      return reading.get('subscriptions', { namespace, query }, { where, name: `subscription ${subid}` });
    },

    async deleteSubscription({ namespace, params: { subid } }) {
      await parts.deleteSubscription(namespace, subid);
      return null;
    },

    async listSubscriptionEvents({ namespace, params: { subid }, query, filters }) {
      const subscription = await findSubscription(database, namespace, subid);
      const { items, total } = await listPastEvents(database, subscription, filters);
      const isEmbedded = readFlag(query.get('fetchreferences')) ?? false;
      return { items: await embedReferences(database, items, isEmbedded), total };
    },
  };
}

/** The requested subscription. If the caller allows it, unknown filters and options are left out and listed. */
function requested({
  body,
  isStrict,
  ignore,
}: Pick<
  HandlerRequest<(typeof subscriptionRoutes)['createSubscription']>,
  'body' | 'isStrict' | 'ignore'
>): SubscriptionRequest {
  if (isStrict) return body;
  const { request, ignored } = withoutUnknown(body);
  ignore(ignored);
  return request;
}
