import { type Call, sendJson } from '../control/socket-server.js';
import type { Service } from './service.js';

export type PauseVerb = 'pause' | 'resume';

/** Responds to a request to pause or resume a service, with the state of the service. */
export async function answerPause({ response }: Call, service: Service, verb: PauseVerb): Promise<void> {
  const isDone = verb === 'pause' ? await service.pause() : service.resume();
  const { name, state } = service.view();
  if (isDone) sendJson(response, 200, { forced: false, service: service.view() });
  else {
    const expected = verb === 'pause' ? 'Only a healthy service can be paused' : 'Only a paused service can be resumed';
    sendJson(response, 409, { error: `${expected}: ${name} is ${state}.` });
  }
}
