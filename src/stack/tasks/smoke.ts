import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Static, Type } from '@sinclair/typebox';
import { readShape, writeJsonFile } from '../../supervisor/files/json-file.js';
import { exchange, untilConnected } from './exchange.js';

const Party = Type.Object({
  name: Type.String(),
  url: Type.String(),
  tokenFile: Type.Optional(Type.String()),
  certificateFile: Type.Optional(Type.String()),
});
const Config = Type.Object({ markFile: Type.String(), parties: Type.Array(Party, { minItems: 1 }) });
/** A party, with the token of its node if that requires one. */
type Party = Static<typeof Party> & { readonly token: string | undefined };

const Sent = Type.Object({ header: Type.Object({ id: Type.String() }) });
const Message = Type.Object({ state: Type.String(), rejectReason: Type.Optional(Type.String()) });

const path = '/api/v1/namespaces/svc_system';
const pollMs = 10;

/**
 * Sends a message from the first party and waits until it is confirmed everywhere, which shows that the network works.
 */
export async function smoke(configText: string): Promise<Record<string, unknown>> {
  const { markFile, parties } = readShape(Config, configText, 'The configuration of the task');
  const known = await Promise.all(parties.map(withToken));
  const result = await untilConnected(() => sendAndWait(known));
  await writeJsonFile(markFile, { confirmedAt: new Date().toISOString() });
  return result;
}

async function withToken(party: Static<typeof Party>): Promise<Party> {
  const text = party.tokenFile === undefined ? undefined : await readFile(party.tokenFile, 'utf8');
  return { ...party, token: text?.trim() };
}

async function sendAndWait(parties: readonly Party[]): Promise<Record<string, unknown>> {
  const [sender] = parties;
  const begunMs = performance.now();
  const { status, text } = await exchange('POST', `${sender?.url}${path}/broadcast/message`, {
    body: {
      header: { topics: ['svc_smoke'], tag: 'svc_smoke' },
      data: [{ value: { sent: new Date().toISOString() } }],
    },
    token: sender?.token,
    certificateFile: sender?.certificateFile,
  });
  if (status !== 202) throw new Error(`${sender?.name} refused the first message with status ${status}: ${text}`);
  const { id } = readShape(Sent, text, 'The answer to the first message').header;
  const times = await Promise.all(
    parties.map(async (party) => {
      await waitUntilConfirmed(party, id);
      return [party.name, Math.round(performance.now() - begunMs)] as const;
    }),
  );
  return { id, durationMs: Math.max(...times.map(([, ms]) => ms)), parties: Object.fromEntries(times) };
}

async function waitUntilConfirmed({ name, url, token, certificateFile }: Party, id: string): Promise<void> {
  for (;;) {
    const { status, text } = await exchange('GET', `${url}${path}/messages/${id}`, { token, certificateFile });
    if (status === 200) {
      const { state, rejectReason } = readShape(Message, text, `The first message at ${name}`);
      if (state === 'confirmed') return;
      if (state === 'rejected') throw new Error(`The first message was rejected at ${name}: ${rejectReason ?? ''}`);
    } else if (status !== 404) throw new Error(`${name} answered the first message with status ${status}: ${text}`);
    await sleep(pollMs);
  }
}
