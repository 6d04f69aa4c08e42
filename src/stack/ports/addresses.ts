import { setTimeout as sleep } from 'node:timers/promises';
import { readJsonFile } from '../../supervisor/files/json-file.js';
import { SupervisorStatus } from '../../supervisor/control/view.js';
import { StackError } from '../error.js';
import type { Stack } from '../places/locate.js';
import { urlOf } from '../running/node-config.js';
import type { Ports } from './ports.js';

const pollMs = 25;
/** The state file is written right after each status change; a disk that takes longer than this is stuck. */
const limitMs = 3_000;

/**
 * Checks that the addresses in a supervisor's response agree with the stack's own files: its ports, or the state that
 * the supervisor writes. Tokens are sent to these addresses, so the socket alone is not trusted.
 *
 * @throws StackError CONTROL_NOT_PRIVATE
 */
export async function checkAddresses(
  { layout, settings }: Stack,
  ports: Ports | undefined,
  status: SupervisorStatus,
): Promise<void> {
  const end = performance.now() + limitMs;
  const known: Readonly<Record<string, number>> =
    ports === undefined ? {} : { ...ports.parties, chain: ports.chain, store: ports.store };
  for (;;) {
    const state = await readJsonFile(layout.state, SupervisorStatus).catch(() => undefined);
    const foreign = status.services.find(({ name, url }) => {
      if (url === null) return false;
      const port = known[name];
      const recorded = state?.services.find((service) => service.name === name)?.url;
      return url !== recorded && (port === undefined || url !== urlOf(settings, name, port));
    });
    if (foreign === undefined) return;
    if (performance.now() > end) throw notRecorded(foreign.name, foreign.url);
    await sleep(pollMs);
  }
}

function notRecorded(name: string, url: string | null): StackError {
  return new StackError(
    'CONTROL_NOT_PRIVATE',
    `The supervisor says that ${name} is at ${url}, but the files of the stack name another address.`,
    { hint: 'Check whether the disk is full, then restart the stack: stack restart', details: { service: name, url } },
  );
}
