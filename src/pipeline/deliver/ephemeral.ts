import { createWindow } from '../../domain/events/window.js';
import type { Attachment, EphemeralRequest } from './delivery.js';
import { createDispatcher, type DispatcherTools } from './dispatcher.js';
import { renderSubscription } from './events/event-text.js';

/** Creates an ephemeral subscription (docs/api.md §15.5). Its name is its id. */
export function createEphemeral(tools: DispatcherTools, request: EphemeralRequest, start: number): Attachment {
  const { namespace, filter, flow } = request;
  const id = tools.random.uuid();
  const reference = { id, namespace, name: id };
  const window = createWindow({ readAhead: flow.readAhead, position: start, isDurable: false });
  const dispatcher = createDispatcher({
    ...tools,
    window,
    subscription: renderSubscription(reference),
    filter,
    flow,
    target: () => request,
    onAcknowledge: () => undefined,
    onPass: () => undefined,
  });
  return {
    subscription: () => reference,
    isActive: () => true,
    acknowledge(eventId) {
      const isKnown = window.acknowledge(eventId);
      dispatcher.wake();
      return isKnown;
    },
    close: dispatcher.stop,
  };
}
